package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func rows(lines ...string) Transcript {
	t, err := ParseTranscript([]byte(joinLines(lines)))
	if err != nil {
		panic(err)
	}
	return t
}

func joinLines(lines []string) string {
	var s string
	for _, l := range lines {
		s += l + "\n"
	}
	return s
}

func TestAliases(t *testing.T) {
	t.Parallel()
	const session = "0199c7b2-5a10-7c3e-9d41-2f1b6a7c8d90"
	tests := []struct {
		name string
		in   []string
		want []string
	}{
		{
			"identity is kept, earlier occurrences included",
			[]string{
				`client ->   {"jsonrpc":"2.0","method":"x","params":{"_meta":"` + session + `"}}`,
				`client <-   {"jsonrpc":"2.0","id":1,"result":{"sessionId":"` + session + `"}}`,
			},
			[]string{
				`client ->   {"jsonrpc":"2.0","method":"x","params":{"_meta":"{session:1}"}}`,
				`client <-   {"jsonrpc":"2.0","id":1,"result":{"sessionId":"{session:1}"}}`,
			},
		},
		{
			"ids at id positions only, each direction apart",
			[]string{
				`client ->   {"jsonrpc":"2.0","id":41,"method":"a","params":{"id":41}}`,
				`client <-   {"jsonrpc":"2.0","id":41,"method":"b"}`,
				`client <-   {"jsonrpc":"2.0","id":"q-7","method":"c"}`,
				`client ->   {"jsonrpc":"2.0","id":"q-7","result":{}}`,
				`client <-   {"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`,
			},
			[]string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"a","params":{"id":41}}`,
				`client <-   {"jsonrpc":"2.0","id":1,"method":"b"}`,
				`client <-   {"jsonrpc":"2.0","id":"{id:2}","method":"c"}`,
				`client ->   {"jsonrpc":"2.0","id":"{id:2}","result":{}}`,
				`client <-   {"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`,
			},
		},
		{
			"a folder beside the working directory keeps its name",
			[]string{`client ->   "/tmp/run/ws /tmp/run/ws/a /tmp/run/ws-b /tmp/run/ws.bak /tmp/run/ws2 /tmp/run/ws. x\n/tmp/run/ws"`},
			[]string{`client ->   "{cwd} {cwd}/a /tmp/run/ws-b /tmp/run/ws.bak /tmp/run/ws2 {cwd}. x\n{cwd}"`},
		},
		{
			"text that looks like an alias is escaped",
			[]string{`client ->   "{session:1} {cwd} {{cwd} {Cwd}"`},
			[]string{`client ->   "{{session:1} {{cwd} {{{cwd} {Cwd}"`},
		},
		{
			"an escaped alias before the id leaves the id in its place",
			[]string{`client ->   {"x":"{cwd}","jsonrpc":"2.0","id":77,"method":"a"}`},
			[]string{`client ->   {"x":"{{cwd}","jsonrpc":"2.0","id":1,"method":"a"}`},
		},
		{
			"an id that the client made up stays readable",
			[]string{`client ->   {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"no-such-session"}}`},
			[]string{`client ->   {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"no-such-session"}}`},
		},
		{
			"percent-encoded and JSON-escaped forms",
			[]string{`client ->   "/tmp/a b/ws %2Ftmp%2Fa%20b%2Fws /tmp/a%20b/ws"`},
			[]string{`client ->   "{odd} {odd|url} {odd|url}"`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := NewAliases()
			a.Know("cwd", "/tmp/run/ws")
			a.Know("odd", "/tmp/a b/ws")
			in := rows(tt.in...)
			a.LearnFrames(in)
			if diff := cmp.Diff(joinLines(tt.want), string(a.Apply(in).Print())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzAliasesNeverPanic(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"abcdefgh-1"}} abcdefgh-1`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := Transcript{{Entry: Entry{Lane: Client, Dir: FromAdapter, Data: data}}, {Gap: true}}
		a := NewAliases()
		a.LearnFrames(in)
		a.Apply(in)
	})
}
