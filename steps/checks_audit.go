package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// auditChecks are about the log of what was asked and decided. They look once the adapter has ended, and only where its
// logs can be read.
func auditChecks() []Definition {
	return []Definition{
		{Sentence: `the audit log holds the decisions {text}`, IDs: decisionIDs(), run: func(s *conform.Scenario, a args) error {
			return loggedDecisions(s, 0, decisionIDs(), a[0])
		}},
		{Sentence: `the audit log of session {n} holds the decisions {text}`, IDs: decisionIDs(), run: func(s *conform.Scenario, a args) error {
			return loggedDecisions(s, a.number(0), decisionIDs(), a[1])
		}},
		{Sentence: `the audit log says that what nobody answered ended as {text}`, IDs: []string{"MUSE-AUD-04"}, run: func(s *conform.Scenario, a args) error {
			return loggedDecisions(s, 0, []string{"MUSE-AUD-04"}, a[0])
		}},
		{Sentence: `the audit log holds no question`, IDs: []string{"REQ-AUD-05", "REQ-AUD-06", "REQ-ESC-02", "REQ-ESC-03", "REQ-HOOK-02", "REQ-HOOK-03", "REQ-ACP-18"}, run: func(s *conform.Scenario, _ args) error {
			ids := []string{"REQ-AUD-05", "REQ-AUD-06", "REQ-ESC-02", "REQ-ESC-03", "REQ-HOOK-02", "REQ-HOOK-03", "REQ-ACP-18"}
			return audited(s, 0, func(log conform.AuditLog) {
				got := questionsIn(log)
				s.Check("nothing is asked, and the log says so", ids, len(got) == 0, lines("no question", got), "the audit log holds %d questions", len(got))
			})
		}},
		{Sentence: `the audit log gives the reasons {text}`, IDs: []string{"REQ-APPR-03", "REQ-ESC-04", "REQ-HOOK-01", "REQ-HOOK-02"}, run: func(s *conform.Scenario, a args) error {
			ids := []string{"REQ-APPR-03", "REQ-ESC-04", "REQ-HOOK-01", "REQ-HOOK-02"}
			return audited(s, 0, func(log conform.AuditLog) {
				var got []string
				for _, q := range questionsIn(log) {
					got = append(got, strings.ReplaceAll(wire.LookupString(json.RawMessage(q), "reason"), "\n", `\n`))
				}
				s.Check("the log says why it was asked", ids, strings.Join(got, " | ") == a[0], lines(a[0], got), "the reasons are %s", list(got))
			})
		}},
		{Sentence: `the audit log's question is, in full, {rest}`, IDs: []string{"REQ-APPR-03", "REQ-APPR-29", "REQ-HOOK-01"}, run: loggedQuestion},
		{Sentence: `the audit log goes {text}`, IDs: []string{"REQ-AUD-01", "REQ-HOOK-04", "REQ-APPR-28", "REQ-POL-07", "REQ-POL-08", "REQ-POL-13"}, run: func(s *conform.Scenario, a args) error {
			ids := []string{"REQ-AUD-01", "REQ-HOOK-04", "REQ-APPR-28", "REQ-POL-07", "REQ-POL-08", "REQ-POL-13"}
			return audited(s, 0, func(log conform.AuditLog) {
				var got []string
				for _, e := range log.Entries {
					got = append(got, e.Type)
				}
				s.Check("the log's events are in order", ids, strings.Join(got, ", ") == a[0], lines(a[0], got), "the audit log holds %s", list(got))
			})
		}},
		{Sentence: `the audit log holds the policies {text}`, IDs: []string{"REQ-POL-02", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09"}, run: func(s *conform.Scenario, a args) error {
			return loggedPolicies(s, 0, a[0])
		}},
		{Sentence: `the audit log of session {n} holds the policies {text}`, IDs: []string{"REQ-POL-02", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09"}, run: func(s *conform.Scenario, a args) error {
			return loggedPolicies(s, a.number(0), a[1])
		}},
		{Sentence: `the audit log says that the turns ended as {text}`, IDs: []string{"REQ-ACP-14"}, run: func(s *conform.Scenario, a args) error {
			return audited(s, 0, func(log conform.AuditLog) {
				var got []string
				for _, e := range log.Entries {
					if e.Type == "turn/end" {
						how, why := wire.LookupString(e.Data, "kind"), wire.LookupString(e.Data, "reason")
						got = append(got, strings.TrimSuffix(how+" by "+why, " by "))
					}
				}
				s.Check("the log says how each turn ended", []string{"REQ-ACP-14"}, strings.Join(got, " | ") == a[0], lines(a[0], got), "the turns ended as %s", list(got))
			})
		}},
		{Sentence: `what the audit log holds reached neither the editor nor Muse`, IDs: []string{"REQ-AUD-03", "REQ-ACP-04", "REQ-ASK-11"}, run: kept},
	}
}

// decisionIDs are the requirements that the outcomes in a log can decide.
func decisionIDs() []string {
	return []string{"REQ-ACP-08", "REQ-ACP-09", "REQ-ACP-10", "REQ-ACP-11", "REQ-ACP-12", "REQ-ACP-13", "REQ-ACP-14", "REQ-ACP-16", "REQ-ACP-17", "REQ-ACP-19",
		"REQ-APPR-05", "REQ-APPR-07", "REQ-APPR-17", "REQ-APPR-18", "REQ-APPR-23", "REQ-APPR-27", "REQ-AUD-04", "REQ-AUD-06", "REQ-POL-03", "REQ-ESC-09", "REQ-HOOK-01",
		"MUSE-MODE-04", "MUSE-MODE-05", "MUSE-MODE-08"}
}

// audited runs a check of the log of session n (0: the newest) at the end, where there is a log to be read.
func audited(s *conform.Scenario, n int, check func(conform.AuditLog)) error {
	s.Finally(func() {
		log, told := s.AuditLog(n)
		if !told || s.Broken() != nil {
			return
		}
		check(log)
	})
	return nil
}

// lines points at what a log holds.
func lines(want string, got []string) *conform.Place {
	return &conform.Place{Offset: -1, Expected: want, Actual: list(got)}
}

// questionsIn gives the data of the questions in a log.
func questionsIn(log conform.AuditLog) (got []string) {
	for _, e := range log.Entries {
		if e.Type == "approval/asked" {
			got = append(got, string(e.Data))
		}
	}
	return got
}

// loggedDecisions compares the outcomes in a log, in the order of their questions; a question without a decision has none.
func loggedDecisions(s *conform.Scenario, n int, ids []string, want string) error {
	return audited(s, n, func(log conform.AuditLog) {
		outcome := map[string]string{}
		for _, e := range log.Entries {
			if e.Type == "approval/decided" {
				outcome[wire.LookupString(e.Data, "id")] = wire.LookupString(e.Data, "outcome")
			}
		}
		var got []string
		for _, q := range questionsIn(log) {
			got = append(got, outcome[wire.LookupString(json.RawMessage(q), "id")])
		}
		s.Check("the log says how each question was decided", ids, strings.Join(got, " | ") == want, lines(want, got), "the decisions are %s", list(got))
	})
}

func loggedPolicies(s *conform.Scenario, n int, want string) error {
	ids := []string{"REQ-POL-02", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09"}
	return audited(s, n, func(log conform.AuditLog) {
		var got []string
		for _, e := range log.Entries {
			if e.Type == "approval/policy" {
				got = append(got, wire.LookupString(e.Data, "policy"))
			}
		}
		s.Check("the log holds the switches of the policy", ids, strings.Join(got, " | ") == want, lines(want, got), "the policies are %s", list(got))
	})
}

// loggedQuestion compares the one question of a log with what stands in the sentence, member by member and in order. The
// id of the question differs from run to run and is written as {id}; so is that of the call, as {call}.
func loggedQuestion(s *conform.Scenario, a args) error {
	ids := []string{"REQ-APPR-03", "REQ-APPR-29", "REQ-HOOK-01"}
	return audited(s, 0, func(log conform.AuditLog) {
		got := questionsIn(log)
		if len(got) != 1 {
			s.Check("the log's question holds its members and no others", ids, false, lines(a[0], got), "the audit log holds %d questions", len(got))
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(got[0])); err != nil {
			s.Check("the log's question holds its members and no others", ids, false, lines(a[0], got), "the question is no JSON")
			return
		}
		question := compact.Bytes() // white space between the members says nothing
		for member, name := range map[string]string{"id": "{id}", "callId": "{call}"} {
			if v := wire.Lookup(question, member); v != nil {
				question = bytes.Replace(question, []byte(fmt.Sprintf("%q:%s", member, v)), []byte(fmt.Sprintf("%q:%q", member, name)), 1)
			}
		}
		s.Check("the log's question holds its members and no others", ids, string(question) == a[0], lines(a[0], []string{string(question)}), "the question is %s", question)
	})
}

// kept looks for what only the log may hold, the ids of its questions, the reasons that were given and the names of its
// events, in all that the adapter sent to either side.
func kept(s *conform.Scenario, _ args) error {
	ids := []string{"REQ-AUD-03", "REQ-ACP-04", "REQ-ASK-11"}
	const name = "what the log holds stays in it"
	return audited(s, 0, func(log conform.AuditLog) {
		questions := questionsIn(log)
		s.Check(name, []string{"REQ-AUD-03"}, len(questions) > 0, nil, "the audit log holds no question")
		for _, q := range questions {
			for _, member := range []string{"id", "reason"} {
				secret := wire.LookupString(json.RawMessage(q), member)
				if secret == "" {
					continue
				}
				for _, r := range s.Log().Records() {
					if r.Dir == wire.FromAdapter && bytes.Contains([]byte(plain(r.Data)), []byte(jsonText(secret))) {
						s.Check(name, ids, false, s.At(r.Seq, "", "no word of it", secret), "the %s of a question was sent: %s", member, secret)
						return
					}
				}
			}
		}
		s.Check(name, ids, true, nil, "")
		for _, r := range s.Log().Records() {
			for _, event := range []string{"approval/asked", "approval/decided"} {
				if r.Dir == wire.FromAdapter && bytes.Contains(r.Data, []byte(event)) {
					s.Check(name, []string{"REQ-AUD-03"}, false, s.At(r.Seq, "", "no event of the log", event), "an event of the log was sent: %s", event)
					return
				}
			}
		}
	})
}
