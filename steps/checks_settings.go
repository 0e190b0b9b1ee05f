package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// settingSentences are about modes and options as the protocol has them, whatever they mean to an adapter.
func settingSentences() []Definition {
	sentence := func(text string, ids ...string) Definition {
		return Definition{Sentence: text, IDs: ids, run: func(s *conform.Scenario, _ args) error { return judgeSettings(s, ids) }}
	}
	return []Definition{
		{Sentence: `the editor sets the mode {text}`, run: func(s *conform.Scenario, a args) error {
			s.Excuse(func() string { return lacksMode(s, a[0]) })
			return onSession(s, methodSetMode, 0, `{"sessionId":"{{session}}","modeId":`+string(quoted(a[0]))+`}`)
		}},
		sentence(`each mode that is offered could be set, also where it was set already`, "ACP-MODE-02", "ACP-MODE-05"),
		sentence(`what is not offered was refused`, "ACP-MODE-03", "ACP-CFG-06"),
		sentence(`each answer to a change showed all options, as they had been set`, "ACP-CFG-04", "ACP-CFG-05", "ACP-CFG-07", "ACP-CFG-10"),
		sentence(`nothing was changed in the other session`, "ACP-CFG-11"),
		{Sentence: `the changes were answered while the turn ran`, IDs: []string{"ACP-MODE-02", "ACP-CFG-08"}, run: answeredMeanwhile},
		{Sentence: `session {n} did what the mode {text} says, which it showed: it asked`, IDs: []string{"ACP-MODE-06", "ACP-MODE-07"}, run: asItsModeSays},
	}
}

const (
	methodSetMode   = "session/set_mode"
	methodSetOption = "session/set_config_option"
)

// lacksMode is the evidence that no session of the adapter offers a mode; empty when one does, and when there is none.
func lacksMode(s *conform.Scenario, id string) string {
	sessions := answersTo(s, "session/new")
	for _, r := range sessions {
		if _, modes := modesIn(r.Frame.Result); slices.Contains(modes, id) {
			return ""
		}
	}
	if len(sessions) == 0 {
		return ""
	}
	return fmt.Sprintf("its sessions have no mode %q", id)
}

// modesIn reads the modes in the answer that gives a session.
func modesIn(result json.RawMessage) (current string, ids []string) {
	var modes struct {
		Available []struct {
			ID string `json:"id"`
		} `json:"availableModes"`
	}
	if json.Unmarshal(wire.Lookup(result, "modes"), &modes) == nil {
		for _, m := range modes.Available {
			ids = append(ids, m.ID)
		}
	}
	return wire.LookupString(result, "modes", "currentModeId"), ids
}

// settingsTold is what the client knows of a session's settings.
type settingsTold struct {
	mode    string
	modes   []string
	options []fullOption
	known   map[string]bool // ids of options that the session ever had
}

// fullOption is an option with what can be chosen, in groups or not.
type fullOption struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Category string          `json:"category"`
	Value    json.RawMessage `json:"currentValue"`
	Options  []struct {
		Value   string `json:"value"`
		Options []struct {
			Value string `json:"value"`
		} `json:"options"`
	} `json:"options"`
}

func fullOptions(object json.RawMessage) []fullOption {
	var list struct {
		Options []fullOption `json:"configOptions"`
	}
	if json.Unmarshal(object, &list) != nil {
		return nil
	}
	return list.Options
}

func (o fullOption) choices() (values []string) {
	for _, v := range o.Options {
		if v.Value != "" {
			values = append(values, v.Value)
		}
		for _, inner := range v.Options {
			values = append(values, inner.Value)
		}
	}
	return values
}

// takes reports whether a value is one that the option can have.
func (o fullOption) takes(value json.RawMessage) bool {
	var text string
	switch {
	case o.Type == "boolean":
		return string(value) == "true" || string(value) == "false"
	case json.Unmarshal(value, &text) != nil:
		return false
	}
	return slices.Contains(o.choices(), text)
}

func (t *settingsTold) option(id string) (fullOption, bool) {
	i := slices.IndexFunc(t.options, func(o fullOption) bool { return o.ID == id })
	if i < 0 {
		return fullOption{}, false
	}
	return t.options[i], true
}

func (t *settingsTold) learn(options []fullOption) {
	t.options = options
	for _, o := range options {
		t.known[o.ID] = true
	}
}

// settingsFinding is what the log says about one answer.
type settingsFinding struct {
	id      string
	ok      bool
	seq     int
	message string
}

// settingsReplay goes through the log as the client does: it learns the settings of each session, and looks at each answer
// to a change with what it knew before.
type settingsReplay struct {
	records  []wire.Record
	sessions map[string]*settingsTold
	wasSet   map[string]map[string]string // the values that an option was set to, with the session
	found    []settingsFinding
}

func replaySettings(s *conform.Scenario) []settingsFinding {
	p := &settingsReplay{records: s.Records(), sessions: map[string]*settingsTold{}, wasSet: map[string]map[string]string{}}
	for _, r := range p.records {
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter {
			continue
		}
		if r.Answers < 0 {
			p.update(r)
			continue
		}
		request := p.records[r.Answers]
		switch request.Frame.Method {
		case "session/new", "session/load", methodResume:
			p.begins(r, request)
		case methodSetMode:
			p.modeSet(r, request)
		case methodSetOption:
			p.optionSet(r, request)
		}
	}
	return p.found
}

func (p *settingsReplay) say(id string, ok bool, r wire.Record, format string, args ...any) {
	p.found = append(p.found, settingsFinding{id, ok, r.Seq, fmt.Sprintf(format, args...)})
}

func (p *settingsReplay) begins(r, request wire.Record) {
	session := wire.LookupString(r.Frame.Result, "sessionId")
	if session == "" {
		session = request.Session
	}
	if r.Frame.Result == nil || session == "" {
		return
	}
	t := &settingsTold{known: map[string]bool{}}
	t.mode, t.modes = modesIn(r.Frame.Result)
	t.learn(fullOptions(r.Frame.Result))
	p.sessions[session] = t
}

func (p *settingsReplay) update(r wire.Record) {
	t := p.sessions[r.Session]
	if t == nil {
		return
	}
	u := wire.Lookup(r.Frame.Params, "update")
	switch wire.LookupString(u, "sessionUpdate") {
	case "current_mode_update":
		t.mode = wire.LookupString(u, "currentModeId")
	case "config_option_update":
		t.learn(fullOptions(u))
	}
}

// modeSet looks at the answer to session/set_mode. While a turn runs a mode may be refused.
func (p *settingsReplay) modeSet(r, request wire.Record) {
	session, mode := wire.LookupString(request.Frame.Params, "sessionId"), wire.LookupString(request.Frame.Params, "modeId")
	t := p.sessions[session]
	if t == nil || !slices.Contains(t.modes, mode) {
		p.say("ACP-MODE-03", r.Frame.Error != nil, r, "the mode %q is not offered, and it was set", mode)
		return
	}
	if p.busy(session, request.Seq) && r.Frame.Error != nil {
		return
	}
	ok := isObject(r.Frame.Result)
	p.say("ACP-MODE-02", ok, r, "the mode %q is offered, and could not be set", mode)
	if p.setBefore(request) {
		p.say("ACP-MODE-05", ok, r, "the mode %q was set already, and could not be set again", mode)
	}
	if ok {
		t.mode = mode
	}
}

// setBefore reports whether the request about the same session before this one set the same mode.
func (p *settingsReplay) setBefore(request wire.Record) bool {
	var before string
	for _, r := range p.records[:request.Seq] {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Session == request.Session && r.Frame.Kind == wire.Request {
			before = r.Frame.Method + wire.LookupString(r.Frame.Params, "modeId")
		}
	}
	return before == methodSetMode+wire.LookupString(request.Frame.Params, "modeId")
}

// busy reports whether a prompt of the session is open at a place of the log.
func (p *settingsReplay) busy(session string, seq int) bool {
	for _, r := range p.records[:seq] {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == "session/prompt" && r.Session == session &&
			!slices.ContainsFunc(p.records[r.Seq:seq], func(a wire.Record) bool { return a.Answers == r.Seq }) {
			return true
		}
	}
	return false
}

// optionSet looks at the answer to session/set_config_option. That an option depends on another one is an adapter's right,
// so the whole list is compared only where a value is set that the client was told last: then nothing has changed.
func (p *settingsReplay) optionSet(r, request wire.Record) {
	session, id := wire.LookupString(request.Frame.Params, "sessionId"), wire.LookupString(request.Frame.Params, "configId")
	value := wire.Lookup(request.Frame.Params, "value")
	t := p.sessions[session]
	if t == nil || !t.known[id] {
		p.say("ACP-CFG-06", r.Frame.Error != nil, r, "there is no option %q in this session, and it was set", id)
		return
	}
	before, told := t.option(id)
	if told && !before.takes(value) {
		p.say("ACP-CFG-06", r.Frame.Error != nil, r, "the option %q cannot have the value %s, and it was set", id, value)
		return
	}
	if r.Frame.Error != nil {
		return
	}
	now := &settingsTold{known: t.known}
	now.learn(fullOptions(r.Frame.Result))
	got, there := now.option(id)
	p.say("ACP-CFG-04", there && string(got.Value) == string(value), r, "the option %q was set to %s, and the answer shows %s", id, value, got.Value)
	if told && string(before.Value) == string(value) {
		p.unchanged(r, session, t, now)
	}
	if i := slices.IndexFunc(now.options, func(o fullOption) bool { return o.Category == "mode" && sameChoices(o.choices(), t.modes) }); i >= 0 && now.options[i].ID != id {
		p.say("ACP-CFG-10", string(now.options[i].Value) == string(quoted(t.mode)), r, "the session is in the mode %q, and its option has the value %s", t.mode, now.options[i].Value)
	} else if i >= 0 {
		json.Unmarshal(value, &t.mode)
	}
	if p.wasSet[id] == nil {
		p.wasSet[id] = map[string]string{}
	}
	p.wasSet[id][string(value)] = session
	t.options = now.options
}

// unchanged compares two states between which nothing was changed.
func (p *settingsReplay) unchanged(r wire.Record, session string, t, now *settingsTold) {
	for _, o := range t.options {
		got, there := now.option(o.ID)
		p.say("ACP-CFG-04", there, r, "the answer does not show the option %q, which the session has", o.ID)
		if !there {
			continue
		}
		id, kept := "ACP-CFG-05", string(got.Value) == string(o.Value)
		if by, set := p.wasSet[o.ID][string(got.Value)]; set && by != session || kept && len(p.sessions) > 1 {
			id = "ACP-CFG-11"
		}
		p.say(id, kept, r, "the option %q had the value %s, and without a change it has %s", o.ID, o.Value, got.Value)
		if kept {
			p.say("ACP-CFG-05", true, r, "")
		}
	}
	for _, o := range now.options {
		_, told := t.option(o.ID)
		p.say("ACP-CFG-07", told, r, "the session has the option %q, and the last that was told of its options was without it", o.ID)
	}
}

func sameChoices(a, b []string) bool {
	return len(b) > 0 && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// judgeSettings records what the log says about some requirements.
func judgeSettings(s *conform.Scenario, ids []string) error {
	if s.Broken() != nil {
		return nil
	}
	for _, f := range replaySettings(s) {
		if slices.Contains(ids, f.id) {
			s.Check(settingsName(f.id), []string{f.id}, f.ok, s.At(f.seq, "", "the answer that the settings call for", string(s.Records()[f.seq].Data)), "%s", f.message)
		}
	}
	return nil
}

func settingsName(id string) string {
	names := map[string]string{
		"ACP-MODE-02": "a mode that is offered can be set", "ACP-MODE-03": "a mode that is not offered cannot be set", "ACP-MODE-05": "a mode that is set can be set again",
		"ACP-CFG-04": "the answer to a change shows all options", "ACP-CFG-05": "what was set stays set", "ACP-CFG-06": "what an option cannot have is refused",
		"ACP-CFG-07": "an update shows all options", "ACP-CFG-10": "the option for the modes has the session's mode", "ACP-CFG-11": "an option is one session's",
	}
	return names[id]
}

// answeredMeanwhile looks at the changes that came while a turn ran: each was answered, one way or the other, before the
// prompt was.
func answeredMeanwhile(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	p := &settingsReplay{records: s.Records()}
	for _, r := range p.records {
		if r.Lane != wire.Client || r.Answers < 0 {
			continue
		}
		request := p.records[r.Answers]
		id := map[string]string{methodSetMode: "ACP-MODE-02", methodSetOption: "ACP-CFG-08"}[request.Frame.Method]
		if id == "" || !p.busy(request.Session, request.Seq) {
			continue
		}
		s.Check("a change is answered while the turn runs", []string{id}, p.busy(request.Session, r.Seq), s.At(r.Seq, "", "an answer before that of the prompt", string(r.Data)),
			"%s was answered behind the prompt", request.Frame.Method)
	}
	return nil
}

// asItsModeSays looks at a session that was made in a mode in which the user is asked, and was left in it.
func asItsModeSays(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	n := a.number(0)
	answers := answersTo(s, "session/new")
	if n < 1 || n > len(answers) {
		return s.Harness("there is no session %d", n)
	}
	r := answers[n-1]
	current, _ := modesIn(r.Frame.Result)
	s.Check("a new session is in the mode that it shows", []string{"ACP-MODE-06"}, current == a[1], s.At(r.Seq, "/result/modes/currentModeId", a[1], current), "the session shows the mode %q", current)
	asked := slices.ContainsFunc(s.Questions(), func(q conform.Question) bool { return q.Session == n })
	s.Check("a session does what its own mode says", []string{"ACP-MODE-06", "ACP-MODE-07"}, asked, nil, "session %d is in the mode %q, and its user was not asked", n, strings.TrimSpace(a[1]))
	return nil
}
