package otheradapter_test

import (
	"context"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/internal/otheradapter"
	"acp-conform/runner"
)

// word makes this test binary the adapter.
const word = "otheradapter"

func TestMain(m *testing.M) {
	fakemuse.Main()
	if len(os.Args) > 1 && os.Args[1] == word {
		os.Exit(otheradapter.Run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Environ()))
	}
	goleak.VerifyTestMain(m)
}

// inProcess is the adapter in a goroutine.
func inProcess() conform.Adapter {
	return conform.NewInProcess("the second adapter (in this process)", func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s conform.Surroundings) error {
		otheradapter.Run(ctx, stdin, stdout, stderr, s.Env)
		return nil
	})
}

// asProcess is the adapter as a child process.
func asProcess(t *testing.T) conform.Adapter {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a, err := conform.NewCommand([]string{own, word})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// play judges an adapter by the named scenarios (none: by all), as one that is not the reference, and gives the verdicts.
func play(t *testing.T, adapter conform.Adapter, names []string, variants ...string) map[string]conform.Verdict {
	t.Helper()
	suite, err := runner.Load()
	if err != nil {
		t.Fatal(err)
	}
	selected, err := suite.Plan.Select(nil, names)
	if err != nil {
		t.Fatal(err)
	}
	engine := suite.Engine(adapter, false)
	// A process with the race detector in it waits a second before it ends.
	engine.Env = append(engine.Env, "GORACE=atexit_sleep_ms=0")
	engine.Hosts = runner.MuseHosts{Variants: variants}
	result, err := suite.Run(engine, selected, 2).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if result.Problem != "" {
		t.Fatal(result.Problem)
	}
	verdicts := map[string]conform.Verdict{}
	for _, sc := range result.Scenarios {
		verdicts[sc.Name] = sc.Verdict
		if sc.Verdict == conform.Pass || sc.Verdict == conform.NotApplicable {
			continue
		}
		t.Errorf("%s: %s: %s", sc.Name, sc.Verdict, sc.Reason)
		for _, f := range sc.Failures() {
			t.Logf("%s %v: %s %+v", f.Name, f.IDs, f.Message, f.Place)
		}
		if sc.Stderr != "" {
			t.Logf("stderr of the adapter:\n%s", sc.Stderr)
		}
	}
	return verdicts
}
