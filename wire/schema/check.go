package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"acp-conform/wire"
)

// Checker checks the frames of one scenario against the schemas.
//
//   - It is fed with the records in the order of arrival, because a response is checked as what its request asked
//     for. An id is matched by JSON type and value, numbers by their text: 1, 1.0 and "1" are three ids. Each lane
//     and direction has ids of its own; an id may be used again once it is answered (ACP-RPC-14, msp.md §2).
//   - What an ACP adapter sends is held strictly: no custom members outside of _meta (ACP-EXT-02), no methods of its
//     own without an underscore (ACP-EXT-03), no unknown variants (ACP-PR-07). What only the unstable schema knows is
//     reported as Info.
//   - What the harness sends is checked where it claims to be a message of the protocol. Methods that nobody knows,
//     and members that no schema has, are sent on purpose and are no problem.
//   - Enums that MSP declares open take any string.
//
// A Checker is for one goroutine.
type Checker struct {
	schemas    *Schemas
	open       map[openKey][]string // the methods of open requests; "" for what was no readable request
	batches    map[wire.Lane]int    // arrays sent to the adapter that may be answered with arrays
	wants      map[wire.Lane]bool   // lanes on which the adapter asked for experimental methods of the host
	tolerated  map[string]bool
	deliberate func(wire.Record) bool
}

// openKey says who asked on which lane under which id.
type openKey struct {
	lane wire.Lane
	dir  wire.Dir
	id   string
}

// CheckOption changes what a Checker reports.
type CheckOption func(*Checker)

// Deliberately names frames of the harness that are wrong on purpose: they are not checked, but what answers them is.
func Deliberately(wrong func(wire.Record) bool) CheckOption {
	return func(c *Checker) { c.deliberate = wrong }
}

// The differences between hosts and the schema that a Checker can tolerate, named like the host variants that make
// them (msp.md §12).
const (
	// NoDecidedAt is a host before 1.4, whose userInput/settled has no decidedAt.
	NoDecidedAt = "no-decided-at"
	// PendingFull is a host that puts whole requests into pendingRequests, without kind.
	PendingFull = "pending-full"
)

// Tolerate names differences that are no problem in what a host sends. Names of variants that break no schema may be
// among them: cursor-empty, events-first and the like.
func Tolerate(names ...string) CheckOption {
	return func(c *Checker) {
		for _, name := range names {
			c.tolerated[name] = true
		}
	}
}

// NewChecker makes a Checker for one scenario.
func (s *Schemas) NewChecker(options ...CheckOption) *Checker {
	c := &Checker{
		schemas: s, open: map[openKey][]string{}, batches: map[wire.Lane]int{}, wants: map[wire.Lane]bool{},
		tolerated: map[string]bool{}, deliberate: func(wire.Record) bool { return false },
	}
	for _, option := range options {
		option(c)
	}
	return c
}

// Check gives the problems of one record, in the order of the frame's text. Starts and exits have none.
func (c *Checker) Check(r wire.Record) []Problem {
	if r.Dir != wire.ToAdapter && r.Dir != wire.FromAdapter {
		return nil
	}
	s := &subject{Record: r, frame: r.Frame, fromAdapter: r.Dir == wire.FromAdapter}
	if r.Partial && s.fromAdapter {
		s.add(ClassEnvelope, "", "the stream ends inside this line; each message ends with LF")
	}
	c.check(s)
	if !s.fromAdapter && c.deliberate(r) {
		return nil
	}
	sort.SliceStable(s.problems, func(i, j int) bool { return s.problems[i].Offset < s.problems[j].Offset })
	if last := len(s.problems) - 1; s.more > 0 {
		s.problems[last].Message += fmt.Sprintf(" (and %d more problems in this frame)", s.more)
	}
	return s.problems
}

// subject is a frame under the checker's eyes: a whole line, or a message of a batch.
type subject struct {
	wire.Record
	frame       wire.Frame
	fromAdapter bool
	base        string // pointer of the message in the line; "" except in batches
	method      string
	problems    []Problem
	more        int // problems beyond mostProblems
}

// mostProblems bounds what is said about one frame: finding the place of each problem means reading the frame again,
// and a plan with ten thousand bad entries makes ten thousand problems.
const mostProblems = 50

func (s *subject) add(class ProblemClass, pointer, message string) {
	s.report(Error, class, pointer, message)
}

func (s *subject) report(severity Severity, class ProblemClass, pointer, message string) {
	if len(s.problems) >= mostProblems {
		s.more++
		return
	}
	blame := Harness
	if s.fromAdapter {
		blame = Adapter
	}
	pointer = s.base + pointer
	s.problems = append(s.problems, Problem{
		Seq: s.Seq, Lane: s.Lane, Dir: s.Dir, Blame: blame, Severity: severity, Class: class, Method: s.method,
		Pointer: pointer, Offset: PointerOffset(s.Data, pointer), Message: message,
	})
}

// found adds a finding about the value at a pointer.
func (s *subject) found(severity Severity, at string, f finding) {
	pointer, text := at+f.pointer, f.text
	if len(s.problems) < mostProblems && f.class != ClassMissing && f.class != ClassCustom {
		if start, end := pointerSpan(s.Data, s.base+pointer); start >= 0 {
			text += "; got " + wire.Clip(s.Data[start:end])
		}
	}
	s.report(severity, f.class, pointer, text)
}

// check looks at one message: its envelope, then what it carries by its kind and protocol.
func (c *Checker) check(s *subject) {
	f := s.frame
	switch f.Kind {
	case wire.Request, wire.Notification:
		s.method = f.Method
	case wire.Response:
		s.method = c.settle(s)
	case wire.Batch:
		c.checkBatch(s)
		return
	case wire.Blank:
		if s.fromAdapter && s.Lane == wire.Client {
			s.add(ClassEnvelope, "", "the line is blank; an agent writes nothing but messages")
		}
		return
	default:
		if f.ID != nil {
			c.opens(s, "")
		}
		s.add(ClassEnvelope, "", f.Problem)
		return
	}
	switch {
	case s.Lane == wire.Client:
		c.checkACP(s)
	case s.Lane.Name == "muse":
		c.checkMSP(s)
	}
	if f.Kind == wire.Request {
		c.opens(s, f.Method)
	}
}

// checkBatch checks an array of messages. The adapter may send one only as the answer to one (ACP-RPC-12).
func (c *Checker) checkBatch(s *subject) {
	switch {
	case !s.fromAdapter:
		c.batches[s.Lane]++
		s.add(ClassEnvelope, "", s.frame.Problem)
	case c.batches[s.Lane] == 0:
		s.add(ClassEnvelope, "", s.frame.Problem)
		return
	default:
		c.batches[s.Lane]--
	}
	var messages []json.RawMessage
	if json.Unmarshal(s.frame.Raw, &messages) != nil {
		return
	}
	for i, raw := range messages {
		part := &subject{Record: s.Record, frame: wire.ParseFrame(raw), fromAdapter: s.fromAdapter, base: fmt.Sprintf("/%d", i)}
		if part.frame.Kind == wire.Batch {
			part.add(ClassEnvelope, "", part.frame.Problem)
		} else {
			c.check(part)
		}
		s.more += part.more
		for _, p := range part.problems {
			if len(s.problems) < mostProblems {
				s.problems = append(s.problems, p)
			} else {
				s.more++
			}
		}
	}
}

// opens notes that a request waits for its answer.
func (c *Checker) opens(s *subject, method string) {
	key := openKey{s.Lane, s.Dir, answerKey(s.frame.ID)}
	if waiting := c.open[key]; s.fromAdapter && len(waiting) > 0 && method != "" && key.id != "null" {
		s.add(ClassID, "/id", fmt.Sprintf("the id %s is that of %s, which is not answered yet", wire.Clip(s.frame.ID), called(waiting[0])))
	}
	c.open[key] = append(c.open[key], method)
}

// settle gives the method of the request that a response answers.
func (c *Checker) settle(s *subject) string {
	asked := wire.ToAdapter
	if !s.fromAdapter {
		asked = wire.FromAdapter
	}
	key := openKey{s.Lane, asked, answerKey(s.frame.ID)}
	waiting := c.open[key]
	switch {
	case len(waiting) > 1:
		c.open[key] = waiting[1:]
	case len(waiting) == 1:
		delete(c.open, key)
	default:
		// What could not be read is answered with an error and the id null (ACP-RPC-10, -11).
		if s.fromAdapter && (key.id != "null" || s.frame.Error == nil) {
			s.add(ClassID, "/id", fmt.Sprintf("no request with the id %s is open", wire.Clip(s.frame.ID)))
		}
		return ""
	}
	return waiting[0]
}

func called(method string) string {
	if method == "" {
		return "another request"
	}
	return "a " + method
}

// answerKey writes an id so that two keys are equal when the ids are: by JSON type and value, numbers by their text.
func answerKey(id json.RawMessage) string {
	var text string
	if len(id) > 0 && id[0] == '"' && json.Unmarshal(id, &text) == nil {
		return `"` + text
	}
	return string(bytes.TrimSpace(id))
}

// value checks what stands at a pointer of the frame against a definition of a surface.
func (c *Checker) value(s *subject, surface *surface, def, at string, raw []byte) {
	findings, err := surface.findings(def, raw, false)
	if err != nil {
		s.fail(at, err)
		return
	}
	for _, f := range findings {
		if !c.tolerates(s, at+f.pointer, f) {
			s.found(Error, at, f)
		}
	}
}

// fail reports that a value could not be checked at all.
func (s *subject) fail(at string, err error) {
	s.report(Error, ClassValue, at, "the value could not be checked: "+err.Error())
}

func (c *Checker) tolerates(s *subject, pointer string, f finding) bool {
	if s.fromAdapter || f.class != ClassMissing {
		return false
	}
	return c.tolerated[NoDecidedAt] && f.member == "decidedAt" ||
		c.tolerated[PendingFull] && strings.HasPrefix(pointer, "/result/pendingRequests/")
}

// absent reports a params member that is missing or null although its type has required members. It gives false
// where there is something to check.
func (s *subject) absent(params json.RawMessage, required []string) bool {
	if params != nil && string(params) != "null" {
		return false
	}
	if len(required) > 0 {
		pointer := ""
		if params != nil {
			pointer = "/params"
		}
		s.add(ClassMissing, pointer, fmt.Sprintf("%s needs params with %s", s.method, strings.Join(required, ", ")))
	}
	return true
}
