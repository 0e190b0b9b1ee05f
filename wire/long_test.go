package wire_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"acp-conform/wire"
)

func TestLongText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		size    int
		want    string
	}{
		{"ab", 5, "ababa"},
		{"#é", 8, "1é2é3."},
		{"#é", 9, "1é2é3é"},
		{"😀", 3, "..."},
		{"x#/", 12, "x1/x2/x3/x4/"},
		{"#", 12, "123456789101"},
	}
	for _, tt := range tests {
		if got, err := wire.LongText(tt.pattern, tt.size); got != tt.want || err != nil {
			t.Errorf("%d bytes of %q are %q, %v", tt.size, tt.pattern, got, err)
		}
	}
	huge, err := wire.LongText("#·é€😀/", 1<<20+1)
	if err != nil || len(huge) != 1<<20+1 || !utf8.ValidString(huge) {
		t.Errorf("%d bytes, %v", len(huge), err)
	}
	for _, bad := range []struct {
		pattern string
		size    int
	}{{"", 1}, {"\xff", 1}, {"a", 0}, {"a", -1}, {"a", wire.MaxLongText + 1}} {
		if _, err := wire.LongText(bad.pattern, bad.size); err == nil {
			t.Errorf("%d bytes of %q can be made", bad.size, bad.pattern)
		}
	}
}

func shortened(data string) string {
	row := wire.Row{Entry: wire.Entry{Lane: wire.Client, Dir: wire.FromAdapter, Data: []byte(data)}}
	return string(wire.Shorten(wire.Transcript{row, {Gap: true}})[0].Data)
}

func hash(text string) string {
	return fmt.Sprintf("{string:%d:%x}", len(text), sha256.Sum256([]byte(text)))
}

func TestShorten(t *testing.T) {
	t.Parallel()
	limit, over := strings.Repeat("a", wire.ShortString), strings.Repeat("a", wire.ShortString+1)
	escaped := strings.Repeat(`\"\\\u0041`, 1000)
	tests := []struct{ name, data, want string }{
		{"short", `{"a":"b"}`, `{"a":"b"}`},
		{"at the limit", `{"a":"` + limit + `"}`, `{"a":"` + limit + `"}`},
		{"above it", `{"a":"` + over + `","b":1}`, `{"a":"` + hash(over) + `","b":1}`},
		{"two, and what is between", `["` + over + `",{"k":"v"},"` + over + `b"]`, `["` + hash(over) + `",{"k":"v"},"` + hash(over+"b") + `"]`},
		{"a name", `{"` + over + `":"x"}`, `{"` + hash(over) + `":"x"}`},
		{"escapes as they came", `["` + escaped + `"]`, `["` + hash(escaped) + `"]`},
		{"only a string", `"` + over + `"`, `"` + hash(over) + `"`},
		{"no JSON", `{"a":"` + over, `{"a":"` + over},
		{"a lookalike", `{"a":"` + hash("x") + `"}`, `{"a":"{` + hash("x") + `"}`},
		{"a lookalike of a lookalike", `{"a":"{` + hash("x") + `"}`, `{"a":"{{` + hash("x") + `"}`},
		{"a lookalike in no JSON", hash("x"), "{" + hash("x")},
		{"a lookalike beside a long text", `["` + hash(over) + `","` + over + `"]`, `["{` + hash(over) + `","` + hash(over) + `"]`},
		{"spaces and numbers", `{ "n" : 1.0, "a" :"` + over + `" }`, `{ "n" : 1.0, "a" :"` + hash(over) + `" }`},
	}
	seen := map[string]string{}
	for _, tt := range tests {
		got := shortened(tt.data)
		if got != tt.want {
			t.Errorf("%s: %.300s\nwant %.300s", tt.name, got, tt.want)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%s and %s cannot be told apart", tt.name, other)
		}
		seen[got] = tt.name
	}
}

// Every difference of one byte shows, wherever it is.
func TestShortenHidesNothing(t *testing.T) {
	t.Parallel()
	text, err := wire.LongText("#·é€😀/", 65537)
	if err != nil {
		t.Fatal(err)
	}
	whole := shortened(`{"a":"` + text + `"}`)
	for name, other := range map[string]string{
		"the first byte":  "x" + text[1:],
		"the last byte":   text[:len(text)-1] + "x",
		"one byte less":   text[:len(text)-1],
		"one byte more":   text + ".",
		"two parts moved": text[100:200] + text[:100] + text[200:],
		"an escape":       `\u0031` + text[1:],
	} {
		if shortened(`{"a":"`+other+`"}`) == whole {
			t.Errorf("%s does not show", name)
		}
	}
}

// What is printed of a shortened transcript is read as just that.
func TestShortenedIsParsed(t *testing.T) {
	t.Parallel()
	row := wire.Row{Entry: wire.Entry{Lane: wire.Client, Dir: wire.FromAdapter, Data: []byte(`{"a":"` + strings.Repeat("é", wire.ShortString) + `"}`)}}
	printed := wire.Shorten(wire.Transcript{row}).Print()
	parsed, err := wire.ParseTranscript(printed)
	if err != nil || len(parsed) != 1 || string(parsed.Print()) != string(printed) || len(printed) > 200 {
		t.Errorf("%s is read as %s, %v", printed, parsed.Print(), err)
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	text, err := wire.LongText("#é€😀/", 65537)
	if err != nil {
		t.Fatal(err)
	}
	brief := wire.Brief(text)
	if len(brief) > 250 || !strings.HasPrefix(brief, "1é€😀/2é") || !strings.Contains(brief, "(65537 bytes, SHA-256 ") || !utf8.ValidString(brief) {
		t.Error(brief)
	}
	if wire.Brief("short") != "short" {
		t.Error("a short text is changed")
	}
}
