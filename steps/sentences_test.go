package steps

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"acp-conform/features"
)

// told is a sentence of a feature file.
type told struct{ file, text string }

// allTold lists the sentences of all scenarios, outlines filled in.
func allTold(t *testing.T) (list []told) {
	t.Helper()
	var paths []string
	err := fs.WalkDir(features.FS, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(p) == ".feature" {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	suite := godog.TestSuite{Name: "sentences", Options: &godog.Options{FS: features.FS, Paths: paths}}
	parsed, err := suite.RetrieveFeatures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parsed {
		for _, pickle := range f.Pickles {
			for _, step := range pickle.Steps {
				list = append(list, told{f.Uri, step.Text})
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("the feature files tell nothing")
	}
	return list
}

// unused lists definitions that no feature uses, each with the reason why it is there all the same.
func unused() map[string]string {
	return map[string]string{
		`Muse thinks {text} and then {text}`:                                     "the counterpart of what Muse says in two pieces",
		`the editor will answer with the first choice of the kind {text}`:        "an answer that input.json knows too (approval-seam.md §6.2)",
		`the editor calls {text} without parameters`:                             "the counterpart of a call with parameters",
		`an adapter that gives an approval {n} ms to move while nobody is asked`: "an approval that does not move needs it",
		`Muse asks the user {text}, to be answered in words`:                     "the counterpart of a question with choices",
		`the editor will answer {text}, once it has been asked {n} times`:        "questions that are open together need it",
		`the editor will answer {text}, once the user has been shown {text}`:     "questions that are open while Muse talks need it",
		`the editor will answer {text}, once Muse has been called with {text}`:   "questions that are open while Muse is called need it",
		`the editor will answer {text}, once the turn has ended`:                 "answers that come too late need it",
		`the editor goes away while the question is open`:                        "the counterpart of going away when asked",
		`the editor will send the form with: {rest}`:                             "the counterpart of a result as it stands",
		`the editor dismisses the open form`:                                     "the counterpart of filling in an open form",
	}
}

// Every sentence of the feature files has exactly one meaning, and every meaning is used.
func TestSentencesAndDefinitions(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	var patterns []*regexp.Regexp
	for _, d := range Definitions() {
		patterns = append(patterns, regexp.MustCompile(d.Pattern()))
	}
	for _, sentence := range allTold(t) {
		var means []string
		for i, d := range Definitions() {
			if patterns[i].MatchString(sentence.text) {
				means = append(means, d.Sentence)
				used[d.Sentence] = true
			}
		}
		if len(means) != 1 {
			t.Errorf("%s: %q has %d meanings: %q", sentence.file, sentence.text, len(means), means)
		}
	}
	for _, d := range Definitions() {
		if reason, known := unused()[d.Sentence]; used[d.Sentence] == known {
			t.Errorf("%q: used %t, listed as unused %t (%s)", d.Sentence, used[d.Sentence], known, reason)
		}
	}
}

// No two definitions look alike, no definition is too long for a handler, and a Then says what it decides.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range Definitions() {
		if seen[d.Sentence] {
			t.Errorf("%q is defined twice", d.Sentence)
		}
		seen[d.Sentence] = true
		p := d.Pattern()
		if !strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$") {
			t.Errorf("the pattern of %q is not anchored: %s", d.Sentence, p)
		}
		if n := regexp.MustCompile(p).NumSubexp(); n != d.placeholders() {
			t.Errorf("%q catches %d times for %d placeholders", d.Sentence, n, d.placeholders())
		}
		if d.handler() == nil || d.run == nil {
			t.Errorf("%q does nothing", d.Sentence)
		}
		if i := strings.Index(d.Sentence, "{rest}"); i >= 0 && i+len("{rest}") != len(d.Sentence) {
			t.Errorf("%q has {rest} before its end", d.Sentence)
		}
		if ids := slices.Sorted(slices.Values(d.IDs)); len(slices.Compact(ids)) != len(d.IDs) {
			t.Errorf("%q names a requirement twice: %q", d.Sentence, d.IDs)
		}
	}
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		sentence, text string
		want           []string // nil: no match
	}{
		{`Muse says {text}`, `Muse says "a"`, []string{`a`}},
		{`Muse says {text}`, `Muse says ""`, []string{``}},
		{`Muse says {text}`, `Muse says "a \"b\" c"`, []string{`a \"b\" c`}},
		{`Muse says {text}`, `Muse says "a\\"`, []string{`a\\`}},
		{`Muse says {text}`, `Muse says "a" b"`, nil},
		{`Muse says {text}`, `Now Muse says "a"`, nil},
		{`Muse says {text}`, `Muse says "a" and then "b"`, nil},
		{`Muse says {text}`, `Muse says a`, nil},
		{`Muse says {text} and then {text}`, `Muse says "a" and then "b"`, []string{`a`, `b`}},
		{`there are {n} sessions`, `there are 12 sessions`, []string{`12`}},
		{`there are {n} sessions`, `there are -1 sessions`, nil},
		{`there are {n} sessions`, `there are 1.5 sessions`, nil},
		{`the line: {rest}`, `the line: {"a": "b"} `, []string{`{"a": "b"} `}},
		{`the line: {rest}`, `the line:`, []string{``}},
		{`the line: {rest}`, `the line:x`, nil},
		{`is it (a|b)? [c] ^d$ e.f*g+ {h}`, `is it (a|b)? [c] ^d$ e.f*g+ {h}`, []string{}},
		{`a.b`, `axb`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			m := regexp.MustCompile(Definition{Sentence: tt.sentence}.Pattern()).FindStringSubmatch(tt.text)
			if (m == nil) != (tt.want == nil) || m != nil && !slices.Equal(m[1:], tt.want) {
				t.Errorf("%q caught %q, want %q", tt.sentence, m, tt.want)
			}
		})
	}
}

// Only \" is an escape; every other backslash stands for itself, so that commands can be written as they are.
func TestUnescape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`a`: `a`, `a \"b\"`: `a "b"`, `printf 'x\n'`: `printf 'x\n'`, `a\\`: `a\\`, ``: ``} {
		if got := unescape(text); got != want {
			t.Errorf("unescape(%s) = %s, want %s", text, got, want)
		}
	}
}
