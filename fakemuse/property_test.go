package fakemuse

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"acp-conform/wire"
)

// TestAnyClient: a client that sends anything in any order never hangs or crashes the fake. A model of the session says
// what has to hold whatever it sends:
//
//   - every request is answered exactly once, with a result or an error that has a kind; nothing else is answered;
//   - cursors of a session grow by one from event to event;
//   - a turn begins at most once and ends at most once; nothing belongs to it behind its end but its retraction;
//   - of all turns of a session one runs at a time;
//   - an approval and a question end at most once, and no tool acts before its approval is granted;
//   - the same command gets the same answer again;
//   - when the input ends, running turns end cancelled and the host exits with 0.
//
// All frames are valid: that is checked for every scene.
func TestAnyClient(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			anyClient(t, seed, 120)
		})
	}
}

// FuzzAnyClient does the same with seeds that the fuzzer chooses.
func FuzzAnyClient(f *testing.F) {
	f.Add(uint64(1), uint8(60))
	f.Fuzz(func(t *testing.T, seed uint64, steps uint8) { anyClient(t, seed, int(steps)) })
}

const anyScript = `{"skills":[{"selector":"s","displayName":"S","description":"d","source":"user"}],"turns":[
	{"prompt":"ask","repeat":true,"steps":[{"ask":{"questions":[{"id":"q","header":"h","question":"?","selection":{"mode":"single"},"options":[{"label":"a"}]}]}},{"say":"thanks"}]},
	{"prompt":"tool","repeat":true,"steps":[{"tool":{"name":"bash","args":{"command":"true"},"approval":{"stages":[["a"],["b"]]}}},{"say":["x","y"]}]},
	{"prompt":"both","repeat":true,"steps":[{"tools":[{"name":"bash","args":{"command":"true"},"approval":{}},{"name":"bash","args":{"command":"true"},"approval":{}},{"name":"x"}]},{"say":"z"}]},
	{"prompt":"hang","repeat":true,"steps":[{"say":{"chunks":["so"],"hang":true}}]},
	{"prompt":"fail","repeat":true,"steps":[{"fail":{"kind":"modelError","message":"m","retryable":true}}]},
	{"prompt":"late","repeat":true,"lateAck":true,"steps":[{"think":"t"}]},
	{"goal":"","steps":[{"say":"goal"}]},{"goal":"","steps":[{"hang":true}]},
	{"repeat":true,"steps":[{"say":"ok"}]}]}`

// wildClient makes requests up.
type wildClient struct {
	rand     *rand.Rand
	scene    *scene
	client   *client
	sessions []string
	requests map[string]string // id -> what was sent
	last     map[string]string // a command that was sent, by method
	serial   int
}

func (w *wildClient) pick(list ...string) string { return list[w.rand.IntN(len(list))] }

// known gives a value that the host minted for a member, or one that it did not.
func (w *wildClient) known(member string) string {
	values := []string{"nobody"}
	for _, r := range w.scene.log.Records() {
		if v := wire.LookupString(r.Frame.Params, member); v != "" {
			values = append(values, v)
		}
	}
	return values[w.rand.IntN(len(values))]
}

func (w *wildClient) params(method string) string {
	w.serial++
	session := w.pick(append(w.sessions, w.sessions[0], "nobody")...)
	members := []string{fmt.Sprintf(`"commandId":"w%d"`, w.serial), fmt.Sprintf(`"sessionId":%q`, session)}
	add := func(format string, args ...any) {
		if w.rand.IntN(10) > 0 { // sometimes something is missing
			members = append(members, fmt.Sprintf(format, args...))
		}
	}
	switch method {
	case "turn/start", "turn/steer":
		add(`"input":[{"type":"text","text":%q}]`, w.pick("ask", "tool", "both", "hang", "fail", "late", "plain", "ask"))
		add(`"expectedTurnId":%q`, w.known("turnId"))
		add(`"ifBusy":%q`, w.pick("queue", "steer", "replace", "never"))
	case "turn/cancel", "turn/interrupt", "turn/unqueue":
		add(`"turnId":%q`, w.known("turnId"))
		add(`"retract":%v`, w.rand.IntN(2) == 0)
	case "approval/decide":
		id := w.known("approvalId")
		add(`"approvalId":%q`, id)
		add(`"requirementId":{"approvalId":%q,"sourceIndex":%d}`, id, w.rand.IntN(3))
		add(`"choiceId":%q`, w.pick("allow_once", "allow_once", "abort", "allow_local_prefix", "x"))
	case "userInput/answer", "userInput/cancel", "userInput/clarify", "userInput/interrupt":
		add(`"userInputId":%q`, w.known("userInputId"))
		if method != "userInput/interrupt" {
			add(`"answers":[{"questionId":"q","selectedLabel":%q}]`, w.pick("a", "a", "b"))
		}
		add(`"clarification":{"content":"c","format":"text"}`)
	case "goal/set", "goal/edit":
		add(`"objective":"o"`)
	case "view/page":
		add(`"limit":%d`, w.rand.IntN(5))
		add(`"cursor":%q`, w.known("viewCursor"))
		add(`"direction":%q`, w.pick("forward", "backward"))
	case "view/subscribe":
		add(`"after":%q`, w.known("viewCursor"))
	case "session/start":
		add(`"approvalMode":%q`, w.pick("onRequest", "allowAll", "denyUnmatched", "promptUnmatched", "x"))
	case "session/setApprovalMode":
		add(`"mode":%q`, w.pick("onRequest", "promptUnmatched", "denyUnmatched"))
	case "session/setModel":
		add(`"model":{"modelId":"m"}`)
	case "session/setReasoningEffort":
		add(`"reasoningEffort":"low"`)
	case "session/resume":
		add(`"history":%q`, w.pick("auto", "snapshot", "anchored", "inline"))
		add(`"cursor":%q`, w.known("viewCursor"))
	case "session/rename":
		add(`"name":%q`, w.pick("a", "b", ""))
	case "skill/setActivation":
		add(`"selector":%q,"activation":"off","scope":"user"`, w.pick("s", "t"))
	case "item/readOutput":
		add(`"itemId":%q,"outputRef":"x"`, w.known("itemId"))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// line makes one line of input.
func (w *wildClient) line() string {
	switch w.rand.IntN(20) {
	case 0:
		return w.pick("", "{", "[]", "null", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":"initialized"}`, "\xff", `{"jsonrpc":"2.0","id":7,"result":{}}`,
			`{"jsonrpc":"2.0","id":1.5,"method":"x"}`, `{"jsonrpc":"2.0","method":"userInput/engaged","params":{"sessionId":"one","userInputId":"x"}}`)
	}
	methods := append(sortedNames(methodTable()), "initialize", "session/teleport", "turn/start", "turn/start", "turn/start", "approval/decide", "approval/decide")
	methods = slices.DeleteFunc(methods, func(m string) bool { return m == "session/userShell" })
	method := methods[w.rand.IntN(len(methods))]
	params := w.params(method)
	if again := w.last[method]; again != "" && w.rand.IntN(8) == 0 {
		params = again
	}
	w.last[method] = params
	id := fmt.Sprintf(`"r%d"`, len(w.requests)+1)
	w.requests[id] = method + " " + params
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

func anyClient(t *testing.T, seed uint64, steps int) {
	t.Helper()
	s := newScene(t, anyScript)
	w := &wildClient{
		rand: rand.New(rand.NewPCG(seed, 1)), scene: s, client: s.open(), sessions: []string{"one", "two"},
		requests: map[string]string{}, last: map[string]string{},
	}
	for _, id := range w.sessions {
		w.client.ok("session/start", fmt.Sprintf(`{"commandId":"start %s","sessionId":%q,"workspaceRoot":%q}`, id, id, s.workspace))
	}
	for range steps {
		w.client.write(w.line())
		if w.rand.IntN(3) == 0 {
			s.quiet()
		}
	}
	if err := w.client.end(); err != nil {
		t.Errorf("the host exits with %v", err)
	}
	m := sessionModel{t: t, requests: w.requests, deaf: map[string]bool{}}
	m.check(s.log.Records())
	for _, p := range s.Problems() {
		t.Errorf("problem: %v", p)
	}
	if t.Failed() {
		t.Log(s.dump())
	}
}

// sessionModel is what has to hold for sessions, whatever the client sends.
type sessionModel struct {
	t        *testing.T
	requests map[string]string
	deaf     map[string]bool // sessions that the client did not listen to for a while: what it missed it cannot know
}

func (m *sessionModel) check(records []wire.Record) {
	m.t.Helper()
	answers := map[string]int{}
	same := map[string]string{}
	cursors, running, ended := map[string]int{}, map[string]string{}, map[string]string{}
	started, resolved, granted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	asked := map[string]string{} // item -> approval
	for _, r := range records {
		f := r.Frame
		if r.Dir != wire.ToAdapter {
			continue
		}
		p := f.Params
		session, turn := wire.LookupString(p, "sessionId"), wire.LookupString(p, "turnId")
		if f.Kind == wire.Response {
			m.answer(f, answers, same)
			continue
		}
		if f.Method == "approval/requested" {
			asked[wire.LookupString(p, "itemId")] = wire.LookupString(p, "approvalId")
		}
		if f.Kind == wire.Request {
			continue
		}
		if n := cursorOf(session, wire.LookupString(p, "viewCursor")); n > cursors[session] {
			cursors[session] = n // less is a replay
		} else if n >= 0 {
			continue
		}
		switch f.Method {
		case "turn/started":
			if started[turn] || running[session] != "" && !m.deaf[session] {
				m.t.Errorf("turn %s begins, with %q running", turn, running[session])
			}
			started[turn], running[session] = true, turn
		case "turn/completed":
			if ended[turn] != "" || running[session] != turn && started[turn] && !m.deaf[session] {
				m.t.Errorf("turn %s ends a second time, or is not the running one", turn)
			}
			ended[turn], running[session] = wire.LookupString(p, "terminal"), ""
		case "approval/resolved", "userInput/settled":
			id := wire.LookupString(p, "approvalId") + wire.LookupString(p, "userInputId")
			if resolved[id] {
				m.t.Errorf("%s ends twice", id)
			}
			resolved[id] = true
			granted[id] = wire.LookupString(p, "policyResult") == "allow"
		case "item/started", "item/completed":
			of := wire.LookupString(p, "item", "turnId")
			if of != "" && ended[of] != "" {
				m.t.Errorf("%s for turn %s, which has ended", f.Method, of)
			}
			id := asked[wire.LookupString(p, "item", "itemId")]
			if f.Method == "item/completed" && id != "" && wire.LookupString(p, "item", "status") == "completed" && !granted[id] {
				m.t.Errorf("the tool of approval %s completed without a grant", id)
			}
		}
	}
	for id := range m.requests {
		if answers[id] != 1 {
			m.t.Errorf("request %s %s was answered %d times", id, m.requests[id], answers[id])
		}
	}
	for session, turn := range running {
		if turn != "" && !m.deaf[session] {
			m.t.Errorf("turn %s of session %s was not ended by the end of input", turn, session)
		}
	}
}

// answer checks one answer of the host.
func (m *sessionModel) answer(f wire.Frame, answers map[string]int, same map[string]string) {
	m.t.Helper()
	id := string(f.ID)
	answers[id]++
	if f.Error != nil && wire.LookupString(f.Error, "data", "kind") == "" {
		m.t.Errorf("the error %s has no kind", f.Error)
	}
	request := m.requests[id]
	if params, is := strings.CutPrefix(request, "view/unsubscribe "); is && f.Error == nil {
		m.deaf[wire.LookupString(json.RawMessage(params), "sessionId")] = true
	}
	command := strings.Contains(request, `"commandId"`) && !strings.HasPrefix(request, "session/resume") && f.Error == nil
	for _, read := range []string{"session/read", "session/list", "model/list", "view/", "approval/listPending", "skill/list", "hook/list", "plugin/list", "usage/read", "item/", "initialize"} {
		command = command && !strings.HasPrefix(request, read)
	}
	if !command || !json.Valid([]byte(strings.SplitN(request, " ", 2)[1])) {
		return
	}
	if earlier, there := same[request]; there && earlier != string(f.Result) {
		m.t.Errorf("%s was answered %s, then %s", request, earlier, f.Result)
	}
	same[request] = string(f.Result)
}
