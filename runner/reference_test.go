package runner

import (
	"os"
	"slices"
	"strings"
	"testing"

	"acp-conform/conform"
)

// Both ways of running the reference adapter take further flags, keep the ones that they have, and refuse what is none.
func TestReferenceFlags(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string]func(flags ...string) (conform.Adapter, error){
		"in this process": ReferenceInProcess,
		"as a process": func(flags ...string) (conform.Adapter, error) {
			return ReferenceProcess([]string{own, "reference"}, flags...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := start("--nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") {
				t.Errorf("a wrong flag gave the error %v", err)
			}
			a, err := start("--fault=decides-twice")
			if err != nil {
				t.Fatal(err)
			}
			b, err := a.(conform.Switchable).With([]string{"--approval-policy=never"})
			if err != nil {
				t.Fatal(err)
			}
			c, err := b.(conform.Switchable).With([]string{"--no-approvals"})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := flagsOf(c), []string{"--fault=decides-twice", "--approval-policy=never", "--no-approvals"}; !slices.Equal(got, want) {
				t.Errorf("the flags are %q, want %q", got, want)
			}
			if got := flagsOf(a); !slices.Equal(got, []string{"--fault=decides-twice"}) {
				t.Errorf("the first adapter has the flags %q now", got)
			}
			if p, ok := c.(referenceProcess); ok {
				if want := slices.Concat([]string{own, "reference"}, ReferenceFlags(), flagsOf(c)); !slices.Equal(p.Argv(), want) {
					t.Errorf("the command is %q, want %q", p.Argv(), want)
				}
			}
			if _, err := b.(conform.Switchable).With([]string{"--approval-policy=perhaps"}); err == nil {
				t.Error("a wrong value was taken")
			}
		})
	}
}

func flagsOf(a conform.Adapter) []string {
	switch a := a.(type) {
	case referenceInProcess:
		return a.flags
	case referenceProcess:
		return a.flags
	}
	return nil
}
