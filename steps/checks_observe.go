package steps

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// approvalKey is the member of _meta under which an editor asks to observe Muse's approvals, and is shown them.
const approvalKey = "muse/approval"

// observeChecks are about what an editor is shown of Muse's approvals beside the questions.
func observeChecks() []Definition {
	return []Definition{
		{Sentence: `the adapter agreed to show Muse's approvals`, IDs: []string{"MUSE-META-01"}, run: func(s *conform.Scenario, _ args) error {
			return agreed(s, `{"`+approvalKey+`":{"version":1}}`)
		}},
		{Sentence: `the adapter agreed to nothing`, IDs: []string{"MUSE-META-01"}, run: func(s *conform.Scenario, _ args) error {
			return agreed(s, "")
		}},
		{Sentence: `each option says what Muse decides by it: {text}`, IDs: []string{"MUSE-META-02"}, run: func(s *conform.Scenario, a args) error {
			return eachQuestion(s, "MUSE-META-02", "an option says what Muse decides by it", a[0], func(q conform.Question) string {
				var words []string
				for _, o := range rawList(wire.Lookup(q.Params, "options")) {
					words = append(words, wire.LookupString(o, "_meta", "museDecision")+" "+wire.LookupString(o, "_meta", "museScope"))
				}
				return strings.Join(words, ", ")
			})
		}},
		{Sentence: `the questions named their approval, and the parts {text}`, IDs: []string{"MUSE-META-03"}, run: func(s *conform.Scenario, a args) error {
			return eachQuestion(s, "MUSE-META-03", "a question names what it is about", a[0], func(q conform.Question) string {
				meta := wire.Lookup(q.Params, "_meta")
				id := wire.LookupString(meta, "museApprovalId")
				if id == "" || id != wire.LookupString(meta, "museRequirementId", "approvalId") || wire.LookupString(meta, "museTurnId") == "" || wire.LookupString(meta, "museItemId") == "" {
					return "no approval"
				}
				return string(wire.Lookup(meta, "museRequirementId", "sourceIndex"))
			})
		}},
		{Sentence: `the questions said of the approval {text}`, IDs: []string{"MUSE-META-04"}, run: func(s *conform.Scenario, a args) error {
			return eachQuestion(s, "MUSE-META-04", "a question says what Muse said of the approval", a[0], func(q conform.Question) string {
				o := wire.Lookup(q.Params, "_meta", approvalKey)
				return strings.Join([]string{wire.LookupString(o, "subjectKind"), "judge " + string(wire.Lookup(o, "judgeEscalated")), "protected " + string(wire.Lookup(o, "protectedWrite"))}, ", ")
			})
		}},
		{Sentence: `the questions showed the parts as {text}`, IDs: []string{"MUSE-META-04", "MUSE-META-05"}, run: func(s *conform.Scenario, a args) error {
			for _, id := range []string{"MUSE-META-04", "MUSE-META-05"} {
				if err := eachQuestion(s, id, "a question shows the parts as they are now", a[0], func(q conform.Question) string {
					return partsIn(wire.Lookup(q.Params, "_meta", approvalKey, "stages"))
				}); err != nil {
					return err
				}
			}
			return nil
		}},
		{Sentence: `the questions showed nothing more`, IDs: []string{"MUSE-META-07"}, run: func(s *conform.Scenario, _ args) error {
			return eachQuestion(s, "MUSE-META-07", "who did not ask is shown nothing", "", func(q conform.Question) string {
				return string(wire.Lookup(q.Params, "_meta", approvalKey))
			})
		}},
		{Sentence: `the final decisions were {text}`, IDs: []string{"MUSE-META-06"}, run: finalDecisions},
		{Sentence: `the final decision showed the parts as {text}`, IDs: []string{"MUSE-META-06"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, f := range finals(s) {
				got = append(got, partsIn(wire.Lookup(f.data, "stages")))
			}
			s.Check("the final decision shows the parts as questions do", []string{"MUSE-META-06"}, slices.Equal(got, a[:1]), inClient(a[0], got), "the final decisions showed %s", list(got))
			return nil
		}},
		{Sentence: `no final decision was shown`, IDs: []string{"MUSE-META-07", "MUSE-META-08"}, run: func(s *conform.Scenario, _ args) error {
			if s.Broken() == nil {
				n := len(finals(s))
				s.Check("no final decision is shown", []string{"MUSE-META-07", "MUSE-META-08"}, n == 0, nil, "%d final decisions were shown", n)
			}
			return nil
		}},
		{Sentence: `what metadata says decided nothing: Muse was told {text}`, IDs: []string{"MUSE-META-09", "MUSE-META-10"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, d := range s.Facts().Decisions {
				got = append(got, d.Label)
			}
			s.Check("metadata decides nothing", []string{"MUSE-META-09", "MUSE-META-10"}, slices.Equal(got, a[:1]), &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[0], Actual: list(got)}, "Muse was told %s", list(got))
			return nil
		}},
		{Sentence: `what metadata says granted nothing: the file {text} does not exist`, IDs: []string{"MUSE-META-09", "MUSE-META-10"}, run: func(s *conform.Scenario, a args) error {
			s.Check("metadata grants nothing", []string{"MUSE-META-09", "MUSE-META-10"}, !s.Exists(a[0]), nil, "the file %q exists in the workspace, though nobody allowed it", a[0])
			return nil
		}},
	}
}

// agreed compares all metadata of the answer to initialize.
func agreed(s *conform.Scenario, want string) error {
	if s.Broken() != nil {
		return nil
	}
	seq, result := s.Initialized()
	got := string(wire.Lookup(result, "_meta"))
	s.Check("what is understood is agreed in the beginning", []string{"MUSE-META-01"}, got == want, s.At(seq, "/result/_meta", want, got), "the metadata is %q", got)
	return nil
}

// eachQuestion compares what each question says, in words, in the order of the questions.
func eachQuestion(s *conform.Scenario, id, name, want string, words func(conform.Question) string) error {
	if s.Broken() != nil {
		return nil
	}
	var got []string
	for _, q := range s.Questions() {
		got = append(got, words(q))
	}
	if want == "" {
		got = slices.DeleteFunc(got, func(w string) bool { return w == "" })
	}
	s.Check(name, []string{id}, strings.Join(got, " | ") == want, inClient(want, got), "the questions say %s", list(got))
	return nil
}

func inClient(want string, got []string) *conform.Place {
	return &conform.Place{Lane: wire.Client.String(), Offset: -1, Expected: want, Actual: list(got)}
}

// rawList reads an array, one raw value each.
func rawList(array json.RawMessage) (values []json.RawMessage) {
	if json.Unmarshal(array, &values) != nil {
		return nil
	}
	return values
}

// partsIn gives the kinds of resolution of an approval's parts. A part that is not in its place, or that says more or
// less than where it stands and how it was resolved, is given as it is.
func partsIn(stages json.RawMessage) string {
	var kinds []string
	parts := rawList(stages)
	for i, p := range parts {
		var at struct {
			Position, TotalStages int
			RequirementID         struct{ SourceIndex int }
		}
		known := json.Unmarshal(p, &at) == nil && at.Position == i+1 && at.TotalStages == len(parts) && at.RequirementID.SourceIndex == i
		if known && memberNames(p) == "position requirementId resolutionKind totalStages" {
			kinds = append(kinds, wire.LookupString(p, "resolutionKind"))
		} else {
			kinds = append(kinds, string(p))
		}
	}
	return strings.Join(kinds, ", ")
}

// final is a final decision as it was published.
type final struct {
	seq  int
	data json.RawMessage
}

func finals(s *conform.Scenario) (all []final) {
	for _, r := range s.Records() {
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter || r.Frame.Method != "session/update" {
			continue
		}
		update := wire.Lookup(r.Frame.Params, "update")
		if data := wire.Lookup(update, "_meta", approvalKey); data != nil && wire.LookupString(update, "sessionUpdate") == "session_info_update" {
			all = append(all, final{r.Seq, data})
		}
	}
	return all
}

// finalDecisions compares the final decisions with what is expected, such as "approved by user": one for each approval,
// all of them in front of the response.
func finalDecisions(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"MUSE-META-06"}
	const name = "each approval has one final decision"
	var got, approvals []string
	o := last(s.Outcomes(0))
	for _, f := range finals(s) {
		got = append(got, wire.LookupString(f.data, "decision")+" by "+wire.LookupString(f.data, "resolvedBy"))
		approvals = append(approvals, wire.LookupString(f.data, "approvalId"))
		s.Check("a final decision comes before the response", ids, f.seq < o.Seq, s.At(f.seq, "", "in front of the response", "behind it"), "a final decision came behind the response")
	}
	s.Check(name, ids, strings.Join(got, " | ") == a[0], inClient(a[0], got), "the final decisions are %s", list(got))
	slices.Sort(approvals)
	s.Check(name, ids, len(slices.Compact(approvals)) == len(got) && !slices.Contains(approvals, ""), nil, "%d final decisions are about %d approvals", len(got), len(slices.Compact(approvals)))
	return nil
}
