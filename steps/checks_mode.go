package steps

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// modeChecks are about the modes of a session.
func modeChecks() []Definition {
	return []Definition{
		{Sentence: `the user sets {text} to {text}, and so approves {text} in advance`, run: func(s *conform.Scenario, a args) error {
			s.Approve(a[2])
			s.Excuse(func() string { return lacksOption(s, a[0], a[1]) })
			return s.Perform(scenarios.Step{Op: "setConfigOption", ConfigID: a[0], Value: a[1]})
		}},
		{Sentence: `the user sets {text} to {text} in session {n}, and so approves {text} in advance`, run: func(s *conform.Scenario, a args) error {
			s.Approve(a[3])
			s.Excuse(func() string { return lacksOption(s, a[0], a[1]) })
			return s.Perform(scenarios.Step{Op: "setConfigOption", ConfigID: a[0], Value: a[1], Session: a.number(2)})
		}},
		{Sentence: `a new session is in the mode {text} of {text}`, IDs: []string{"MUSE-MODE-01", "MUSE-MODE-07"}, run: newMode},
		{Sentence: `the editor was told of the modes {text}, each before the answer`, IDs: []string{"MUSE-MODE-03"}, run: toldModes},
		{Sentence: `{n} modes were refused, each by its name: {text}`, IDs: []string{"MUSE-MODE-02", "MUSE-MODE-07"}, run: refusedModes},
		{Sentence: `the change of the mode was refused with the error -{n}`, IDs: []string{"MUSE-MODE-09"}, run: func(s *conform.Scenario, a args) error {
			const name = "the mode stays while a question is open"
			for _, r := range modeAnswers(s) {
				code := string(wire.Lookup(r.Frame.Error, "code"))
				s.Check(name, []string{"MUSE-MODE-09"}, code == "-"+a[0], s.At(r.Seq, "/error/code", "-"+a[0], string(r.Data)), "the change was answered with %s", r.Data)
				return nil
			}
			s.Check(name, []string{"MUSE-MODE-09"}, false, nil, "the change was not answered")
			return nil
		}},
	}
}

// automaticIDs are the requirements about modes that answer.
func automaticIDs() []string {
	return []string{"MUSE-MODE-04", "MUSE-MODE-05", "MUSE-MODE-06", "MUSE-MODE-08"}
}

func newMode(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"MUSE-MODE-01", "MUSE-MODE-07"}
	for _, r := range answersTo(s, "session/new") {
		var modes struct {
			Available []struct {
				ID string `json:"id"`
			} `json:"availableModes"`
		}
		var got []string
		if err := json.Unmarshal(wire.Lookup(r.Frame.Result, "modes"), &modes); err == nil {
			for _, m := range modes.Available {
				got = append(got, m.ID)
			}
		}
		at := s.At(r.Seq, "/result/modes", a[1], list(got))
		s.Check("the modes are those that can be chosen", ids, slices.Equal(got, strings.Split(a[1], " | ")), at, "the modes are %s", list(got))
		current := wire.LookupString(r.Frame.Result, "modes", "currentModeId")
		s.Check("a session begins in its mode", []string{"MUSE-MODE-01"}, current == a[0], s.At(r.Seq, "/result/modes/currentModeId", a[0], current), "the mode is %s", current)
		option := optionOf(r.Frame.Result, "mode")
		s.Check("the option says what the modes say", []string{"MUSE-MODE-01"}, option.Value == current && slices.Equal(option.values(), got), s.At(r.Seq, "/result/configOptions", list(got), list(option.values())), "the option offers %s", list(option.values()))
	}
	return nil
}

// selectOption is an option with what can be chosen.
type selectOption struct {
	ID      string `json:"id"`
	Value   string `json:"currentValue"`
	Options []struct {
		Value string `json:"value"`
	} `json:"options"`
}

func (o selectOption) values() (values []string) {
	for _, v := range o.Options {
		values = append(values, v.Value)
	}
	return values
}

// optionOf finds an option by its id, in a result or an update.
func optionOf(object json.RawMessage, id string) selectOption {
	var list struct {
		Options []selectOption `json:"configOptions"`
	}
	if json.Unmarshal(object, &list) == nil {
		for _, o := range list.Options {
			if o.ID == id {
				return o
			}
		}
	}
	return selectOption{}
}

// modeAnswers are the answers to all changes of the mode, in both ways.
func modeAnswers(s *conform.Scenario) []wire.Record {
	records := s.Records()
	answers := answersTo(s, "session/set_mode")
	for _, r := range answersTo(s, "session/set_config_option") {
		if wire.LookupString(records[r.Answers].Frame.Params, "configId") == "mode" {
			answers = append(answers, r)
		}
	}
	slices.SortFunc(answers, func(a, b wire.Record) int { return a.Seq - b.Seq })
	return answers
}

// toldModes looks at the updates about the mode: each change is told on both surfaces, and its answer follows.
func toldModes(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"MUSE-MODE-03"}
	const name = "a change of the mode is told, and nothing else"
	want := strings.Split(a[0], " | ")
	var modes, options []string
	var seqs []int
	for _, r := range s.Records() {
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter || r.Frame.Method != "session/update" {
			continue
		}
		update := wire.Lookup(r.Frame.Params, "update")
		switch wire.LookupString(update, "sessionUpdate") {
		case "current_mode_update":
			modes, seqs = append(modes, wire.LookupString(update, "currentModeId")), append(seqs, r.Seq)
		case "config_option_update":
			options = append(options, optionOf(update, "mode").Value)
		}
	}
	at := &conform.Place{Lane: wire.Client.String(), Offset: -1, Expected: list(want), Actual: list(modes)}
	s.Check(name, ids, slices.Equal(modes, want), at, "the editor was told of the modes %s", list(modes))
	s.Check(name, ids, slices.Equal(options, want), at, "the option was told as %s", list(options))
	if !slices.Equal(modes, want) {
		return nil
	}
	// The answer that stands behind the update is that of the change, so none of them comes first.
	for i, seq := range seqs {
		from := -1
		if i > 0 {
			from = seqs[i-1]
		}
		early := 0
		for _, r := range modeAnswers(s) {
			mode := wire.LookupString(s.Records()[r.Answers].Frame.Params, "modeId") + wire.LookupString(s.Records()[r.Answers].Frame.Params, "value")
			if r.Frame.Error == nil && r.Seq > from && r.Seq < seq && mode == want[i] {
				early++
			}
		}
		s.Check("a change is told before its answer", ids, early == 0, s.At(seq, "", "the update before the answer", "behind it"), "the change to %s was answered before it was told", want[i])
	}
	return nil
}

func refusedModes(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"MUSE-MODE-02", "MUSE-MODE-07"}
	const name = "a mode that is not there is refused, and named"
	want := strings.Split(a[1], " | ")
	var refused []wire.Record
	for _, r := range modeAnswers(s) {
		if r.Frame.Error != nil {
			refused = append(refused, r)
		}
	}
	s.Check(name, ids, len(refused) == a.number(0) && len(refused) == len(want), nil, "%d modes were refused", len(refused))
	for i := range min(len(refused), len(want)) {
		code, said := string(wire.Lookup(refused[i].Frame.Error, "code")), wire.LookupString(refused[i].Frame.Error, "message")
		s.Check(name, ids, code == "-32602" && strings.Contains(said, want[i]), s.At(refused[i].Seq, "/error", "-32602, and a text that names "+want[i], string(refused[i].Frame.Error)), "the mode was refused with %s: %s", code, said)
	}
	return nil
}
