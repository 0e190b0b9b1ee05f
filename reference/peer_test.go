//go:build unix

package reference_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// peer is a small host that plays one of the scripts below. It runs as a process of its own: the test binary, under
// the name muse.
type peer struct {
	dir     string
	in      *bufio.Scanner
	frames  *os.File
	session string
	cwd     string
	turn    string
	cursor  int
	nextID  int
	args    []string // what stands behind the script's name, between colons
	model   json.RawMessage
}

type frame struct {
	raw    string
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// param is a member of the params, as JSON text.
func (f frame) param(name string) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(f.Params, &m)
	return string(m[name])
}

func unquote(s string) string {
	var out string
	_ = json.Unmarshal([]byte(s), &out)
	return out
}

// playPeer is the main of the host process.
func playPeer(exe string) int {
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		return 2
	}
	dir := filepath.Dir(exe)
	name, err := os.ReadFile(filepath.Join(dir, "script"))
	if err != nil {
		return 2
	}
	frames, err := os.OpenFile(filepath.Join(dir, "frames"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 2
	}
	fmt.Fprintf(frames, "+ %s\n", strings.Join(os.Args[1:], " "))
	_ = os.WriteFile(filepath.Join(dir, "pid"), fmt.Append(nil, os.Getpid()), 0o600)
	p := &peer{dir: dir, in: bufio.NewScanner(os.Stdin), frames: frames, model: json.RawMessage(`{}`)}
	p.in.Buffer(nil, 64<<20)
	words := strings.Split(string(name), ":")
	p.args = words[1:]
	script := scripts()[words[0]]
	if script == nil {
		script = moreScripts()[words[0]]
	}
	if script == nil {
		script = seamScripts()[words[0]]
	}
	if script == nil {
		return 2
	}
	script(p)
	for p.in.Scan() { // until stdin is closed
		fmt.Fprintf(p.frames, "%s\n", p.in.Text())
		var f frame
		if json.Unmarshal(p.in.Bytes(), &f) == nil {
			p.routine(f)
		}
	}
	fmt.Fprintf(frames, "-\n")
	return 0
}

func (p *peer) send(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func (p *peer) ok(f frame, result string) {
	p.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, f.ID, result)
}

func (p *peer) refuse(f frame, code int, kind string) {
	p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"secret host text","data":{"kind":%q}}}`, f.ID, code, kind)
}

func (p *peer) ack(f frame, more string) {
	p.ok(f, fmt.Sprintf(`{"commandId":%s,"status":"accepted"%s}`, f.param("commandId"), more))
}

// event sends a view event of the bound session.
func (p *peer) event(method, params string) {
	p.cursor++
	p.send(`{"jsonrpc":"2.0","method":%q,"params":{"sessionId":%q,"viewCursor":"v:%d",%s},"emittedAtMs":1}`, method, p.session, p.cursor, params)
}

func (p *peer) info() string {
	var m struct {
		Model struct {
			ModelID    string `json:"modelId"`
			ProviderID string `json:"providerId"`
		} `json:"model"`
	}
	_ = json.Unmarshal(p.model, &m)
	return fmt.Sprintf(`{"session":{"sessionId":%q,"workspaceRoot":%q,"modelId":%q,"providerId":%q,"activeTurnId":null},"pendingRequests":[]}`,
		p.session, p.cwd, m.Model.ModelID, m.Model.ProviderID)
}

// routine answers what every turn begins and ends with. It reports false for anything else.
func (p *peer) routine(f frame) bool {
	switch f.Method {
	case "initialize":
		p.ok(f, `{"schema":{"version":1,"fingerprint":"sha256:0"},"serverInfo":{"name":"muse","version":"1.1.1"}}`)
	case "model/list":
		p.ok(f, `{"models":[]}`)
	case "session/resume":
		if _, err := os.Stat(filepath.Join(p.dir, "stored")); err == nil {
			p.session = unquote(f.param("sessionId"))
			data, _ := os.ReadFile(filepath.Join(p.dir, "stored"))
			p.cwd = string(data)
			p.ok(f, p.info())
			break
		}
		p.refuse(f, -32020, "sessionNotFound")
	case "session/start":
		p.session, p.cwd = unquote(f.param("sessionId")), unquote(f.param("workspaceRoot"))
		_ = os.WriteFile(filepath.Join(p.dir, "stored"), []byte(p.cwd), 0o600)
		p.ok(f, p.info())
	case "session/setModel":
		p.model = f.Params
		p.ack(f, "")
	case "session/read":
		p.ok(f, p.info())
	case "session/setApprovalMode":
		p.ack(f, `,"applyOutcome":"completed"`)
	case "turn/cancel":
		p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
		p.end("cancelled", "")
	case "initialized", "":
	default:
		return false
	}
	return true
}

// await answers routine calls until one with that method comes. A stream that ends ends the process.
func (p *peer) await(method string) frame {
	for p.in.Scan() {
		fmt.Fprintf(p.frames, "%s\n", p.in.Text())
		f := frame{raw: p.in.Text()}
		if json.Unmarshal(p.in.Bytes(), &f) != nil {
			continue
		}
		if f.Method == method {
			return f
		}
		p.routine(f)
	}
	fmt.Fprintf(p.frames, "-\n")
	os.Exit(0)
	return frame{}
}

// begin waits for a turn and acknowledges it.
func (p *peer) begin() {
	f := p.await("turn/start")
	p.turn = unquote(f.param("commandId"))
	p.ack(f, fmt.Sprintf(`,"turnId":%q,"disposition":"started"`, p.turn))
	p.started()
}

func (p *peer) started() {
	p.event("turn/started", fmt.Sprintf(`"turnId":%q,"commandId":%q`, p.turn, p.turn))
}

func (p *peer) end(terminal, more string) {
	p.event("turn/completed", fmt.Sprintf(`"turnId":%q,"terminal":%q%s`, p.turn, terminal, more))
}

func (p *peer) item(event, id, kind string, revision int, status, more string) {
	p.event("item/"+event, fmt.Sprintf(`"item":{"itemId":%q,"kind":%q,"turnId":%q,"revision":%d,"status":%q%s}`, id, kind, p.turn, revision, status, more))
}

func (p *peer) delta(id, field, text string) {
	p.event("item/delta", fmt.Sprintf(`"itemId":%q,"field":%q,"delta":%q`, id, field, text))
}

func (p *peer) text(id, text string) {
	p.item("completed", id, "agentMessage", 1, "completed", fmt.Sprintf(`,"text":%q`, text))
}

func (p *peer) tool(call, args string) {
	p.item("started", "i-"+call, "toolCall", 1, "inProgress", fmt.Sprintf(`,"tool":"bash","callId":%q,"args":%q`, call, args))
}

func (p *peer) toolDone(call, args, status, more string) {
	p.item("completed", "i-"+call, "toolCall", 2, status, fmt.Sprintf(`,"tool":"bash","callId":%q,"args":%q%s`, call, args, more))
}

const plainChoices = `[{"choiceId":"allow_once","label":"Allow once","decision":"approved","scope":"once"},` +
	`{"choiceId":"deny_forever","label":"Never","decision":"deniedPolicyAmendment","scope":"localPersistent"},` +
	`{"choiceId":"abort","label":"Reject","decision":"abort","scope":"once","acceptsFeedback":true}]`

func (p *peer) approvalParams(call, args, choices string, stage int) string {
	return fmt.Sprintf(`"approvalId":"a-%[1]s","turnId":%[2]q,"taskId":"t-%[1]s","itemId":"i-%[1]s","toolCallId":%[1]q,"toolName":"bash",`+
		`"rawArgs":%[3]q,"currentRequirementId":{"approvalId":"a-%[1]s","sourceIndex":%[5]d},"availableChoices":%[4]s,`+
		`"subject":{"kind":"shell"},"protectedWrite":false,"judgeEscalated":false`, call, p.turn, args, choices, stage)
}

// ask publishes an approval twice, as hosts do: as a notification and as a request.
func (p *peer) ask(call, args, choices string) {
	params := p.approvalParams(call, args, choices, 0)
	p.event("approval/requested", params)
	p.nextID++
	p.send(`{"jsonrpc":"2.0","id":%d,"method":"approval/request","params":{"sessionId":%q,%s}}`, p.nextID, p.session, params)
}

// settle answers a decision and ends the tool by it.
func (p *peer) settle(f frame, call, args string) {
	p.ack(f, fmt.Sprintf(`,"approvalId":"a-%s","terminal":true`, call))
	decision := "approved"
	if f.param("choiceId") != `"allow_once"` {
		decision = "abort"
	}
	p.event("approval/resolved", fmt.Sprintf(`"approvalId":"a-%s","turnId":%q,"decision":%q`, call, p.turn, decision))
	if decision == "approved" {
		_ = os.WriteFile(filepath.Join(p.dir, "marker-"+call), nil, 0o600)
		p.toolDone(call, args, "completed", `,"visibleOutput":"done\n"`)
		return
	}
	feedback := f.param("feedback")
	if feedback == "" {
		feedback = `"tool denied: approval aborted"`
	}
	p.toolDone(call, args, "rejected", `,"failureReason":"approval aborted","visibleOutput":`+feedback)
}

// readFrame reads a line of the adapter.
func readFrame(line []byte) (frame, bool) {
	f := frame{raw: string(line)}
	return f, json.Unmarshal(line, &f) == nil
}
