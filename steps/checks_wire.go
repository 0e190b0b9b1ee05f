package steps

import (
	"encoding/json"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// wireSteps are about how lines come and go: in pieces, to an editor that does not read, at the end, and while a turn runs.
func wireSteps() []Definition {
	odd := []string{"ACP-RPC-20", "ACP-INIT-11"}
	return []Definition{
		{Sentence: `the editor sends in pieces, cut at each bar: {rest}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "pieces", Line: &a[0]})
		}},
		{Sentence: `every request was put together again, and answered under its id`, IDs: []string{"ACP-TRN-06"}, run: putTogether},
		{Sentence: `Muse says {n} texts of {text}, the first of {n} bytes and each one longer by a byte`, run: func(s *conform.Scenario, a args) error {
			texts, err := growing(a[1], a.number(0), a.number(2))
			if err != nil {
				return s.Harness("%v", err)
			}
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: texts})
		}},
		{Sentence: `in one write, {text} is sent in session {n} and {text} in session {n}, and nothing is read while Muse speaks`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompts", Unread: true, Prompts: []scenarios.Prompt{{Text: a[0], Session: a.number(1)}, {Text: a[2], Session: a.number(3)}}})
		}},
		{Sentence: `nothing was lost in session {n}: the user was shown {n} texts of {text}, from {n} bytes on`, IDs: []string{"ACP-TRN-13"}, run: func(s *conform.Scenario, a args) error {
			texts, err := growing(a[2], a.number(1), a.number(3))
			if err != nil {
				return s.Harness("%v", err)
			}
			if s.Broken() == nil {
				want, got := strings.Join(texts, ""), s.Shown(a.number(0), "agent_message_chunk")
				s.Check("nothing is lost while it waits to be read", []string{"ACP-TRN-13"}, strings.Contains(got, want),
					&conform.Place{Lane: "client", Offset: -1, Expected: wire.Brief(want), Actual: wire.Brief(got)}, "%d bytes came, and not these %d in their order", len(got), len(want))
			}
			return nil
		}},
		{Sentence: `that is the end, in the middle of both turns: the adapter ends, and no line is cut short`, IDs: []string{"ACP-TRN-12"}, run: endInTurns},
		{Sentence: `each request was answered while the turn was open`, IDs: []string{"ACP-RPC-18"}, run: whileInTurn},
		{Sentence: `the request was answered, one way or the other`, IDs: odd, run: oddAnswered},
	}
}

// growing makes texts of which no two are alike, so that their order can be told.
func growing(pattern string, n, bytes int) ([]string, error) {
	var texts []string
	for i := range n {
		text, err := wire.LongText(pattern, bytes+i)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func putTogether(s *conform.Scenario, _ args) error {
	ids := []string{"ACP-TRN-06"}
	for _, q := range requestsOf(s, "")[1:] {
		_, ok := s.AnswerTo(q.Seq)
		s.Check("a request that comes in pieces is put together again", ids, ok, s.At(q.Seq, "/id", "an answer under "+string(q.Frame.ID), "none"), "the request with the id %s was not answered under it", q.Frame.ID)
	}
	return nil
}

func endInTurns(s *conform.Scenario, _ args) error {
	s.EndsInTurns()
	s.Finally(func() {
		if s.Broken() != nil {
			return
		}
		open, problem := s.EndInTurns()
		if open == 0 {
			return // the adapter has ended them by itself, which is for others to judge
		}
		s.Check("an end in the middle of a turn is a good end", []string{"ACP-TRN-12"}, problem == "", &conform.Place{Offset: -1, Expected: "an end by itself, with whole lines", Actual: problem}, "%s", problem)
	})
	return nil
}

func whileInTurn(s *conform.Scenario, _ args) error {
	sent, inTime := s.WhileInTurn()
	for i, r := range sent {
		s.Check("a request is answered while a turn runs", []string{"ACP-RPC-18"}, inTime[i], s.At(r.Seq, "", "an answer before that to the prompt", "none"), "%s was not answered while the turn was open", r.Frame.Method)
	}
	return nil
}

// oddAnswered looks at the first request behind session/new. A method that the adapter offers is not what this is about.
func oddAnswered(s *conform.Scenario, _ args) error {
	all := requestsOf(s, "")
	if len(all) < 3 {
		return nil
	}
	q := all[2]
	if s.Advertises(q.Frame.Method) {
		s.Excuse(func() string { return "its answer to initialize offers " + q.Frame.Method })
		return nil
	}
	ids := []string{"ACP-RPC-20", "ACP-INIT-11"}
	_, answered := s.AnswerTo(q.Seq)
	s.Check("an odd request is answered", ids, answered, s.At(q.Seq, "", "an answer", "none"), "%s was never answered", q.Frame.Method)
	return nil
}

// introduced looks at who the adapter says it is.
func introduced(s *conform.Scenario, seq int, result json.RawMessage) {
	name, version := wire.LookupString(result, "agentInfo", "name"), wire.LookupString(result, "agentInfo", "version")
	s.Check("the adapter says who it is", []string{"ACP-INIT-05"}, name != "" && version != "", s.At(seq, "/result/agentInfo", "a name and a version", string(wire.Lookup(result, "agentInfo"))), "initialize does not name the adapter and its version")
}
