package fakemuse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dial connects to a server as a peer that is no stand-in of ours, sends bytes and gives what comes back.
func dial(t *testing.T, s *scene, sent []byte) (kind byte, payload string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := conn.Write(sent); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	k, p, err := readMessage(in)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	if k == msgRefused {
		if rest, _ := io.ReadAll(in); len(rest) > 0 {
			t.Errorf("after the refusal came %q", rest)
		}
	}
	return k, string(p)
}

func helloOf(t *testing.T, h hello) []byte {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return appendMessage(nil, msgHello, text)
}

func TestRefusedPeers(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"wait":"peers are gone"},{"say":"still here"}]}]}`, func(o *Options) { o.HelloTime = 200 * time.Millisecond })
	c := s.open()
	c.session()
	c.prompt("go")
	var live hello
	s.mu.Lock()
	for p := range s.peers {
		live = hello{Token: s.token, Nonce: p.nonce, Kind: "serve", Argv: []string{"serve"}, PID: p.pid}
	}
	s.mu.Unlock()
	wrongToken, otherNonce, otherPID, oddKind := live, live, live, live
	wrongToken.Token, wrongToken.Nonce, wrongToken.PID = "guess", "new", 1
	otherNonce.Nonce = "another"
	otherPID.PID = 1 << 22
	oddKind.Kind, oddKind.Nonce, oddKind.PID = "spy", "third", 1<<22+1
	tests := []struct {
		name    string
		sent    []byte
		problem string
	}{
		{"wrong token", helloOf(t, wrongToken), "wrong token"},
		{"same process", helloOf(t, otherNonce), "already here"},
		{"same nonce", helloOf(t, otherPID), "identity of an earlier one"},
		{"no identity", helloOf(t, hello{Token: s.token, Kind: "serve"}), "without an identity"},
		{"unknown kind", helloOf(t, oddKind), `wants "spy"`},
		{"garbage", []byte("GET / HTTP/1.1\r\n\r\n"), "unknown byte 0x47"},
		{"no hello", appendMessage(nil, msgData, []byte("x")), "began with the message 'd'"},
		{"no JSON", appendMessage(nil, msgHello, []byte("{")), "cannot be read"},
		{"silence", nil, "nothing came within"},
		{"half a message", []byte{msgHello, 0, 0}, "nothing came within"},
		{"a boast", []byte{msgHello, 0xff, 0xff, 0xff, 0xff}, "more than the limit"},
	}
	for i, tt := range tests {
		if kind, line := dial(t, s, tt.sent); kind != msgRefused || line == "" {
			t.Errorf("%s: the answer is %q %q", tt.name, kind, line)
		}
		if p := s.Problems(); len(p) != i+1 || p[i].Class != ProblemPeer || !strings.Contains(p[i].Text, tt.problem) {
			t.Errorf("%s: problems are %v", tt.name, p)
		}
	}
	if text := strings.Join(problemTexts(s), " "); strings.Contains(text, s.token) {
		t.Error("a problem tells the token")
	}
	s.Release("peers are gone")
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

func problemTexts(s *scene) []string {
	var texts []string
	for _, p := range s.Problems() {
		texts = append(texts, p.String())
	}
	return texts
}

// A stand-in that is let in and then speaks garbage is dropped, and recorded as such.
func TestGarbageAfterHello(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string][]byte{
		"unknown byte":  []byte("?????"),
		"wrong message": appendMessage(nil, msgExit, []byte{0}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, "")
			h := hello{Token: s.token, Nonce: "n", Kind: "serve", Argv: []string{"serve"}, PID: 1 << 22}
			if kind, _ := dial(t, s, append(helloOf(t, h), sent...)); kind != msgWelcome {
				t.Fatalf("the answer is %q", kind)
			}
			s.awaitExit("lost")
			if p := s.Problems(); len(p) != 1 || p[0].Class != ProblemPeer || p[0].Lane != "muse 1" {
				t.Errorf("problems: %v", p)
			}
		})
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("x"), 3*dataPiece+1)
	buf := appendMessage(nil, msgHello, []byte("a"))
	buf = appendData(buf, long)
	buf = appendMessage(buf, msgEOF, nil)
	in := bufio.NewReader(bytes.NewReader(buf))
	var kinds []byte
	var data []byte
	for {
		kind, payload, err := readMessage(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, kind)
		if kind == msgData {
			data = append(data, payload...)
		}
	}
	if diff := cmp.Diff("hdddde", string(kinds)); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(data, long) {
		t.Error("the data is not what was sent")
	}
}

// FuzzReadMessage: whatever comes over a connection, reading ends, and what is read is what would be written.
func FuzzReadMessage(f *testing.F) {
	f.Add([]byte{})
	f.Add(appendMessage(nil, msgData, []byte("hello")))
	f.Add(appendMessage(appendData(nil, []byte("a")), msgExit, []byte{3}))
	f.Add([]byte{msgHello, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{msgHello, 0, 1, 0, 1, 'x'})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReader(bytes.NewReader(data))
		var again []byte
		for {
			kind, payload, err := readMessage(in)
			if err != nil {
				break
			}
			again = appendMessage(again, kind, payload)
		}
		if !bytes.HasPrefix(data, again) {
			t.Errorf("read %q from %q", again, data)
		}
	})
}

func TestInstall(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	for name, want := range map[string]os.FileMode{"": 0o700, linkFile: 0o600} {
		info, err := os.Stat(s.Dir() + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%q has the mode %v, want %v", name, got, want)
		}
	}
}

func TestCopyInsteadOfLink(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir() + "/muse"
	if err := copyProgram(own, to); err != nil {
		t.Fatal(err)
	}
	s := newScene(t, "")
	cmd := s.command("--version")
	cmd.Path, cmd.Args[0] = to, "muse"
	out, err := cmd.Output()
	if err != nil || string(out) != DefaultVersion+"\n" {
		t.Errorf("a copy without a server says %q, %v", out, err)
	}
}

func TestIsStandIn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args       []string
		executable string
		want       bool
	}{
		{[]string{"muse"}, "/x/acp-conform", true},
		{[]string{"/a/b/muse", "serve"}, "/a/b/muse", true},
		{[]string{"anything"}, "/a/b/muse", true},
		{[]string{"/a/muse.exe"}, "", true},
		{nil, "/a/b/muse", true},
		{nil, "", false},
		{[]string{"acp-conform", "muse"}, "/x/acp-conform", false},
		{[]string{"fakemuse.test"}, "/tmp/muse/fakemuse.test", false},
		{[]string{"muse2"}, "/x/musegear", false},
	} {
		if got := isStandIn(tt.args, tt.executable); got != tt.want {
			t.Errorf("isStandIn(%q, %q) is %v", tt.args, tt.executable, got)
		}
	}
}
