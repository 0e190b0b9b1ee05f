package otheradapter

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{`"plain"`, "plain"},
		{`"a\"\\\/\b\f\n\r\t"`, "a\"\\/\b\f\n\r\t"},
		{`"кл\u044e\u0447 \ud83d\ude00😀"`, "ключ 😀😀"},
		{`7`, ""}, {``, ""}, {`"`, ""}, {`"\u12`, ""},
	} {
		if got := string(utf16.Decode(units(json.RawMessage(c.in)))); got != c.want {
			t.Errorf("units(%s) is %q, not %q", c.in, got, c.want)
		}
	}
}

func TestFlow(t *testing.T) {
	t.Parallel()
	type step struct {
		add, whole string // JSON strings; one of them
		last       bool
		want       []string
	}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"pieces, then the whole", []step{{add: `"Hel"`, want: []string{"Hel"}}, {add: `"lo you"`, want: []string{"lo ", "you"}}, {whole: `"Hello you"`, last: true}}},
		{"the whole alone", []step{{whole: `"a b "`, want: []string{"a ", "b "}}}},
		{"a whole in between", []step{{add: `"a"`, want: []string{"a"}}, {whole: `"ab"`, want: []string{"b"}}, {add: `"c"`, want: []string{"c"}}}},
		{"a whole that fell behind", []step{{add: `"abc"`, want: []string{"abc"}}, {whole: `"ab"`}, {add: `"d"`, want: []string{"d"}}}},
		{"another whole", []step{{add: `"abc"`, want: []string{"abc"}}, {whole: `"xyz1"`}}},
		{"a character in two halves", []step{{add: `"x\ud83d"`, want: []string{"x"}}, {add: `"\ude00"`, want: []string{"😀"}}}},
		{"half a character", []step{{add: `"\ud83d"`}, {whole: `"\ud83d"`, last: true, want: []string{"\uFFFD"}}}},
	} {
		f := &flow{}
		for i, s := range c.steps {
			if s.add != "" {
				f.add(units(json.RawMessage(s.add)))
			} else {
				f.replace(units(json.RawMessage(s.whole)))
			}
			if diff := cmp.Diff(s.want, f.fresh(s.last)); diff != "" {
				t.Errorf("%s, step %d (-want +got):\n%s", c.name, i+1, diff)
			}
		}
	}
}

func TestReadsLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want sort
		id   string
	}{
		{" \t\r", isNothing, ""},
		{"{bad", isGarbage, ""}, {"{}{}", isGarbage, ""}, {"\"\xff\"", isGarbage, ""},
		{"[]", isBatch, ""}, {"[1]", isBatch, ""},
		{"42", isNonsense, ""}, {"null", isNonsense, ""}, {"{}", isNonsense, ""},
		{`{"jsonrpc":"2.0","id":1}`, isNonsense, "1"},
		{`{"jsonrpc":"2.0","id":{},"method":"x"}`, isNonsense, ""},
		{`{"jsonrpc":"1.0","id":"a","method":"x"}`, isNonsense, `"a"`},
		{`{"jsonrpc":"2.0","id":7,"METHOD":"x"}`, isNonsense, "7"},
		{`{"jsonrpc":"2.0","id":7,"method":null}`, isNonsense, "7"},
		{`{"jsonrpc":"2.0","method":"x"}`, isNotice, ""},
		{`{"jsonrpc":"2.0","id":null,"method":"x"}` + "\r", isRequest, "null"},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}`, isRequest, "9007199254740993"},
		{`{"jsonrpc":"2.0","id":"q","result":null}`, isAnswer, `"q"`},
		{`{"jsonrpc":"2.0","id":"q","error":{}}`, isAnswer, `"q"`},
	} {
		m := read([]byte(c.line))
		if m.sort != c.want || string(m.id) != c.id {
			t.Errorf("%s is read as %d with the id %s", c.line, m.sort, m.id)
		}
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ decision, scope, kind string }{
		{"approved", "once", "allow_once"}, {"approvedForSession", "session", "allow_always"},
		{"approvedPolicyAmendment", "localPersistent", "allow_always"},
		{"abort", "once", "reject_once"}, {"denied", "session", "reject_once"},
		{"denied", "localPersistent", "reject_always"}, {"deniedPolicyAmendment", "once", "reject_always"},
		{"somethingNew", "once", "allow_once"}, {"somethingNew", "localPersistent", "allow_always"},
	} {
		if got := (choice{decision: c.decision, scope: c.scope}).kind(); got != c.kind {
			t.Errorf("%s for %s is shown as %s, not %s", c.decision, c.scope, got, c.kind)
		}
	}
	broad := choice{"never", "", "deniedPolicyAmendment", "localPersistent"}
	session := choice{"notNow", "", "denied", "session"}
	once := choice{"abort", "", "abort", "once"}
	yes := choice{"yes", "", "approved", "once"}
	unknown := choice{"new", "", "somethingNew", "once"}
	for _, c := range []struct {
		offered []choice
		want    string
	}{
		{[]choice{broad, yes, session, once}, "abort"}, {[]choice{yes, broad, session}, "notNow"}, {[]choice{broad, yes}, "never"},
		{[]choice{yes, unknown}, ""}, {nil, ""},
	} {
		got, can := (&ask{choices: c.offered}).narrowest()
		if got.id != c.want || can != (c.want != "") {
			t.Errorf("of %v the narrowest denial is %q", c.offered, got.id)
		}
	}
}

func TestCommandIDs(t *testing.T) {
	t.Parallel()
	a, b := commandID(), commandID()
	if a == b || len(a) != 36 || a[14] != '7' || !strings.ContainsRune("89ab", rune(a[19])) {
		t.Errorf("%s and %s are no two UUIDs of version 7", a, b)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud83d"}}`, `[{"id":[]}]`, "\x00", `"`, `{"id":}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m := read(line)
		for _, v := range m.batch {
			readValue(v)
		}
		if m.sort == isRequest && (m.id == nil || !json.Valid(m.id)) {
			t.Errorf("a request has the id %q", m.id)
		}
		if m.id != nil && !json.Valid(encoded(answerTo(m.id, nil, refuse(1, m.method)))) {
			t.Errorf("the answer to %q is no JSON", line)
		}
	})
}

func FuzzUnits(f *testing.F) {
	for _, seed := range []string{`"a\u00e9\n"`, `"\ud83d\ude00"`, `"\`, `""`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := units(raw)
		var want string
		if json.Unmarshal(raw, &want) != nil || !utf8.Valid(raw) || len(raw) == 0 || slices.Contains([]string{"null"}, strings.TrimSpace(string(raw))) {
			return
		}
		if text := string(utf16.Decode(got)); text != want {
			t.Errorf("%s is %q, not %q", raw, text, want)
		}
		if b := encoded(want); !json.Valid(b) || slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf }) {
			t.Errorf("%q is encoded as %q", want, b)
		}
	})
}
