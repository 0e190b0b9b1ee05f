package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unwritableRun is a run of the program by a shell: $AC is the program, $DIR a folder to write to, $OWN this test as an
// adapter. The shell's own words do not go to a file.
type unwritableRun struct {
	script string
	code   int
	says   []string // in what stderr holds of us, which is one line
}

// twice begins a script in which two things cannot be written.
const twice = ": two; "

func (u unwritableRun) test(t *testing.T, temp string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", u.script)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "AC="+binary, "OWN="+own, "DIR="+t.TempDir())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var ours []string
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "acp-conform: ") {
			ours = append(ours, line)
		}
	}
	// Where a report can be read, it may be the one that says it.
	told := strings.Join(ours, "")
	if told == "" {
		told = stdout.String()
	}
	if code := cmd.ProcessState.ExitCode(); code != u.code || len(ours) > 1 && !strings.HasPrefix(u.script, twice) {
		t.Errorf("exit %d, want %d; lines on stderr: %d", code, u.code, len(ours))
	}
	for _, want := range u.says {
		if !strings.Contains(told, want) {
			t.Errorf("it is not said: %q", want)
		}
	}
	if both := stdout.String() + stderr.String(); strings.Contains(both, "goroutine ") {
		t.Error("it panicked")
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", stdout.String(), stderr.String())
	}
}

// TestNothingCanBeWritten: whatever cannot be written is named in one sentence on stderr, and the exit code is never 0.
func TestNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	const (
		stdout = "stdout cannot be written, so what was printed is not complete: "
		full   = "no space left on device"
		one    = ` --scenario text-turn `
		noisy  = one + `-- "$AC" reference --fault=stdout-noise `
	)
	for name, u := range map[string]unwritableRun{
		"run":                         {`"$AC" run` + one + `>/dev/full`, 3, []string{stdout + full}},
		"run that fails":              {`"$AC" run` + noisy + `>/dev/full`, 1, []string{stdout + full}},
		"list":                        {`"$AC" list >/dev/full`, 3, []string{stdout + full}},
		"list of requirements":        {`"$AC" list --requirements --json >/dev/full`, 3, []string{stdout + full}},
		"help":                        {`"$AC" --help >/dev/full`, 3, []string{stdout + full}},
		"help of run":                 {`"$AC" run --help >/dev/full`, 3, []string{stdout + full}},
		"explain":                     {`"$AC" explain text-turn >/dev/full`, 3, []string{stdout + full}},
		"doctor":                      {`"$AC" doctor -- "$AC" reference >/dev/full`, 3, []string{stdout + full}},
		"soak":                        {`"$AC" soak --runs 1 --busy 0` + one + `>/dev/full`, 3, []string{stdout + full}},
		"mutants":                     {`"$AC" mutants` + one + `--json >/dev/full`, 3, []string{stdout + full}},
		"record":                      {`"$AC" record --goldens "$DIR"` + one + `>/dev/full`, 3, []string{stdout + full}},
		"a report":                    {`"$AC" run` + one + `--format json=/dev/full`, 3, []string{"json", "/dev/full", full}},
		"a report of what fails":      {`"$AC" run --format json=/dev/full` + noisy, 1, []string{"json", "/dev/full", full}},
		"both reports":                {twice + `"$AC" run` + one + `--format pretty --format json=/dev/full >/dev/full`, 3, []string{stdout + full, "json: write /dev/full"}},
		"transcripts below a file":    {`"$AC" run` + one + `--transcripts /dev/full/x`, 2, []string{"--transcripts", "/dev/full"}},
		"a transcript":                {`mkdir "$DIR/text-turn.txt"; "$AC" run` + one + `--transcripts "$DIR"`, 3, []string{"transcripts", "text-turn.txt: is a directory"}},
		"a transcript of what fails":  {`mkdir "$DIR/text-turn.txt"; "$AC" run --transcripts "$DIR"` + noisy, 1, []string{"transcripts", "text-turn.txt: is a directory"}},
		"goldens below a file":        {`"$AC" record` + one + `--goldens /dev/full/x`, 3, []string{"golden", "/dev/full"}},
		"a golden":                    {`mkdir "$DIR/text-turn.golden"; "$AC" record` + one + `--goldens "$DIR"`, 3, []string{"text-turn.golden: is a directory"}},
		"no temp folder":              {`TMPDIR=/none/such "$AC" run` + one, 3, []string{"making a private folder", "/none/such"}},
		"a temp folder that is none":  {`TMPDIR=/dev/full "$AC" run` + one, 3, []string{"making a private folder", "/dev/full"}},
		"no temp folder: record":      {`TMPDIR=/none/such "$AC" record --goldens "$DIR"` + one, 3, []string{"making a private folder", "/none/such"}},
		"no temp folder: doctor":      {`TMPDIR=/none/such "$AC" doctor -- "$AC" reference`, 3, []string{"making a private folder", "/none/such"}},
		"no temp folder: soak":        {`TMPDIR=/none/such "$AC" soak --runs 2 --busy 0` + one, 3, []string{"making a private folder", "/none/such"}},
		"no temp folder: mutants":     {`TMPDIR=/none/such "$AC" mutants` + one, 3, []string{"making a private folder", "/none/such"}},
		"no file may have any bytes":  {`ulimit -f 0; "$AC" run` + one, 3, []string{"file too large"}},
		"a report over the limit":     {`ulimit -f 8; "$AC" run` + one + `--format json="$DIR/r"`, 3, []string{"json", "/r: file too large"}},
		"a pipe that is read no more": {`{ "$AC" run --tags @escalation; echo $? >"$DIR/code"; } | head -1 >/dev/null; exit $(cat "$DIR/code")`, 3, []string{stdout + "broken pipe"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u.test(t, t.TempDir())
		})
	}
}

// TestNobodyReadsOn: what only informs may be cut short without a word, as by head; a report may not.
func TestNobodyReadsOn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"list"}, 0, ""},
		{[]string{"list", "--json"}, 0, ""},
		{[]string{"list", "--requirements"}, 0, ""},
		{[]string{"explain", "text-turn"}, 0, ""},
		{[]string{"explain", "no-such-thing"}, 2, "no-such-thing"},
		{[]string{"run", "--scenario", "text-turn"}, 3, "stdout cannot be written, so what was printed is not complete: broken pipe"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			defer w.Close()
			cmd := exec.Command(binary, tt.args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = w, &stderr
			cmd.Run()
			told := stderr.String()
			if code := cmd.ProcessState.ExitCode(); code != tt.code || tt.says == "" && told != "" || !strings.Contains(told, tt.says) {
				t.Errorf("exit %d, not %d; stderr, without %q: %s", code, tt.code, tt.says, told)
			}
		})
	}
}

// A closed stdout is the null device by the time that we see it, and so is one that a program throws away: a word is
// said, and the verdict stands.
func TestNobodyReads(t *testing.T) {
	t.Parallel()
	const word = "nobody reads what is printed there"
	for name, u := range map[string]unwritableRun{
		"closed":               {`"$AC" run --scenario text-turn >&-`, 0, []string{word}},
		"closed, and it fails": {`"$AC" run --scenario text-turn -- "$AC" reference --fault=stdout-noise >&-`, 1, []string{word}},
		"closed, with a file":  {`"$AC" run --scenario text-turn --format json="$DIR/r" >&-; test -s "$DIR/r"`, 0, []string{word}},
		"a shell's null":       {`"$AC" run --scenario text-turn >/dev/null 2>"$DIR/e"; test $? -eq 0 -a ! -s "$DIR/e"`, 0, nil},
		"nothing is wanted":    {`"$AC" run --scenario text-turn >&- 2>&-`, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u.test(t, t.TempDir())
		})
	}
}

// TestAFullDisk plays on a small disk of its own, where that can be mounted.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k,nr_inodes=200"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	if err := os.Mkdir(filepath.Join(disk, "out"), 0o700); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(disk, "fill")
	if err := os.WriteFile(fill, bytes.Repeat([]byte("x"), 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the small disk is not full: %v", err)
	}
	for name, u := range map[string]unwritableRun{
		"temp":        {`TMPDIR='` + disk + `' "$AC" run --scenario text-turn`, 3, []string{"no space left on device"}},
		"transcripts": {`"$AC" run --scenario text-turn --transcripts '` + disk + `/out'`, 3, []string{"transcripts", "no space left on device"}},
		"goldens":     {`"$AC" record --scenario text-turn --goldens '` + disk + `/out'`, 3, []string{"golden", "no space left on device"}},
		"a report":    {`"$AC" run --scenario text-turn --format json='` + disk + `/r.json'`, 3, []string{"r.json", "no space left on device"}},
	} {
		t.Run(name, func(t *testing.T) { u.test(t, t.TempDir()) })
	}
	if left, _ := filepath.Glob(filepath.Join(disk, "*-*")); len(left) > 0 {
		t.Errorf("left on the disk: %q", left)
	}
}
