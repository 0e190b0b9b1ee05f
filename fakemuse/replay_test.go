package fakemuse

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"acp-conform/wire"
)

// TestReplay plays the client's side of every recording to the fake and compares what the fake says with what the
// recorded host said: frame by frame in their order, as JSON, where the order of members is free and numbers are
// compared by their text. replay_alias_test.go lists what is aliased.
func TestReplay(t *testing.T) {
	t.Parallel()
	all, without := recordings(t)
	for _, name := range without {
		t.Logf("%s: no recording, only a description of one", name)
	}
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			newReplay(t, r).run()
		})
	}
}

// TestReplayScripts: a script that is made from a recording never holds a frame of the host and never uses raw bytes.
func TestReplayScripts(t *testing.T) {
	t.Parallel()
	all, _ := recordings(t)
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			checkScript(t, r, scriptOf(t, r))
		})
	}
}

// checkScript looks through a script for what only frames have. Events are stored, or are ones that MSP does not know.
func checkScript(t *testing.T, r recording, made *scripter) {
	t.Helper()
	text := made.text()
	script, err := DecodeScript("made.json", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, turn := range script.Turns {
		for _, step := range turn.Steps {
			if step.Raw != nil {
				t.Error("the script uses raw bytes")
			}
		}
	}
	whole, err := parseTree(string(text))
	if err != nil {
		t.Fatal(err)
	}
	envelope := []string{"jsonrpc", "emittedAtMs", "viewCursor", "sourceRange", "revision"}
	var look func(v any, path []string)
	look = func(v any, path []string) {
		switch o := v.(type) {
		case map[string]any:
			if method, is := o["method"].(string); is && o["params"] != nil && !slices.Contains(path, "sessions") && !made.isExtra(method) {
				t.Errorf("the script holds the notification %s at %s", method, strings.Join(path, "."))
			}
			for name, inner := range o {
				// What is stored has its revisions: they are not the host's to make.
				if slices.Contains(envelope, name) && !(name == "revision" && slices.Contains(path, "sessions")) {
					t.Errorf("the script holds %q at %s", name, strings.Join(path, "."))
				}
				look(inner, append(path[:len(path):len(path)], name))
			}
		case []any:
			for _, inner := range o {
				look(inner, path)
			}
		case string:
			for _, l := range r.lines {
				if !l.client && strings.Contains(o, l.raw) {
					t.Errorf("the script holds a frame of the host at %s", strings.Join(path, "."))
				}
			}
		}
	}
	look(map[string]any(whole), nil)
}

// replay is one recording under way.
type replay struct {
	t       *testing.T
	r       recording
	made    *scripter
	scene   *scene
	client  *client
	aliases *aliases
	sent    int      // lines of the client so far
	extra   int      // those among them that the recording has not
	skip    []string // what was answered to those: frames that are not compared
	// They are called with the client's lines: before one is sent, and after its answer was compared.
	before, after func(line int)
}

func newReplay(t *testing.T, r recording) *replay {
	t.Helper()
	made := scriptOf(t, r)
	p := &replay{t: t, r: r, made: made, aliases: newAliases(), before: func(int) {}, after: func(int) {}}
	p.scene = newScene(t, string(made.text()))
	p.scene.wrong = func(record wire.Record) bool {
		// Transcripts that teach tolerance show items that no schema knows.
		return record.Dir == wire.ToAdapter && !slices.Contains(made.known, record.Frame.Method) && record.Frame.Kind == wire.Notification
	}
	return p
}

// run plays the recording to its end.
func (p *replay) run() {
	p.t.Helper()
	p.client = p.scene.serve()
	for i := range p.r.lines {
		for q, l := range p.r.lines[:i] {
			if l.client && p.made.sent[q] == i-1 && q != i-1 {
				p.send(q)
			}
		}
		switch l := p.r.lines[i]; {
		case l.client && p.made.sent[i] == i:
			p.send(i)
		case !l.client:
			p.receive(i)
		}
		if p.t.Failed() {
			p.t.Logf("the script:\n%s\nwhat was said:\n%s", p.made.text(), p.scene.dump())
			return
		}
	}
	p.finish()
}

// send sends a line of the client, with the fake's ids.
func (p *replay) send(line int) {
	p.t.Helper()
	l := p.r.lines[line]
	if l.frame.method() != "" {
		p.before(line)
	}
	p.write(p.translated(l))
}

// write sends a line and waits until the fake has taken it and nobody works any more.
func (p *replay) write(line string) {
	p.t.Helper()
	p.client.write(line)
	p.sent++
	p.scene.await("the fake has taken the line", func(v wire.View) bool {
		taken := 0
		for _, r := range v.Records() {
			if r.Dir == wire.FromAdapter {
				taken++
			}
		}
		return taken >= p.sent && v.Idle()
	})
}

func (p *replay) translated(l recorded) string {
	text := p.aliases.translate(l.raw)
	if l.frame.isResponse() {
		ours, there := p.aliases.ours[idText(l.frame["id"])]
		if there && strings.HasPrefix(ours, "#") {
			frame, err := parseTree(text)
			if err != nil {
				return text
			}
			frame["id"] = json.Number(strings.TrimPrefix(ours, "#"))
			return string(encode(frame))
		}
	}
	return text
}

// receive takes the next frame of the fake and compares it.
func (p *replay) receive(line int) {
	p.t.Helper()
	for _, event := range p.made.gates[line] {
		p.scene.quiet()
		p.scene.Release(event)
	}
	frame := p.next(line)
	if frame == nil {
		return
	}
	for _, d := range p.aliases.compare(p.r.lines[line].frame, frame) {
		p.t.Errorf("line %d: %s", line+1, d)
	}
	if p.t.Failed() {
		p.t.Logf("line %d of the recording: %s\nthe fake: %s", line+1, p.r.lines[line].raw, encode(frame))
		return
	}
	if q, is := p.made.request[line]; is {
		p.after(q)
	}
}

// next gives the next frame of the fake. When nobody works and there is none, there will be none.
func (p *replay) next(line int) tree {
	p.t.Helper()
	p.scene.quiet()
	sent := 0
	for _, r := range p.scene.log.Records() {
		if r.Dir == wire.ToAdapter {
			sent++
		}
	}
	if sent <= len(p.client.seen) {
		p.t.Errorf("line %d: the fake says nothing, where the recording has %s", line+1, p.r.lines[line].raw)
		return nil
	}
	raw := string(p.client.next().Raw)
	if slices.Contains(p.skip, raw) {
		return p.next(line)
	}
	frame, err := parseTree(raw)
	if err != nil {
		p.t.Fatal(err)
	}
	return frame
}

// finish checks that the fake says nothing more, and ends it.
func (p *replay) finish() {
	p.t.Helper()
	p.scene.quiet()
	said := 0
	for _, r := range p.scene.log.Records() {
		if r.Dir != wire.ToAdapter {
			continue
		}
		if said++; said > len(p.client.seen) && !slices.Contains(p.skip, string(r.Data)) {
			p.t.Errorf("behind the end of the recording the fake says %s", r.Data)
		}
	}
	if p.t.Failed() {
		p.t.Logf("the script:\n%s", p.made.text())
	}
	if err := p.client.end(); err != nil {
		p.t.Errorf("the host exits with %v", err)
	}
	p.scene.noProblems()
}
