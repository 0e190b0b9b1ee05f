package fakemuse

import (
	"fmt"
	"strings"
	"testing"

	"acp-conform/wire"
)

// TestEveryVariant: a whole conversation goes well, and with valid frames, under every host variant.
func TestEveryVariant(t *testing.T) {
	t.Parallel()
	const script = `{"shells":[{"command":"echo mine"}],"branch":{"branch":"main","vcs":"git"},"turns":[{"steps":[
		{"think":"hm"},{"say":["a","b"]},
		{"tool":{"name":"bash","args":{"command":"echo x && echo y"},"approval":{"stages":[["echo","x"],["echo","y"]]}}},
		{"ask":{"questions":[{"id":"q","header":"h","question":"?","selection":{"mode":"multiple"},"options":[{"label":"a"},{"label":"b"}]}]}},
		{"retry":{"attempt":1,"maxAttempts":3,"retryDelayMs":10,"reason":"r"}},
		{"todos":[{"text":"x","status":"pending"}]},
		{"show":{"kind":"hookRun","status":"completed","hookKey":"k"}},
		{"tool":{"name":"write_file","args":{"path":"f","content":"c"},"approval":{}}}]},
		{"steps":[{"hang":true}]}]}`
	for _, variant := range VariantNames() {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, script, func(o *Options) { o.Variants = []string{variant} })
			c := s.serve()
			c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"},"capabilities":{"requestedCapabilities":["sessionListStream","userShell"]}}`)
			c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
			c.session()
			c.ok("session/setApprovalMode", c.inSession(`"mode":"onRequest"`))
			c.prompt("go")
			pending := func() string {
				s.quiet()
				return string(c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)))
			}
			approval := func() string {
				list := pending()
				_, rest, _ := strings.Cut(list, `"approvalId":"`)
				id, _, _ := strings.Cut(rest, `"`)
				if id == "" {
					t.Fatalf("nothing is pending: %s", list)
				}
				return id
			}
			id := approval()
			c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
			c.ok("session/resume", c.inSession(""))
			c.ok("approval/decide", decide(c.command(), id, 1, "allow_local_prefix", ""))
			s.await("the question is there", func(v wire.View) bool {
				for _, r := range v.Records() {
					if r.Frame.Method == "userInput/request" {
						return v.Idle()
					}
				}
				return false
			})
			_, rest, _ := strings.Cut(pending(), `"userInputId":"`)
			question, _, _ := strings.Cut(rest, `"`)
			c.ok("userInput/answer", c.inSession(fmt.Sprintf(`"userInputId":%q,"answers":[{"questionId":"q","selectedLabels":["a","b"]}]`, question)))
			c.ok("approval/decide", decide(c.command(), approval(), 0, "abort", `,"feedback":"no"`))
			s.quiet()
			read := c.ok("session/read", fmt.Sprintf(`{"sessionId":%q,"excludeItems":false}`, sessionOne))
			if variant != noLastTurn && wire.LookupString(read, "lastTurn", "terminal") != "completed" {
				t.Errorf("the session reads %s", read)
			}
			c.ok("session/resume", c.inSession(`"history":"snapshot"`))
			c.ok("session/userShell", c.inSession(`"commandText":"echo mine > mine"`))
			s.quiet()
			c.prompt("go")
			if err := c.end(); err != nil {
				t.Errorf("the host exits with %v", err)
			}
			if s.exists("f") || !s.exists("mine") {
				t.Error("the wrong tools acted")
			}
			s.noProblems()
		})
	}
}

// Commands are answered the same way again, also by the next host; so are rejections.
func TestSameCommandOverHosts(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"one"}]}]}`)
	c := s.open()
	start := fmt.Sprintf(`{"commandId":"start","sessionId":%q,"workspaceRoot":%q}`, sessionOne, s.workspace)
	made := c.ok("session/start", start)
	turn := fmt.Sprintf(`{"commandId":"turn","sessionId":%q,"input":[{"type":"text","text":"go"}]}`, sessionOne)
	ack := c.ok("turn/start", turn)
	c.terminal()
	cancel := fmt.Sprintf(`{"commandId":"cancel","sessionId":%q}`, sessionOne)
	refused := c.bad("turn/cancel", cancel, -32030, "commandRejected")
	c.end()
	s.awaitExit("exit 0")
	c = s.open()
	c.ok("session/resume", fmt.Sprintf(`{"commandId":"resume","sessionId":%q}`, sessionOne))
	at := len(c.seen)
	if again := c.ok("session/start", start); string(again) != string(made) {
		t.Errorf("session/start is answered %s, then %s", made, again)
	}
	if again := c.ok("turn/start", turn); string(again) != string(ack) {
		t.Errorf("turn/start is answered %s, then %s", ack, again)
	}
	if again := c.bad("turn/cancel", cancel, -32030, "commandRejected"); string(again) != string(refused) {
		t.Errorf("turn/cancel is answered %s, then %s", refused, again)
	}
	s.quiet()
	if n := len(c.methods()) - at; n != 3 {
		t.Errorf("%d frames for three answers: %v", n, c.methods()[at:])
	}
}

func TestUserShellNeedsItsGrant(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"shells":[{"command":"touch","approval":{}}],"turns":[]}`)
	c := s.open()
	c.session()
	e := c.bad("session/userShell", c.inSession(`"commandText":"touch x"`), -32010, "capabilityRequired")
	if got := wire.LookupString(e, "data", "capability"); got != "userShell" {
		t.Errorf("capability %q", got)
	}
	c = s.serve()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"},"capabilities":{"requestedCapabilities":["userShell"]}}`)
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
	c.ok("session/start", fmt.Sprintf(`{"commandId":"s","sessionId":"two","workspaceRoot":%q}`, s.workspace))
	c.ok("session/userShell", `{"commandId":"u","sessionId":"two","commandText":"touch x"}`)
	asked := c.until("approval/requested").Params
	if wire.LookupString(asked, "toolCallId") != "user_shell_u" || wire.LookupString(asked, "toolName") != "shell" || s.exists("x") {
		t.Errorf("asked: %s", asked)
	}
	id := wire.LookupString(asked, "approvalId")
	c.ok("approval/decide", fmt.Sprintf(`{"commandId":"d","sessionId":"two","approvalId":%q,"requirementId":{"approvalId":%q,"sourceIndex":0},"choiceId":"allow_once"}`, id, id))
	end := c.until("item/completed").Params
	if wire.LookupString(end, "item", "status") != "completed" || wire.LookupString(end, "item", "kind") != "userShell" || !s.exists("x") {
		t.Errorf("the line ends with %s", end)
	}
}

// A shell line that no user typed does not run, and is the adapter's fault.
func TestAShellLineOfTheAdapter(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[]}`)
	c := s.serve()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"},"capabilities":{"requestedCapabilities":["userShell"]}}`)
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
	c.session()
	c.ok("session/userShell", c.inSession(`"commandText":"touch evil"`))
	end := c.until("item/completed").Params
	s.quiet()
	if p := s.Problems(); s.exists("evil") || wire.LookupString(end, "item", "status") != "failed" || len(p) != 1 || p[0].Class != ProblemUnscripted {
		t.Errorf("the line ends with %s; problems %v", end, p)
	}
}
