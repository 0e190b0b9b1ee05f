package schema

import (
	"fmt"
	"strings"

	"acp-conform/wire"
)

// Blame says whose fault a problem is.
type Blame int

// The two authors of frames. What the adapter sends is a finding about it; what the harness sends is an error of the
// harness.
const (
	Adapter Blame = iota + 1
	Harness
)

func (b Blame) String() string {
	switch b {
	case Adapter:
		return "adapter"
	case Harness:
		return "harness"
	}
	return "nobody"
}

// Severity says how much a problem weighs.
type Severity int

// Info never fails anything: it names what the stable schema does not have and a later one may.
const (
	Error Severity = iota + 1
	Info
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Info:
		return "info"
	}
	return "unknown"
}

// ProblemClass groups problems by the rule that they break.
type ProblemClass string

// The classes of problems, with the requirements that state them.
const (
	ClassEnvelope ProblemClass = "envelope"      // no JSON-RPC message, or one cut short (ACP-TRN-01..03, -14, ACP-RPC-01, -04, -05)
	ClassID       ProblemClass = "id"            // an id of the wrong kind, used twice, or of no open request (ACP-RPC-02, -03, -14)
	ClassMethod   ProblemClass = "method"        // a method that the receiver does not have, or in the wrong form (ACP-EXT-03)
	ClassMissing  ProblemClass = "missing"       // a required member is not there
	ClassValue    ProblemClass = "value"         // a value of the wrong type, form or range
	ClassVariant  ProblemClass = "variant"       // a value outside a closed set (ACP-PR-07)
	ClassCustom   ProblemClass = "custom-member" // a member that the type does not have (ACP-EXT-02)
	ClassError    ProblemClass = "error"         // an error object without what its protocol asks for (ACP-RPC-07, msp.md §2)
)

// Problem is one deviation of one frame from the schemas.
type Problem struct {
	Seq      int // of the Record
	Lane     wire.Lane
	Dir      wire.Dir
	Blame    Blame
	Severity Severity
	Class    ProblemClass
	Method   string // of the request, the notification, or the request that the response answers; "" if unknown
	Pointer  string // RFC 6901, into the frame; "" is the frame itself
	Offset   int    // byte offset in the frame of the value at Pointer; -1 when unknown
	Message  string // one sentence: what was expected and what came
}

// String gives the whole problem in one line.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s frame %d", p.Lane, p.Dir.Mark(), p.Seq)
	if p.Method != "" {
		fmt.Fprintf(&b, " (%s)", p.Method)
	}
	b.WriteString(": ")
	if p.Pointer != "" {
		fmt.Fprintf(&b, "%s: ", p.Pointer)
	}
	b.WriteString(p.Message)
	if p.Offset > 0 {
		fmt.Fprintf(&b, " (byte %d)", p.Offset)
	}
	return b.String()
}

// finding is a problem of a value, before it is known whose it is. Its pointer is relative to the value.
type finding struct {
	pointer string
	class   ProblemClass
	member  string // the missing or unknown member
	want    string // for types: what was wanted, for joining alternatives
	text    string // what was expected; the value that came is added later, except for members
}
