package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// lineChecks are about raw lines and their answers.
func lineChecks() []Definition {
	lines := []string{"ACP-RPC-02", "ACP-RPC-08", "ACP-RPC-10", "ACP-RPC-11", "ACP-RPC-12", "ACP-RPC-13", "ACP-TRN-09"}
	return []Definition{
		{Sentence: `the editor got the error -{n} for the id {rest}`, IDs: lines, run: func(s *conform.Scenario, a args) error {
			return gotError(s, []int{-a.number(0)}, strings.Split(a[1], " or "), lines)
		}},
		{Sentence: `the editor got the error -{n} or -{n} for the id {rest}`, IDs: lines, run: func(s *conform.Scenario, a args) error {
			return gotError(s, []int{-a.number(0), -a.number(1)}, strings.Split(a[2], " or "), lines)
		}},
		{Sentence: `the editor got no answer to the line`, IDs: unansweredIDs(), run: noAnswer},
		{Sentence: `the batch was refused once, or answered with two errors`, IDs: []string{"ACP-RPC-12"}, run: batch},
		{Sentence: `a session can be made`, IDs: append([]string{"ACP-TRN-10"}, lines...), run: func(s *conform.Scenario, _ args) error {
			ids := append([]string{"ACP-TRN-10"}, lines...)
			n := 0
			for _, r := range s.Records() {
				if r.Answers >= 0 && wire.LookupString(r.Frame.Result, "sessionId") != "" {
					n++
				}
			}
			s.Check("the connection goes on", ids, n > 0 && s.Broken() == nil, nil, "no session could be made after the line")
			return nil
		}},
	}
}

// answersToLine gives the responses between the raw line and what the client sent next.
func answersToLine(s *conform.Scenario) (list []wire.Record) {
	records := s.Records()
	from := -1
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method != "initialize" && from < 0 {
			from = r.Seq
		}
	}
	if from < 0 {
		return nil
	}
	for _, r := range records[from+1:] {
		switch {
		case r.Lane == wire.Client && r.Dir == wire.ToAdapter:
			return list
		case r.Lane == wire.Client && (r.Frame.Kind == wire.Response || r.Frame.Kind == wire.Batch):
			list = append(list, r)
		}
	}
	return list
}

func gotError(s *conform.Scenario, codes []int, wantIDs []string, ids []string) error {
	if s.Broken() != nil {
		s.Check("the line is answered", ids, false, nil, "%v", s.Broken())
		return nil
	}
	want := fmt.Sprintf("one error of %v for the id %s", codes, strings.Join(wantIDs, " or "))
	answers := answersToLine(s)
	if len(answers) != 1 {
		s.Check("the line is answered once", ids, false, nil, "the line got %d answers, not %s", len(answers), want)
		return nil
	}
	var code int
	json.Unmarshal(wire.Lookup(answers[0].Frame.Error, "code"), &code)
	at := s.At(answers[0].Seq, "", want, string(answers[0].Data))
	aboutCode := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "ACP-RPC-02" })
	s.Check("the line is answered with the right error", aboutCode, slices.Contains(codes, code), at, "the line was answered otherwise")
	s.Check("the line is answered under the right id", ids, slices.Contains(wantIDs, string(answers[0].Frame.ID)), at, "the line was answered under another id")
	return nil
}

// unansweredIDs are the requirements that an answer breaks where none may come.
func unansweredIDs() []string {
	return []string{"ACP-TRN-10", "ACP-RPC-06", "ACP-RPC-20", "ACP-EXT-06", "ACP-XC-01"}
}

// noAnswer looks at everything that came so far: what the line got may come behind the client's next request, but
// not behind the answer to that.
func noAnswer(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := unansweredIDs()
	for _, r := range s.Records() {
		if r.Lane == wire.Client && r.Dir == wire.FromAdapter && r.Answers < 0 && (r.Frame.Kind == wire.Response || r.Frame.Kind == wire.Batch) {
			s.Check("the line gets no answer", ids, false, s.At(r.Seq, "", "no answer", string(r.Data)), "the line was answered")
			return nil
		}
	}
	s.Check("the line gets no answer", ids, true, nil, "")
	return nil
}

// batch accepts what JSON-RPC allows for a batch: one refusal of the whole, or an array with an answer for each request.
func batch(s *conform.Scenario, _ args) error {
	ids := []string{"ACP-RPC-12"}
	answers := answersToLine(s)
	if s.Broken() != nil || len(answers) != 1 {
		s.Check("the batch is answered once", ids, false, nil, "the batch got %d answers", len(answers))
		return nil
	}
	a := answers[0]
	var list []struct {
		ID    int             `json:"id"`
		Error json.RawMessage `json:"error"`
	}
	switch {
	case a.Frame.Kind == wire.Response:
		var code int
		json.Unmarshal(wire.Lookup(a.Frame.Error, "code"), &code)
		s.Check("the batch is refused", ids, code == -32600 && string(a.Frame.ID) == "null", s.At(a.Seq, "", "one error -32600 for the id null", string(a.Data)), "the batch was answered otherwise")
	case json.Unmarshal(a.Data, &list) != nil || len(list) != 2 || list[0].Error == nil || list[1].Error == nil || list[0].ID+list[1].ID != 143:
		s.Check("the batch is answered as a batch", ids, false, s.At(a.Seq, "", "two errors, for the ids 71 and 72", string(a.Data)), "the batch was answered otherwise")
	default:
		s.Check("the batch is answered as a batch", ids, true, nil, "")
	}
	return nil
}
