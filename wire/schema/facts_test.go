package schema_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire/schema"
	"acp-conform/wire/schema/internal/factgen"
)

// The generated files are what go generate makes from the published schemas as they are now.
func TestFactsAreFresh(t *testing.T) {
	t.Parallel()
	folders, err := factgen.FindFolders(".")
	if err != nil {
		t.Fatal(err)
	}
	want, err := factgen.Generate(folders)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the published schemas are not here (%v); ACP_DATA and MSP_DATA name their folders, now %s and %s", err, folders.ACP, folders.MSP)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		have, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("wire/%s is missing: run go generate ./wire", name)
			continue
		}
		if !bytes.Equal(have, content) {
			t.Errorf("wire/%s is stale: run go generate ./wire, look at the difference and keep both together\n(-in the repository +from the published schema)\n%s",
				name, differentLines(have, content))
		}
	}
}

// differentLines names the first lines that differ; a definition is one line.
func differentLines(have, want []byte) string {
	const most = 10
	a, b := strings.Split(string(have), "\n"), strings.Split(string(want), "\n")
	var out []string
	for _, side := range []struct {
		sign        string
		these, rest []string
	}{{"-", a, b}, {"+", b, a}} {
		other := map[string]bool{}
		for _, line := range side.rest {
			other[line] = true
		}
		for _, line := range side.these {
			if !other[line] && len(out) < most {
				out = append(out, side.sign+line[:min(len(line), 160)])
			}
		}
	}
	return strings.Join(out, "\n")
}

func TestFacts(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	for _, tt := range []struct {
		what string
		have []string
		n    int
		some []string
		none []string
	}{
		{"ACP agent methods", s.ACPAgentMethods(), 13, []string{"initialize", "session/cancel", "session/prompt"}, []string{"session/update", "session/fork"}},
		{"ACP client methods", s.ACPClientMethods(), 11, []string{"session/update", "terminal/kill"}, []string{"session/prompt", "$/cancel_request"}},
		{"MSP methods", s.MSPMethods(), 57, []string{"turn/start", "usage/read"}, []string{"initialized", "approval/request"}},
		{"MSP notifications of the host", s.MSPNotifications(), 33, []string{"turn/completed", "session/started"}, []string{"initialized"}},
		{"MSP notifications of the client", s.MSPClientNotifications(), 2, []string{"initialized", "userInput/engaged"}, nil},
		{"MSP requests of the host", s.MSPServerRequests(), 2, []string{"approval/request", "userInput/request"}, nil},
		{"MSP capabilities", s.MSPCapabilities(), 4, []string{"userShell"}, nil},
	} {
		if len(tt.have) != tt.n {
			t.Errorf("%s: %d, want %d: %v", tt.what, len(tt.have), tt.n, tt.have)
		}
		for _, name := range tt.some {
			if !slices.Contains(tt.have, name) {
				t.Errorf("%s: %s is missing", tt.what, name)
			}
		}
		for _, name := range tt.none {
			if slices.Contains(tt.have, name) {
				t.Errorf("%s: %s does not belong there", tt.what, name)
			}
		}
	}
	table := s.MSPErrors()
	if len(table) != 33 {
		t.Errorf("%d rows in the error table, want 33", len(table))
	}
	no := false
	want := schema.MSPError{Code: -32601, Kind: "methodNotFound", Overrides: []string{"experimentalRequired"}, Retryable: &no}
	if diff := cmp.Diff(want, table[2]); diff != "" {
		t.Errorf("the row of -32601 (-want +got)\n%s", diff)
	}
	for _, source := range s.Sources() {
		if source.Version == "" || len(source.Files) != 2 {
			t.Errorf("the source is not said: %+v", source)
		}
	}
}
