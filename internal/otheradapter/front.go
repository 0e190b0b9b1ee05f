package otheradapter

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// front is the client's side: it reads lines, answers what can be answered at once, and hands the rest to sessions.
type front struct {
	out    *mailbox[[]byte]
	keeper *keeper
	work   *sync.WaitGroup // the sessions' goroutines

	mu    sync.Mutex
	talks map[string]*talk
	going map[*talk]bool           // sessions that are being closed
	shelf map[string]*talk         // closed ones, for whoever wants to go on
	asked map[string]func(message) // open requests of ours
	asks  int
	shut  bool // no session is made any more

	// What the lines of one read amount to; the reader's alone.
	begun bool
	post  []delivery
}

// delivery is one thing to be done by a session.
type delivery struct {
	to *talk
	do func()
}

// sink takes the response to one request.
type sink func(response)

func (f *front) send(v any) { f.out.put(append(encoded(v), '\n')) }

// listen reads until the end of the input. The lines that one read brings are delivered together.
func (f *front) listen(in io.Reader) {
	buf := make([]byte, 64<<10)
	var rest []byte
	looked := 0
	for {
		n, err := in.Read(buf)
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.IndexByte(rest[looked:], '\n')
			if i < 0 {
				looked = len(rest)
				break
			}
			f.line(bytes.Clone(rest[:looked+i]))
			rest, looked = rest[looked+i+1:], 0
		}
		f.deliver()
		if err != nil {
			return
		}
	}
}

// deliver posts what the lines of one read amount to: all of a session's in one go.
func (f *front) deliver() {
	for len(f.post) > 0 {
		var all []func()
		var others []delivery
		first := f.post[0].to
		for _, d := range f.post {
			if d.to == first {
				all = append(all, d.do)
			} else {
				others = append(others, d)
			}
		}
		first.inbox.put(all...)
		f.post = others
	}
}

func (f *front) line(line []byte) {
	direct := func(r response) { f.send(r) }
	switch m := read(line); m.sort {
	case isNothing:
	case isGarbage:
		direct(answerTo(nil, nil, refuse(codeUnreadable, "that was no JSON")))
	case isBatch:
		f.batch(m.batch)
	default:
		f.message(m, direct)
	}
}

// batch answers the requests of an array with one array, once the last of them is answered.
func (f *front) batch(values []json.RawMessage) {
	if len(values) == 0 {
		f.send(answerTo(nil, nil, refuse(codeNoRequest, "an empty batch asks for nothing")))
		return
	}
	var mu sync.Mutex
	var all []response
	due := 0
	var messages []message
	for _, v := range values {
		m := readValue(v)
		messages = append(messages, m)
		if m.sort == isRequest || m.sort == isNonsense {
			due++
		}
	}
	collect := func(r response) {
		mu.Lock()
		defer mu.Unlock()
		if all = append(all, r); len(all) == due {
			f.send(all)
		}
	}
	for _, m := range messages {
		f.message(m, collect)
	}
}

func (f *front) message(m message, to sink) {
	switch m.sort {
	case isNonsense:
		to(answerTo(m.id, nil, refuse(codeNoRequest, "that is no JSON-RPC 2.0 message")))
	case isAnswer:
		f.answered(m)
	case isNotice:
		if m.method == "session/cancel" {
			f.cancel(asObject(m.params))
		}
	case isRequest:
		f.request(m, to)
	}
}

func (f *front) request(m message, to sink) {
	known := map[string]func(object, message, sink) *refusal{
		"initialize": f.initialize, "session/new": f.newSession, "session/prompt": f.prompt,
		"session/close": f.close, "session/resume": f.resume,
		"session/cancel": func(o object, m message, to sink) *refusal {
			f.cancel(o)
			to(answerTo(m.id, struct{}{}, nil))
			return nil
		},
	}
	serve := known[m.method]
	problem := refuse(codeNoMethod, "there is no method "+strconv.QuoteToASCII(m.method))
	switch params := asObject(m.params); {
	case serve == nil:
	case params == nil:
		problem = refuse(codeBadParams, "the params must be an object")
	case m.method != "initialize" && !f.begun:
		problem = refuse(codeNoRequest, "initialize comes first")
	default:
		problem = serve(params, m, to)
	}
	if problem != nil {
		to(answerTo(m.id, nil, problem))
	}
}

func (f *front) initialize(o object, m message, to sink) *refusal {
	if v, whole := o.integer("protocolVersion"); !whole || v < 0 || v > 65535 {
		return refuse(codeBadParams, "protocolVersion must be a whole number from 0 to 65535")
	}
	f.begun = true
	f.keeper.dialogs.Store(o.object("clientCapabilities").object("elicitation").object("form") != nil)
	to(answerTo(m.id, map[string]any{
		"protocolVersion": 1,
		"authMethods":     []any{},
		"agentInfo":       map[string]string{"version": "2", "name": "second-opinion"},
		"agentCapabilities": map[string]any{
			"sessionCapabilities": map[string]any{"resume": struct{}{}, "close": struct{}{}},
			"promptCapabilities":  map[string]bool{"embeddedContext": true},
		},
	}, nil))
	return nil
}

func (f *front) newSession(o object, m message, to sink) *refusal {
	cwd, problem := folderOf(o)
	if problem != nil {
		return problem
	}
	t := newTalk(f, cwd)
	if problem := f.enliven(t); problem != nil {
		return problem
	}
	to(answerTo(m.id, map[string]string{"sessionId": t.id}, nil))
	return nil
}

// folderOf reads where a session shall work.
func folderOf(o object) (string, *refusal) {
	cwd, isText := o.textOr("cwd")
	if !isText || !filepath.IsAbs(cwd) {
		return "", refuse(codeBadParams, "cwd must be an absolute path")
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return "", refuse(codeBadParams, "cwd is no folder: "+cwd)
	}
	if len(o.list("additionalDirectories")) > 0 || len(o.list("mcpServers")) > 0 {
		return "", refuse(codeBadParams, "a session has one folder and no MCP servers here")
	}
	return cwd, nil
}

// enliven makes a session known and begins its goroutine.
func (f *front) enliven(t *talk) *refusal {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return refuse(codeNoRequest, "this adapter is about to end")
	}
	delete(f.shelf, t.id)
	f.talks[t.id] = t
	f.work.Add(1)
	go func() {
		defer f.work.Done()
		t.live()
	}()
	return nil
}

func (f *front) talk(o object) *talk {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.talks[o.text("sessionId")]
}

func (f *front) prompt(o object, m message, to sink) *refusal {
	t := f.talk(o)
	if t == nil {
		return refuse(codeBadParams, "there is no such session")
	}
	parts, problem := inputOf(o.list("prompt"))
	if problem != nil {
		return problem
	}
	f.post = append(f.post, delivery{t, func() { t.prompt(parts, m.id, to) }})
	return nil
}

func (f *front) cancel(o object) {
	if t := f.talk(o); t != nil {
		f.post = append(f.post, delivery{t, t.cancel})
	}
}

// ask sends a request to the client. The function gets the answer; it is called at most once, in the goroutine of the
// session.
func (f *front) ask(t *talk, method string, params any, done func(message)) (id string) {
	f.mu.Lock()
	f.asks++
	id = "question-" + strconv.Itoa(f.asks)
	f.asked[id] = func(m message) { f.post = append(f.post, delivery{t, func() { done(m) }}) }
	f.mu.Unlock()
	f.send(outgoing{ID: id, Method: method, Params: params, Version: "2.0"})
	return id
}

// forget makes the answer to a request of ours one to nothing.
func (f *front) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.asked, id)
}

func (f *front) answered(m message) {
	id := ""
	json.Unmarshal(m.id, &id)
	f.mu.Lock()
	take := f.asked[id]
	delete(f.asked, id)
	f.mu.Unlock()
	if take != nil {
		take(m)
	}
}
