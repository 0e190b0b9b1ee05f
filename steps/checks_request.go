package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// requestChecks are about the answer to one request that the editor sent byte for byte.
func requestChecks() []Definition {
	codes := []string{"ACP-NEW-02", "ACP-PR-12", "ACP-RPC-08", "ACP-RPC-09", "ACP-EXT-04", "MUSE-SESS-08", "MUSE-SESS-09"}
	return []Definition{
		{Sentence: `the request was refused with the error -{n}`, IDs: append([]string{"ACP-NEW-06", "ACP-PR-11"}, codes...), run: func(s *conform.Scenario, a args) error {
			r, code, ok := answerToRequest(s)
			if !ok {
				return nil
			}
			want := -a.number(0)
			s.Check("the request is refused", []string{"ACP-PR-11"}, code != 0, s.At(r.Seq, "", "an error", string(r.Data)), "the request was answered with a result")
			s.Check("the request is refused with the right error", codes, code == want, s.At(r.Seq, "/error/code", fmt.Sprint(want), string(r.Data)), "the request was answered otherwise")
			return nil
		}},
		{Sentence: `the connection goes on: a session can be made`, IDs: []string{"ACP-NEW-06", "ACP-RPC-21"}, run: func(s *conform.Scenario, _ args) error {
			ids := []string{"ACP-NEW-06", "ACP-RPC-21"}
			s.Check("the connection goes on", ids, s.Broken() == nil && len(s.SessionIDs()) > 0, nil, "no session could be made after the request")
			return nil
		}},
		{Sentence: `Muse was not started`, IDs: []string{"MUSE-SESS-09"}, run: func(s *conform.Scenario, _ args) error {
			if s.Broken() == nil {
				n := len(s.HostStarts())
				s.Check("a refused request starts no Muse", []string{"MUSE-SESS-09"}, n == 0, nil, "Muse was started %d times", n)
			}
			return nil
		}},
		{Sentence: `Muse heard, in escapes, {text}`, IDs: []string{"ACP-PR-05", "ACP-TRN-07", "ACP-CONT-05"}, run: func(s *conform.Scenario, a args) error {
			want, err := withEscapes(a[0])
			if err != nil {
				return s.Harness("the text %q has an escape that cannot be read: %v", a[0], err)
			}
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, t := range s.Facts().Turns {
				got = append(got, strings.Join(t.Texts, "\n"))
			}
			s.Check("every character of the prompt reaches Muse", []string{"ACP-PR-05", "ACP-TRN-07", "ACP-CONT-05"}, slices.Equal(got, []string{want}), &conform.Place{Lane: "muse 1", Offset: -1, Expected: fmt.Sprintf("%+q", want), Actual: fmt.Sprintf("%+q", got)}, "Muse heard %+q", got)
			return nil
		}},
		{Sentence: `the user was shown, in escapes, {text}`, IDs: []string{"ACP-PR-08", "ACP-TRN-07", "ACP-CONT-05", "MUSE-TURN-02"}, run: func(s *conform.Scenario, a args) error {
			want, err := withEscapes(a[0])
			if err != nil {
				return s.Harness("the text %q has an escape that cannot be read: %v", a[0], err)
			}
			if s.Broken() == nil {
				got := s.Shown(0, "agent_message_chunk")
				s.Check("the user was shown every line separator", []string{"ACP-TRN-07"}, strings.Contains(got, want), &conform.Place{Lane: "client", Offset: -1, Expected: fmt.Sprintf("%+q", want), Actual: fmt.Sprintf("%+q", got)}, "the user was shown %+q", got)
			}
			return shown(s, "the user was shown every character", "agent_message_chunk", want, 0, "ACP-PR-08", "ACP-CONT-05", "MUSE-TURN-02")
		}},
	}
}

// answerToRequest gives the answer to the last request that the editor sent; the code is 0 for a result. That there is
// none is a finding of its own.
func answerToRequest(s *conform.Scenario) (wire.Record, int, bool) {
	records := s.Records()
	asked := -1
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request {
			asked = r.Seq
		}
	}
	if asked < 0 {
		return wire.Record{}, 0, false
	}
	i := slices.IndexFunc(records, func(r wire.Record) bool { return r.Answers == asked })
	s.Check("the request is answered", []string{"ACP-NEW-06", "ACP-PR-11", "ACP-PR-12"}, i >= 0, s.At(asked, "", "an answer", "none"), "the request was never answered")
	if i < 0 {
		return wire.Record{}, 0, false
	}
	var code int
	json.Unmarshal(wire.Lookup(records[i].Frame.Error, "code"), &code)
	return records[i], code, true
}
