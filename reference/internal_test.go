package reference

import (
	"encoding/json"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

func inputs(t *testing.T, blocks string) ([]muse.InputPart, error) {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(blocks), &raw); err != nil {
		t.Fatal(err)
	}
	return convert(raw)
}

func TestConvert(t *testing.T) {
	t.Parallel()
	img := func(data string) muse.InputPart {
		return muse.InputPart{Type: "image", MediaType: "image/png", Base64Data: data}
	}
	for name, c := range map[string]struct {
		blocks string
		want   []muse.InputPart
	}{
		"text":          {`[{"type":"text","text":" a\u2028b ","annotations":null,"_meta":{}}]`, []muse.InputPart{muse.TextPart(" a\u2028b ")}},
		"order":         {`[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"AA=="},{"type":"text","text":"b"}]`, []muse.InputPart{muse.TextPart("a"), img("AA=="), muse.TextPart("b")}},
		"empty dropped": {`[{"type":"text","text":""},{"type":"text","text":"b"}]`, []muse.InputPart{muse.TextPart("b")}},
		"link":          {`[{"type":"resource_link","uri":"file:///a","name":"a","size":0,"title":null,"_meta":{"x":1}}]`, []muse.InputPart{muse.TextPart(`Resource link: {"uri":"file:///a","name":"a","size":0,"title":null}`)}},
		"embedded text": {`[{"type":"resource","resource":{"uri":"file:///a","text":"x<y"}}]`, []muse.InputPart{muse.TextPart(`Embedded text resource: {"resource":{"uri":"file:///a","text":"x<y"}}`)}},
		"image blob":    {`[{"type":"resource","resource":{"uri":"u","mimeType":"image/png","blob":"AA=="}}]`, []muse.InputPart{muse.TextPart(`Embedded image resource: {"uri":"u","mimeType":"image/png"}`), img("AA==")}},
		"blob":          {`[{"type":"resource","resource":{"uri":"u","mimeType":"text/plain","blob":"AA=="}}]`, []muse.InputPart{muse.TextPart(`Embedded base64 resource: {"resource":{"uri":"u","mimeType":"text/plain","blob":"AA=="}}`)}},
	} {
		got, err := inputs(t, c.blocks)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, blocks := range map[string]string{
		"none": `[]`, "only empty": `[{"type":"text","text":""}]`, "audio": `[{"type":"audio","data":"AA==","mimeType":"audio/wav"}]`,
		"no type": `[{}]`, "scalar": `[1]`, "text of a kind": `[{"type":"text","text":1}]`, "no text": `[{"type":"text"}]`,
		"link without name": `[{"type":"resource_link","uri":"u"}]`, "no base64": `[{"type":"image","mimeType":"image/png","data":"?"}]`,
		"image type": `[{"type":"image","mimeType":"text/plain","data":"AA=="}]`, "blob type": `[{"type":"resource","resource":{"uri":"u","mimeType":"a/b","blob":"AA=="}}]`,
		"large": `[{"type":"resource","resource":{"uri":"u","text":"` + strings.Repeat("x", maxEmbedded) + `"}},{"type":"resource","resource":{"uri":"u","text":"x"}}]`,
	} {
		if got, err := inputs(t, blocks); err == nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestRawInputAndTitle(t *testing.T) {
	t.Parallel()
	for args, c := range map[string]struct{ raw, title string }{
		``:                                   {`{}`, "bash"},
		`{"n":1.50,"command":"c"}`:           {`{"n":1.50,"command":"c"}`, "c"},
		`{"description":"d","command":"c"}`:  {`{"description":"d","command":"c"}`, "d"},
		`{"description":"","path":"p"}`:      {`{"description":"","path":"p"}`, "p"},
		`[1]`:                                {``, "bash"},
		`"s"`:                                {``, "bash"},
		`{broken`:                            {`{"arguments":"{broken"}`, "bash"},
		`{"big":123456789012345678901234.0}`: {`{"big":123456789012345678901234.0}`, "bash"},
	} {
		raw := rawInput(args, false)
		if string(raw) != c.raw || titleOf("bash", raw, "") != c.title {
			t.Errorf("%s: got %s, %q", args, raw, titleOf("bash", raw, ""))
		}
	}
}

func TestStagedTitle(t *testing.T) {
	t.Parallel()
	stage := func(index int, position, total, argv, kind string) string {
		return `{"requirementId":{"approvalId":"a","sourceIndex":` + string(rune('0'+index)) + `},"position":` + position + `,"totalStages":` + total + `,"argv":` + argv + `,"resolution":{"kind":"` + kind + `"}}`
	}
	two := stage(0, "1", "4", `["echo","one"]`, "unresolved") + "," + stage(2, "3", "4", `["echo","a b<"]`, "unresolved")
	for name, c := range map[string]struct{ stages, want string }{
		"first of two":       {two, "Stage 1 of 4: echo one"},
		"one open":           {stage(0, "1", "2", `["a"]`, "unresolved") + "," + stage(1, "2", "2", `["b"]`, "known_safe"), ""},
		"no stage":           {"", ""},
		"position too large": {stage(0, "5", "4", `["a"]`, "unresolved") + "," + stage(1, "2", "4", `["b"]`, "unresolved"), ""},
		"position of a kind": {stage(0, `"1"`, "4", `["a"]`, "unresolved") + "," + stage(1, "2", "4", `["b"]`, "unresolved"), ""},
		"no arguments":       {stage(0, "1", "4", `[]`, "unresolved") + "," + stage(1, "2", "4", `["b"]`, "unresolved"), ""},
		"arguments of kinds": {stage(0, "1", "4", `["a",1]`, "unresolved") + "," + stage(1, "2", "4", `["b"]`, "unresolved"), ""},
		"quoted":             {stage(0, "1", "2", `["echo","a b<"]`, "x") + "," + stage(1, "2", "2", `["b"]`, "unresolved"), `Stage 1 of 2: echo "a b<"`},
	} {
		v := decode[muse.Approval]([]byte(`{"currentRequirementId":{"approvalId":"a","sourceIndex":0},"subject":{"kind":"shell","stages":[` + c.stages + `]}}`))
		if got := stagedTitle(v); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestKindsAndDenials(t *testing.T) {
	t.Parallel()
	c := func(decision, scope string) muse.Choice {
		return muse.Choice{ChoiceID: decision + scope, Decision: decision, Scope: scope}
	}
	for choice, want := range map[muse.Choice]acp.PermissionOptionKind{
		c("approved", "once"): "allow_once", c("approvedForSession", "session"): "allow_always", c("approved", "localPersistent"): "allow_always",
		c("approvedPolicyAmendment", "localPersistent"): "allow_always", c("denied", "once"): "reject_once", c("abort", "session"): "reject_once",
		c("denied", "localPersistent"): "reject_always", c("deniedPolicyAmendment", "once"): "reject_always",
		c("somethingNew", "once"): "allow_once", c("somethingNew", "session"): "allow_always",
	} {
		if got := optionKind(choice); got != want {
			t.Errorf("%s/%s: got %s, want %s", choice.Decision, choice.Scope, got, want)
		}
	}
	for name, t1 := range map[string]struct {
		choices []muse.Choice
		want    string
	}{
		"once first":     {[]muse.Choice{c("deniedPolicyAmendment", "localPersistent"), c("denied", "session"), c("abort", "once")}, "abortonce"},
		"then session":   {[]muse.Choice{c("deniedPolicyAmendment", "localPersistent"), c("denied", "session")}, "deniedsession"},
		"then the rest":  {[]muse.Choice{c("approved", "once"), c("deniedPolicyAmendment", "localPersistent")}, "deniedPolicyAmendmentlocalPersistent"},
		"unknown: never": {[]muse.Choice{c("approved", "once"), c("veto", "once")}, ""},
	} {
		if got, _ := narrowestDeny(t1.choices, false); got.ChoiceID != t1.want {
			t.Errorf("%s: got %q, want %q", name, got.ChoiceID, t1.want)
		}
	}
}

func TestEscalation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args, current, wrong string
		found                bool
	}{
		"plain":              {`{"command":"x"}`, "read-only", "", false},
		"null":               {`{"sandbox_permissions":null,"justification":null}`, "read-only", "", false},
		"no JSON":            {`x`, "read-only", "", false},
		"good":               {`{"sandbox_permissions":"danger-full-access","justification":"j"}`, "workspace-write", "", true},
		"no justification":   {`{"sandbox_permissions":"workspace-write"}`, "read-only", "invalid escalation: sandbox_permissions requires a justification", true},
		"only justification": {`{"justification":"j"}`, "read-only", "invalid escalation: justification is only valid together with sandbox_permissions", true},
		"blank":              {`{"sandbox_permissions":"workspace-write","justification":" \n"}`, "read-only", "invalid justification: expected a non-empty sentence", true},
		"of a kind":          {`{"sandbox_permissions":"workspace-write","justification":1}`, "read-only", "invalid justification: expected a non-empty sentence", true},
		"not wider":          {`{"sandbox_permissions":"workspace-write","justification":"j"}`, "danger-full-access", `sandbox escalation to "workspace-write" is not strictly wider than this call's current "danger-full-access" mode`, true},
	} {
		_, wrong, found := escalationOf(c.args, c.current)
		if wrong != c.wrong || found != c.found {
			t.Errorf("%s: got %q, %t", name, wrong, found)
		}
	}
}

func TestRedact(t *testing.T) {
	t.Parallel()
	got := redact("key sk-123456 at https://me:pw@host/x with Bearer abc.def", []string{"sk-123456"})
	if want := "key [redacted] at https://[redacted]@host/x with Bearer [redacted]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever comes as an answer, it grants only in the one way in which it may.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"outcome":{"outcome":"selected","optionId":"yes"}}`, `{"outcome":{"outcome":"cancelled"}}`, `{"outcome":{"optionId":"yes"}}`,
		`{"outcome":{"outcome":"selected","optionId":"no"}}`, `{"Outcome":{"outcome":"selected","optionId":"yes"}}`, `[]`, `null`,
	} {
		f.Add([]byte(s), []byte(nil))
		f.Add([]byte(nil), []byte(s))
	}
	offered := []option{{ID: "yes", Kind: acp.PermissionOptionKindAllowOnce}, {ID: "no", Kind: acp.PermissionOptionKindRejectOnce}}
	f.Fuzz(func(t *testing.T, result, failure []byte) {
		r := reply{result: result, err: failure}
		if len(failure) == 0 {
			r.err = nil
		}
		got := readAnswer(r, offered)
		if !got.outcome.Valid() {
			t.Fatalf("outcome %q", got.outcome)
		}
		if got.outcome != approval.AllowedOnce {
			return
		}
		var v map[string]any
		if r.err != nil || json.Unmarshal(result, &v) != nil {
			t.Fatalf("granted: %s, %s", result, failure)
		}
		o, _ := v["outcome"].(map[string]any)
		if o["outcome"] != "selected" || o["optionId"] != "yes" {
			t.Fatalf("granted: %s", result)
		}
	})
}

// Whatever a host publishes, reading it and asking about it does not fail, and all that is offered is the host's.
func FuzzApproval(f *testing.F) {
	f.Add([]byte(`{"currentRequirementId":{"approvalId":"a","sourceIndex":0},"rawArgs":"{}","availableChoices":[{"choiceId":"x"}],"subject":{"stages":[{"position":1,"argv":["a"]}]}}`))
	f.Add([]byte(`{"rawArgs":"{\"sandbox_permissions\":1}","availableChoices":null}`))
	s := &session{a: &adapter{}}
	f.Fuzz(func(t *testing.T, params []byte) {
		v := decode[muse.Approval](params)
		q := s.ownChoices(&pending{v: v})
		if len(q.Options) != len(v.Choices) {
			t.Fatalf("%d options of %d choices", len(q.Options), len(v.Choices))
		}
		if _, err := json.Marshal(q); err != nil {
			t.Fatal(err)
		}
		if choice, ok := narrowestDeny(v.Choices, false); ok && !denies(choice) {
			t.Fatalf("denies by %+v", choice)
		}
		if choice, ok := onceApproval(v.Choices); ok && (denies(choice) || optionKind(choice) != acp.PermissionOptionKindAllowOnce) {
			t.Fatalf("approves by %+v", choice)
		}
		escalationOf(v.RawArgs, "read-only")
		decode[muse.ItemParams](params)
		decode[muse.TurnCompleted](params)
	})
}

// A prompt never makes the converter fail otherwise than with an error, and never gives an empty input.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"u","blob":"AA=="}}]`))
	f.Fuzz(func(t *testing.T, blocks []byte) {
		items, ok := list(blocks)
		if !ok {
			return
		}
		parts, err := convert(items)
		if err == nil && len(parts) == 0 {
			t.Fatal("an empty input")
		}
	})
}
