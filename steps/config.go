package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// configSentences are about the options of a session: how the user sets them, and what the editor is told of them.
func configSentences() []Definition {
	return []Definition{
		{Sentence: `the user begins a session`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "newSession"})
		}},
		{Sentence: `the user sets {text} to {text}`, run: func(s *conform.Scenario, a args) error {
			s.Excuse(func() string { return lacksOption(s, a[0], a[1]) })
			return s.Perform(scenarios.Step{Op: "setConfigOption", ConfigID: a[0], Value: a[1]})
		}},
		{Sentence: `the user sets {text} to {text} in session {n}`, run: func(s *conform.Scenario, a args) error {
			s.Excuse(func() string { return lacksOption(s, a[0], a[1]) })
			return s.Perform(scenarios.Step{Op: "setConfigOption", ConfigID: a[0], Value: a[1], Session: a.number(2)})
		}},
		{Sentence: `a new session has the options {text}`, IDs: []string{"REQ-POL-04", "REQ-APPR-26"}, run: newOptions},
		{Sentence: `the option {text} of a new session is, in full, {rest}`, IDs: []string{"REQ-POL-04"}, run: wholeOption},
		{Sentence: `the answers to the changes showed {text}`, IDs: []string{"REQ-POL-05", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09"}, run: changedOptions},
		{Sentence: `each refusal named what it refused: {text}`, IDs: []string{"REQ-POL-06"}, run: namedRefusals},
	}
}

// lacksOption is the evidence that an adapter does not offer an option that the user is to set, or not that value of it; empty
// when a session has it, and when there is none.
func lacksOption(s *conform.Scenario, id, value string) string {
	sessions := answersTo(s, "session/new")
	for _, r := range sessions {
		if slices.ContainsFunc(fullOptions(r.Frame.Result), func(o fullOption) bool { return o.ID == id && o.takes(quoted(value)) }) {
			return ""
		}
	}
	if len(sessions) == 0 {
		return ""
	}
	return fmt.Sprintf("its sessions have no option %q with the value %q", id, value)
}

// optionsInWords gives options as "id=value", in their order.
func optionsInWords(result json.RawMessage) string {
	var words []string
	for _, o := range configOptions(result) {
		words = append(words, o.ID+"="+o.Value)
	}
	return strings.Join(words, " ")
}

// answersTo gives the answers of the adapter to the client's requests of one method, in the order of the requests.
func answersTo(s *conform.Scenario, method string) (list []wire.Record) {
	records := s.Records()
	for _, q := range records {
		if q.Lane != wire.Client || q.Dir != wire.ToAdapter || q.Frame.Kind != wire.Request || q.Frame.Method != method {
			continue
		}
		for _, r := range records[q.Seq:] {
			if r.Answers == q.Seq {
				list = append(list, r)
			}
		}
	}
	return list
}

func newOptions(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"REQ-POL-04", "REQ-APPR-26"}
	const name = "a new session has its options"
	answers := answersTo(s, "session/new")
	s.Check(name, ids, len(answers) > 0, nil, "there is no session")
	for _, r := range answers {
		got := optionsInWords(r.Frame.Result)
		s.Check(name, ids, got == a[0], s.At(r.Seq, "/result/configOptions", a[0], got), "the options are %s", got)
	}
	return nil
}

func wholeOption(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"REQ-POL-04"}
	const name = "an option has its members and no others"
	for _, r := range answersTo(s, "session/new") {
		var result struct {
			Options []json.RawMessage `json:"configOptions"`
		}
		if err := json.Unmarshal(r.Frame.Result, &result); err != nil {
			s.Check(name, ids, false, s.At(r.Seq, "/result/configOptions", "an array", string(r.Data)), "the options cannot be read")
			return nil
		}
		for i, o := range result.Options {
			if wire.LookupString(o, "id") == a[0] {
				s.Check(name, ids, string(o) == a[1], s.At(r.Seq, fmt.Sprintf("/result/configOptions/%d", i), a[1], string(o)), "the option is %s", o)
				return nil
			}
		}
	}
	s.Check(name, ids, false, nil, "no session has the option %q", a[0])
	return nil
}

// changedOptions compares the options in the answers to all changes that were accepted.
func changedOptions(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	var got []string
	for _, r := range answersTo(s, "session/set_config_option") {
		if r.Frame.Error == nil {
			got = append(got, optionsInWords(r.Frame.Result))
		}
	}
	s.Check("the answer to a change shows all options", []string{"REQ-POL-05", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09"}, strings.Join(got, " | ") == a[0],
		&conform.Place{Lane: wire.Client.String(), Offset: -1, Expected: a[0], Actual: list(got)}, "the answers showed %s", list(got))
	return nil
}

// namedRefusals looks at all changes that were refused: each has the code of invalid parameters, and its text names the
// value that was wrong.
func namedRefusals(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"REQ-POL-06"}
	const name = "a change that cannot be is refused, and the refusal names it"
	var refused []wire.Record
	for _, r := range answersTo(s, "session/set_config_option") {
		if r.Frame.Error != nil {
			refused = append(refused, r)
		}
	}
	want := strings.Split(a[0], " | ")
	s.Check(name, ids, len(refused) == len(want), nil, "%d changes were refused, not %d", len(refused), len(want))
	for i := range min(len(refused), len(want)) {
		r := refused[i]
		code := string(wire.Lookup(r.Frame.Error, "code"))
		s.Check(name, ids, code == "-32602", s.At(r.Seq, "/error/code", "-32602", code), "the change was refused with %s", code)
		said := wire.LookupString(r.Frame.Error, "message")
		s.Check(name, ids, strings.Contains(said, want[i]), s.At(r.Seq, "/error/message", "a text that names "+want[i], said), "the refusal says %q", said)
	}
	return nil
}
