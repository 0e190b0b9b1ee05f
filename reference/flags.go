package reference

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"acp-conform/reference/approval"
	"acp-conform/reference/rpc"
)

// Flags are the adapter's flags; parsing them fills the options. A flag that is given but empty is wrong use, and so is
// a deadline that is not above zero: who wrote `--approval-policy=$POLICY` must not get the default for a variable that
// is not set.
func (o *Options) Flags() *flag.FlagSet {
	f := flag.NewFlagSet("reference", flag.ContinueOnError)
	word := func(field *string, name, value, usage string, wrong func(string) error) {
		*field = value
		f.Var(&stringValue{field, wrong}, name, usage)
	}
	word(&o.MusePath, "muse", o.MusePath, "the Muse `program`; without it, muse on the PATH", blank("program"))
	word(&o.DataDir, "data", o.DataDir, "`folder` of the adapter's own data", blank("folder"))
	word(&o.ApprovalPolicy, "approval-policy", string(approval.Ask), "ask, or never to reject whatever would be asked",
		func(v string) error { _, err := approval.ParsePolicy(v); return err })
	f.BoolVar(&o.NoApprovals, "no-approvals", o.NoApprovals, "leave the approval seam out")
	f.Func("hook", "a `command` to run before a tool that asks; may be repeated", func(v string) error {
		o.Hooks = append(o.Hooks, v)
		return blank("program")(v)
	})
	word(&o.SandboxMode, "sandbox-mode", o.SandboxMode, "the sandbox `mode` of commands: "+strings.Join(sandboxModes(), ", ")+"; none, as without it, where nothing confines them",
		func(v string) error { return oneOf("sandbox mode", v, append(sandboxModes(), noSandbox)) })
	word(&o.Privileged, "privileged", "auto", "whether to behave as for a privileged user: "+strings.Join(privilegeModes(), ", "),
		func(v string) error { return oneOf("privileged", v, privilegeModes()) })
	word(&o.Model, "model", o.Model, "the `model` asked for", blank("model"))
	word(&o.Provider, "provider", o.Provider, "the `provider` of the model", blank("provider"))
	f.BoolVar(&o.Log, "log", o.Log, "write what is dropped or ignored to stderr")
	f.Func("fault", "the one `fault` to have, for testing tests", func(v string) error {
		o.Fault = Fault(v)
		return blank("fault")(v)
	})
	for name, field := range map[string]*rpc.Pace{"client-pace": &o.ClientPace, "host-pace": &o.HostPace} {
		to, _, _ := strings.Cut(name, "-")
		f.Func(name, "how late to write to the "+to+", for testing tests: join:3ms waits and then writes what is there in one piece, split:3ms waits before each line", func(v string) (err error) {
			*field, err = rpc.ParsePace(v)
			return err
		})
	}
	for _, d := range o.Deadlines.all() {
		*d.field = d.value
		f.Var(&durationValue{d.field}, d.flag, d.usage)
	}
	return f
}

// blank refuses a value in which nothing stands.
func blank(what string) func(string) error {
	return func(v string) error {
		if strings.TrimSpace(v) == "" {
			return fmt.Errorf("it names no %s", what)
		}
		return nil
	}
}

// stringValue is a flag's text, checked when it is given. Its name without Value is what help calls it.
type stringValue struct {
	field *string
	wrong func(string) error
}

func (s *stringValue) String() string {
	if s.field == nil {
		return ""
	}
	return *s.field
}

func (s *stringValue) Set(v string) error {
	*s.field = v
	return s.wrong(v)
}

// durationValue is a deadline.
type durationValue struct{ field *time.Duration }

func (d *durationValue) String() string {
	if d.field == nil {
		return "0s"
	}
	return d.field.String()
}

func (d *durationValue) Set(v string) error {
	long, err := time.ParseDuration(v)
	if err != nil {
		return fmt.Errorf("%q is no duration such as 10s or 2m", v)
	}
	if long <= 0 {
		return fmt.Errorf("%s: must be above zero", v)
	}
	*d.field = long
	return nil
}

// ParseFlags makes options from the arguments of `acp-conform reference`. An error is wrong use.
func ParseFlags(args, env []string, dir string) (Options, error) {
	o := Options{Env: env, Dir: dir}
	f := o.Flags()
	f.SetOutput(io.Discard)
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	return o, o.Validate()
}
