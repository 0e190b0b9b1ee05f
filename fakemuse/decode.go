package fakemuse

// DecodeScript reads a muse.json. File is its name for messages. Every error is a *ScriptError: an unknown member, a
// value that cannot be, a step behind one that ends the turn.
func DecodeScript(file string, data []byte) (*Script, error) {
	top, err := root(file, data)
	if err != nil {
		return nil, err
	}
	d := &decoder{}
	script := d.script(top)
	if d.err != nil {
		return nil, d.err
	}
	return script, nil
}

// decoder keeps the first error, so that the functions below read like the grammar that they are. After an error what
// they give means nothing.
type decoder struct{ err error }

func (d *decoder) fail(err error) {
	if d.err == nil && err != nil {
		d.err = err
	}
}

func (d *decoder) object(n node, known ...string) map[string]node {
	members, err := n.members(known...)
	d.fail(err)
	return members
}

func (d *decoder) list(n node) []node {
	elements, err := n.elements()
	d.fail(err)
	return elements
}

// read calls f with a member if it is there.
func read[T any](d *decoder, members map[string]node, name string, into *T, f func(node) (T, error)) {
	if n, there := members[name]; there && d.err == nil {
		*into = take(d, f, n)
	}
}

// take reads one value and keeps its error.
func take[T any](d *decoder, f func(node) (T, error), n node) T {
	value, err := f(n)
	d.fail(err)
	return value
}

// need is read for a member that must be there.
func need[T any](d *decoder, n node, members map[string]node, name string, into *T, f func(node) (T, error)) {
	if _, there := members[name]; !there && d.err == nil {
		d.fail(n.errorf("%s needs a member %q", n.name, name))
	}
	read(d, members, name, into, f)
}

func (d *decoder) script(n node) *Script {
	script := &Script{}
	m := d.object(n, "version", "variants", "turns", "host", "models", "clock", "ids", "branch", "skills", "hooks", "plugins", "quota",
		"brokenServers", "sessions", "shells", "on")
	read(d, m, "version", &script.Version, node.text)
	read(d, m, "variants", &script.Variants, node.texts)
	if v, there := m["variants"]; there && d.err == nil {
		if err := CheckVariants(script.Variants); err != nil {
			d.fail(v.errorf("%v", err))
		}
	}
	d.hostMembers(m, script)
	turns, there := m["turns"]
	if !there && d.err == nil {
		d.fail(n.errorf("the script needs a member %q", "turns"))
	}
	if there {
		for _, e := range d.list(turns) {
			script.Turns = append(script.Turns, d.turn(e))
		}
	}
	return script
}

// onlyTrue reads a switch that makes no sense switched off.
func (n node) onlyTrue() (bool, error) {
	b, err := n.flag()
	if err == nil && !b {
		return false, n.errorf("%s can only be true; leave the step out instead", n.name)
	}
	return b, err
}

func (n node) exitCode() (*int, error) {
	code, err := n.whole(0, 255)
	return &code, err
}

// failureKinds are the kinds that MSP names (msp.md §6.4); a host may send others.
func failureKinds() []string {
	return []string{
		"stepLimit", "configError", "projectionError", "logError", "workflowLaunchError", "environmentError", "modelError",
		"launchError", "authRequired",
	}
}

func (d *decoder) failure(n node) (*Failure, error) {
	f := &Failure{}
	m := d.object(n, "kind", "message", "retryable")
	need(d, n, m, "kind", &f.Kind, func(n node) (string, error) { return n.open(failureKinds()) })
	need(d, n, m, "message", &f.Message, node.text)
	read(d, m, "retryable", &f.Retryable, node.flag)
	return f, d.err
}
