package wire

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPrintAndParse(t *testing.T) {
	t.Parallel()
	muse := Lane{Name: "muse", N: 1}
	tests := []struct {
		name string
		row  Row
		want string
	}{
		{"request", Row{Entry: Entry{Lane: Client, Dir: ToAdapter, Data: []byte(`{"id":1}`)}}, `client ->   {"id":1}`},
		{"host frame", Row{Entry: Entry{Lane: muse, Dir: FromAdapter, Data: []byte(`{}`)}}, `muse 1 <-   {}`},
		{"plain argv", Row{Entry: Entry{Lane: muse, Dir: Start, Data: []byte(`["serve","--disable-write"]`)}}, `muse 1 +    serve --disable-write`},
		{"argv with a space", Row{Entry: Entry{Lane: muse, Dir: Start, Data: []byte(`["serve","a b"]`)}}, `muse 1 +    ["serve","a b"]`},
		{"exit", Row{Entry: Entry{Lane: muse, Dir: Exit, Data: []byte("exit 0")}}, `muse 1 -    exit 0`},
		{"carriage return", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte("{}\r")}}, `client <-!  {}\x0d`},
		{"no LF", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte(`{"a`), Partial: true}}, `client <-!  {"a\-`},
		{"backslash in an escaped row", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte("\\\x00")}}, `client <-!  \\\x00`},
		{"not UTF-8", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte{0xff}}}, `client <-!  \xff`},
		{"byte order mark", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte("\xef\xbb\xbf{}")}}, `client <-!  \xef\xbb\xbf{}`},
		{"leading space", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte(" {}")}}, `client <-!  \x20{}`},
		{"line separators are text", Row{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: []byte("a\u2028\u0085b")}}, "client <-   a\u2028\u0085b"},
		{"nothing", Row{Entry: Entry{Lane: Client, Dir: ToAdapter}}, "client ->   "},
		{"gap", Row{Gap: true}, "~"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := Transcript{tt.row}.Print()
			if diff := cmp.Diff(tt.want+"\n", string(text)); diff != "" {
				t.Fatalf("printed (-want +got):\n%s", diff)
			}
			back, err := ParseTranscript(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Transcript{tt.row}, back, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("parsed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseTranscriptNamesTheLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"no lane", "client ->   {}\n???\n", "line 2: \"???\" does not begin with the name of a lane"},
		{"unknown mark", "client =>   {}\n", "line 1: \"=>\" is none of the marks"},
		{"bad escape", "client <-!  a\\q\n", "line 1: column 2: a backslash"},
		{"bad byte", "client <-!  \\xzz\n", `line 1: column 1: "\\xzz" is no byte`},
		{"no data", "client ->\n", "line 1: no data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseTranscript([]byte(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got error %v, want one that begins with %q", err, tt.want)
			}
		})
	}
}

func FuzzPrintAndParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0"}`), byte(0), uint8(0), false)
	f.Add([]byte("a\\b\r\x00\xff"), byte(1), uint8(2), true)
	f.Add([]byte(`["serve","x"]`), byte(2), uint8(1), false)
	f.Add([]byte(" ~"), byte(3), uint8(1), false)
	f.Fuzz(func(t *testing.T, data []byte, dir byte, lane uint8, partial bool) {
		if bytes.ContainsRune(data, '\n') {
			t.Skip("a line cannot hold LF")
		}
		row := Row{Entry: Entry{Lane: Lane{Name: "muse", N: int(lane)}, Data: data}}
		switch row.Dir = []Dir{ToAdapter, FromAdapter, Start, Exit}[dir%4]; row.Dir {
		case ToAdapter, FromAdapter:
			row.Partial = partial
		case Start:
			row.Data = parseArgv(data)
		}
		want := Transcript{row, {Gap: true}, row}
		got, err := ParseTranscript(want.Print())
		if err != nil {
			t.Fatalf("printed %q: %v", want.Print(), err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
