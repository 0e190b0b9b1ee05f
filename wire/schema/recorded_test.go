package schema_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"acp-conform/wire"
	"acp-conform/wire/schema"
	"acp-conform/wire/schema/internal/factgen"
)

// recorded is one conversation between a client and a Muse host, kept by others.
type recorded struct {
	name    string
	records []wire.Record
}

// readRecorded reads the conversations under MSP_DATA: lines {"dir","raw"}, where the client is what an adapter is
// for us.
func readRecorded(t *testing.T) []recorded {
	t.Helper()
	folders, err := factgen.FindFolders(".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folders.MSP); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the recorded conversations are not here: no folder %s (MSP_DATA names it)", folders.MSP)
	}
	var out []recorded
	for _, pattern := range []string{"transcripts/*/*.ndjson", "live/*/*.ndjson"} {
		files, err := filepath.Glob(filepath.Join(folders.MSP, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, err := filepath.Rel(folders.MSP, file)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, recorded{name: filepath.ToSlash(name), records: readRecording(t, file)})
		}
	}
	return out
}

func readRecording(t *testing.T, file string) []wire.Record {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewLog(wire.Limits{})
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct{ Dir, Raw string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		dir := wire.ToAdapter
		if line.Dir == "client" {
			dir = wire.FromAdapter
		}
		log.Append(wire.Entry{Lane: wire.Lane{Name: "muse", N: 1}, Dir: dir, Data: []byte(line.Raw)})
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return log.Records()
}

// misses are the recorded frames that break the schema, each with its reason. All other frames keep it.
func misses() map[string]string {
	const (
		old     = "transcripts/userinput-cancel-round-trip/transcript.ndjson"
		live103 = "live/muse-1.0.3/bash-and-user-input-turn.ndjson"
		decided = `muse 1 -> frame %d (userInput/settled): /params: the member "decidedAt" is missing (byte 55)`
	)
	return map[string]string{
		old + " " + fmt.Sprintf(decided, 11):     "written down before hosts said when a question was decided (msp.md §12, 4)",
		live103 + " " + fmt.Sprintf(decided, 24): "Muse 1.0.3 does not say when a question was decided (msp.md §12, 4)",
	}
}

// Every recorded frame validates, and those that miss do so for a known reason, which NoDecidedAt tolerates. Unknown
// item kinds, stream kinds and methods (the tolerance-* conversations) are no misses: the enums are open, and what
// the host says beyond the schema is no problem of its peer.
func TestRecorded(t *testing.T) {
	t.Parallel()
	all := readRecorded(t)
	if len(all) < 20 {
		t.Errorf("only %d conversations were found", len(all))
	}
	s, left := schemas(t), misses()
	for _, r := range all {
		plain, tolerant := s.NewChecker(), s.NewChecker(schema.Tolerate(schema.NoDecidedAt))
		for _, record := range r.records {
			for _, p := range plain.Check(record) {
				key := r.name + " " + p.String()
				if left[key] == "" {
					t.Errorf("%s: %s", r.name, p)
				}
				delete(left, key)
			}
			for _, p := range tolerant.Check(record) {
				t.Errorf("%s: not tolerated: %s", r.name, p)
			}
		}
	}
	for key, reason := range left {
		t.Errorf("this no longer misses: %s (%s)", key, reason)
	}
}
