package suite

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"acp-conform/conform"
	"acp-conform/goldens"
	"acp-conform/requirements"
	"acp-conform/runner"
	"acp-conform/scenarios"
	"acp-conform/steps"
)

// wanting are the requirements that nothing proves yet, with what is missing.
func wanting() map[string]string {
	return map[string]string{}
}

// TestRegistryTagsAndChecksAgree is the two-way check: every requirement of the registry is decided by a check, in a
// scenario that a tag gives it to or by an oracle; every tag and every check names a requirement of the registry.
func TestRegistryTagsAndChecksAgree(t *testing.T) {
	t.Parallel()
	s := load(t)
	bySentence, byOracle, byTag := map[string]bool{}, map[string]bool{}, map[string][]string{}
	for _, d := range steps.Definitions() {
		for _, id := range d.IDs {
			bySentence[id] = true
		}
	}
	for _, o := range conform.Oracles() {
		for _, id := range o.IDs {
			byOracle[id] = true
		}
	}
	for _, id := range append(conform.SchemaRequirements(), runner.MuseSchema) {
		byOracle[id] = true
	}
	for _, p := range s.Plan.Scenarios {
		for _, id := range p.Requirements {
			byTag[id] = append(byTag[id], p.Name)
		}
	}
	for _, q := range s.Registry.All() {
		if q.Excluded != "" {
			if bySentence[q.ID] || byOracle[q.ID] || byTag[q.ID] != nil {
				t.Errorf("%s is excluded (%s), but a check or a tag names it", q.ID, q.Excluded)
			}
			continue
		}
		played := byOracle[q.ID] || bySentence[q.ID] && byTag[q.ID] != nil
		tested := len(q.Tests) > 0 && q.Applies == requirements.Reference // a Go test looks at our own adapter
		missing, wanted := wanting()[q.ID]
		switch proved := played || tested; {
		case !proved && !wanted:
			t.Errorf("%s (%s:%d) is proved by nothing: sentence %t, tags %q, Go tests %q, binds %s", q.ID, q.File, q.Line, bySentence[q.ID], byTag[q.ID], q.Tests, q.Applies)
		case proved && wanted:
			t.Errorf("%s is proved by now; take it off the list of what is wanting (%s)", q.ID, missing)
		}
	}
	for _, named := range []map[string]bool{bySentence, byOracle} {
		for id := range named {
			if _, known := s.Registry.Lookup(id); !known {
				t.Errorf("a check names %s, which is not in the registry", id)
			}
		}
	}
	for id, where := range byTag {
		if !bySentence[id] && !byOracle[id] {
			t.Errorf("no check decides %s, which is a tag of %q", id, where)
		}
	}
}

// tagsAreDecided: a scenario must decide every requirement that its tags name.
func tagsAreDecided(t *testing.T, s *runner.Suite, result conform.RunResult) {
	for i, sc := range result.Scenarios {
		var decided []string
		for _, c := range sc.Checks {
			decided = append(decided, c.IDs...)
		}
		for _, id := range s.Plan.Scenarios[i].Requirements {
			if !slices.Contains(decided, id) {
				t.Errorf("%s has the tag @%s, but no check of it decides %s", sc.Name, id, id)
			}
		}
	}
}

// TestNothingIsLeftOver: every folder of scripts and every golden belongs to a scenario.
func TestNothingIsLeftOver(t *testing.T) {
	t.Parallel()
	s := load(t)
	orphans, err := conform.NewGoldens(goldens.FS).Orphans(s.Plan.Names())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range orphans {
		t.Errorf("goldens/%s belongs to no scenario", o)
	}
	entries, err := fs.ReadDir(scenarios.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		used := slices.ContainsFunc(s.Plan.Names(), func(name string) bool {
			folder, _, _ := strings.Cut(name, "/")
			return folder == e.Name()
		})
		if e.IsDir() && !used {
			t.Errorf("scenarios/%s belongs to no scenario", e.Name())
		}
	}
}

// TestNobodySleeps: waiting is for events, with a deadline, never for time to pass.
func TestNobodySleeps(t *testing.T) {
	t.Parallel()
	sleep := regexp.MustCompile(`\btime\s*\.\s*Sleep\b`)
	for _, dir := range []string{"steps", "conform", "wire", "fakemuse", "runner", "reference", "report"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(p) != ".go" {
				return err
			}
			data, err := os.ReadFile(p)
			if sleep.Match(data) {
				t.Errorf("%s sleeps", p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
