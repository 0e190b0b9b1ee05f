package runner

import (
	"strings"
	"testing"

	"acp-conform/conform"
)

// An adapter that never shows a form is excused from every scenario about what comes of one, whatever its steps wait for;
// as the reference adapter it is not.
func TestFormlessAdapter(t *testing.T) {
	t.Parallel()
	suite, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	selected, err := suite.Plan.Select(nil, []string{"form-answered", "form-several-choices", "form-not-answered", "form-late-answer", "close-while-form-is-open", "resume-late-form"})
	if err != nil {
		t.Fatal(err)
	}
	for _, isReference := range []bool{false, true} {
		adapter, err := ReferenceInProcess("--fault=shows-no-form")
		if err != nil {
			t.Fatal(err)
		}
		engine := suite.Engine(adapter, isReference)
		result, err := suite.Run(engine, selected, 4).Do(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var failed []string
		for _, sc := range result.Scenarios {
			if sc.Verdict == conform.Fail {
				failed = append(failed, sc.Name)
			}
			if !isReference && (sc.Verdict != conform.NotApplicable || !strings.Contains(sc.Reason, "it shows no forms") && !strings.Contains(sc.Reason, "the reference adapter")) {
				t.Errorf("%s: %s, %s", sc.Name, sc.Verdict, sc.Reason)
			}
		}
		if isReference && len(failed) < 4 {
			t.Errorf("as the reference it fails %q only", failed)
		}
	}
}
