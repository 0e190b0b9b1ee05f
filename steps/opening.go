package steps

import (
	"acp-conform/conform"
	"acp-conform/wire"
)

const methodInitialize = "initialize"

// openingSteps are about how a connection is opened, and about what comes before that, and once more behind it.
func openingSteps() []Definition {
	taken := []string{"ACP-INIT-07", "ACP-INIT-08", "ACP-INIT-14"}
	return []Definition{
		{Sentence: `a connection that is not open yet`, run: func(s *conform.Scenario, _ args) error { return s.Unopened() }},
		{Sentence: `initialize was answered with a version that the adapter speaks, not with {n}`, IDs: []string{"ACP-INIT-03"}, run: ownVersion},
		{Sentence: `the connection is open, whatever the editor told of itself`, IDs: taken, run: func(s *conform.Scenario, _ args) error {
			r, ok := lastTo(s, methodInitialize)
			s.Check("initialize takes what the editor tells of itself", taken, ok && opens(r), s.At(r.Seq, "", "a result with a protocolVersion", string(r.Data)), "the connection was not opened")
			return nil
		}},
		{Sentence: `what came too early was answered, and initialize was taken behind it`, IDs: []string{"ACP-INIT-12"}, run: tooEarly},
		{Sentence: `the second initialize was answered, and a session can be made behind it`, IDs: []string{"ACP-INIT-13"}, run: secondTime},
		{Sentence: `each request was taken, whatever stood beside it`, IDs: besideIDs(), run: allTaken},
	}
}

func besideIDs() []string { return []string{"ACP-EXT-01", "ACP-EXT-10", "ACP-EXT-12"} }

// lastTo gives the answer to the last request of a method, or that request where it has none.
func lastTo(s *conform.Scenario, method string) (wire.Record, bool) {
	r := last(requestsOf(s, method))
	if answer, ok := s.AnswerTo(r.Seq); ok {
		return answer, true
	}
	return r, false
}

// requestsOf gives what the client has asked: by this method, or by any.
func requestsOf(s *conform.Scenario, method string) (list []wire.Record) {
	for _, r := range s.Records() {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && (method == "" || r.Frame.Method == method) {
			list = append(list, r)
		}
	}
	return list
}

func opens(r wire.Record) bool { return wire.Lookup(r.Frame.Result, "protocolVersion") != nil }

func ownVersion(s *conform.Scenario, a args) error {
	const name = "a version that is not spoken is answered with one that is"
	ids := []string{"ACP-INIT-03"}
	r, ok := lastTo(s, methodInitialize)
	s.Check(name, ids, ok && r.Frame.Result != nil, s.At(r.Seq, "", "a result", string(r.Data)), "initialize was not answered with a result")
	if !ok || r.Frame.Result == nil {
		return nil
	}
	got := string(wire.Lookup(r.Frame.Result, "protocolVersion"))
	s.Check(name, ids, got != "" && got != a[0], s.At(r.Seq, "/result/protocolVersion", "another version than "+a[0], got), "initialize answered version %s", got)
	return nil
}

// tooEarly accepts an error and a result: the protocol forbids the client to ask, and says nothing about the answer.
func tooEarly(s *conform.Scenario, _ args) error {
	all := requestsOf(s, "")
	if len(all) < 2 {
		return nil
	}
	ids := []string{"ACP-INIT-12"}
	_, answered := s.AnswerTo(all[0].Seq)
	s.Check("what comes before initialize is answered", ids, answered, s.At(all[0].Seq, "", "an answer", "none"), "what came before initialize was never answered")
	r, ok := s.AnswerTo(all[1].Seq)
	s.Check("what comes before initialize does no harm", ids, ok && opens(r), s.At(all[1].Seq, "", "a result of initialize", string(r.Data)), "initialize failed behind what came before it")
	return nil
}

func secondTime(s *conform.Scenario, _ args) error {
	ids := []string{"ACP-INIT-13"}
	all := requestsOf(s, methodInitialize)
	if len(all) < 2 {
		return nil
	}
	if first, ok := s.AnswerTo(all[0].Seq); !ok || !opens(first) {
		return nil // there was no first one
	}
	_, answered := s.AnswerTo(all[1].Seq)
	s.Check("a second initialize is answered", ids, answered, s.At(all[1].Seq, "", "an answer", "none"), "the second initialize was never answered")
	if answered {
		s.Check("behind a second initialize the connection goes on", ids, s.Broken() == nil && len(s.SessionIDs()) > 0, nil, "no session could be made behind it")
	}
	return nil
}

// allTaken looks at every request of the client: what stands beside its own members must not change that it is taken.
func allTaken(s *conform.Scenario, _ args) error {
	for _, q := range requestsOf(s, "") {
		r, ok := s.AnswerTo(q.Seq)
		s.Check("a request is taken with what stands beside it", besideIDs(), ok && r.Frame.Result != nil, s.At(q.Seq, "", "a result", string(r.Data)), "%s was not answered with a result", q.Frame.Method)
	}
	return nil
}
