package reference

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"acp-conform/reference/approval"
	"acp-conform/reference/environ"
	"acp-conform/reference/rpc"
)

// Options are everything that the adapter knows about the world: it reads no environment and no settings of its own.
type Options struct {
	Env      []string // its whole environment, and that of the programs that it starts
	Dir      string   // its working directory; relative paths below are taken from there
	MusePath string   // the Muse program; empty means `muse` on the PATH of Env
	DataDir  string   // folder of its own data; empty means acp-conform-reference in XDG_DATA_HOME, else in HOME/.local/share

	ApprovalPolicy string   // ask or never; empty means ask (REQ-APPR-25, REQ-APPR-26)
	NoApprovals    bool     // leave the approval seam out (REQ-ASK-01, REQ-ASK-02)
	Hooks          []string // pre-execute hooks, each a program and its arguments separated by white space
	SandboxMode    string   // the mode in which commands run; none, or empty, means that the adapter knows none (REQ-ESC-03, REQ-ESC-08)
	Privileged     string   // auto, yes or no: whether to behave as for a privileged user; empty means auto

	Version  string // of agentInfo and clientInfo; empty means 0.0.0
	Model    string // the model asked for; empty means muse-spark-1.3
	Provider string // its provider; empty means meta
	Log      bool   // write what is dropped or ignored to stderr
	Fault    Fault  // the one fault to have; empty means none

	ClientPace rpc.Pace // of what is written to the client
	HostPace   rpc.Pace // of what is written to a host

	Deadlines Deadlines
}

// Deadlines bound every wait. A field that is zero has its default. There is none on a running turn.
type Deadlines struct {
	Start  time.Duration // 2m: a host that loads a large session takes long; for initialize, and again for what precedes the turn
	Submit time.Duration // 30s: the acknowledgement of a turn is written to disk first
	Page   time.Duration // 30s: events that were not delivered are read from disk, a few hundred at a time
	Read   time.Duration // 1s: the last reading of a session after a good turn only refreshes what is shown
	Cancel time.Duration // 5s: a host that was told to cancel has to stop a model and its tools
	Stall  time.Duration // 10s: an approval that is open while nobody is asked will not move any more
	Hook   time.Duration // 1m: a hook may ask a service, but a turn waits for it
	Stop   time.Duration // 5s: after its stdin was closed a host drains what it was doing
	Term   time.Duration // 2s: after SIGTERM, before SIGKILL
	Drain  time.Duration // 1s: the end of stdout follows the exit at once, unless something else holds it open
	Flush  time.Duration // 5s: for the client to take what was written when the adapter ends
}

type deadline struct {
	flag, usage string
	field       *time.Duration
	value       time.Duration
}

func (d *Deadlines) all() []deadline {
	return []deadline{
		{"start-deadline", "for the host to start, and again to get ready for a turn", &d.Start, 2 * time.Minute},
		{"submit-deadline", "for the host to acknowledge a turn", &d.Submit, 30 * time.Second},
		{"page-deadline", "for the host to fetch events that it did not deliver", &d.Page, 30 * time.Second},
		{"read-deadline", "for the reading of the session after a turn", &d.Read, time.Second},
		{"cancel-deadline", "for a cancelled turn to end", &d.Cancel, 5 * time.Second},
		{"stall-deadline", "for an open approval to move while nobody is asked", &d.Stall, 10 * time.Second},
		{"hook-deadline", "for one hook", &d.Hook, time.Minute},
		{"stop-grace", "for a host to exit after its stdin was closed", &d.Stop, 5 * time.Second},
		{"term-grace", "for a host to exit after SIGTERM", &d.Term, 2 * time.Second},
		{"drain-grace", "for the rest of a host's output after its exit", &d.Drain, time.Second},
		{"flush-deadline", "for the client to take the last output", &d.Flush, 5 * time.Second},
	}
}

// The values of the options that are choices.
func sandboxModes() []string   { return []string{"read-only", "workspace-write", "danger-full-access"} }
func privilegeModes() []string { return []string{"auto", "yes", "no"} }

// noSandbox says that nothing confines commands; it is no mode.
const noSandbox = "none"

// Validate says what is wrong with the options: the value and the choices. It is wrong use, not a failure.
func (o Options) Validate() error {
	var wrong []error
	if o.ApprovalPolicy != "" {
		if _, err := approval.ParsePolicy(o.ApprovalPolicy); err != nil {
			wrong = append(wrong, err)
		}
	}
	if o.SandboxMode != "" {
		wrong = append(wrong, oneOf("sandbox mode", o.SandboxMode, append(sandboxModes(), noSandbox)))
	}
	if o.Privileged != "" {
		wrong = append(wrong, oneOf("privileged", o.Privileged, privilegeModes()))
	}
	if o.Fault != "" && !slices.ContainsFunc(Faults(), func(f FaultInfo) bool { return f.Name == o.Fault }) {
		wrong = append(wrong, fmt.Errorf("fault %q: there is none of that name", o.Fault))
	}
	for _, d := range o.Deadlines.all() {
		if *d.field < 0 {
			wrong = append(wrong, fmt.Errorf("%s %s: must not be negative", d.flag, *d.field))
		}
	}
	for _, h := range o.Hooks {
		if strings.TrimSpace(h) == "" {
			wrong = append(wrong, fmt.Errorf("hook %q: names no program", h))
		}
	}
	return errors.Join(wrong...)
}

// oneOf says that a value is none of the choices.
func oneOf(name, value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return fmt.Errorf("%s %q: must be one of %s", name, value, strings.Join(choices, ", "))
}

// complete checks the options and puts the defaults in.
func (o Options) complete() (Options, error) {
	if err := o.Validate(); err != nil {
		return o, err
	}
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	if o.SandboxMode == noSandbox {
		o.SandboxMode = ""
	}
	fill(&o.ApprovalPolicy, string(approval.Ask))
	fill(&o.Privileged, "auto")
	fill(&o.Version, "0.0.0")
	fill(&o.Model, "muse-spark-1.3")
	fill(&o.Provider, "meta")
	fill(&o.MusePath, "muse")
	for _, d := range o.Deadlines.all() {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.DataDir == "" {
		base := environ.Get(o.Env, "XDG_DATA_HOME")
		if home := environ.Get(o.Env, "HOME"); base == "" && home != "" {
			base = filepath.Join(home, ".local", "share")
		}
		if base == "" {
			return o, errors.New("no folder for the adapter's data: name one, or set XDG_DATA_HOME or HOME")
		}
		o.DataDir = filepath.Join(base, "acp-conform-reference")
	}
	if !filepath.IsAbs(o.DataDir) {
		o.DataDir = filepath.Join(o.Dir, o.DataDir)
	}
	return o, nil
}
