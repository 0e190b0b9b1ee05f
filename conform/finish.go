package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"acp-conform/wire"
)

// End closes the adapter's stdin, reads stdout to its end, ends everything, and judges the scenario. Checks that must
// see the end of the scenario run in between: after is called once everything has ended; it may be nil.
func (s *Scenario) End(after func()) ScenarioResult {
	s.final = s.world.files()
	if !s.hungUp && !s.told {
		s.log.BeginRound() // what follows from an editor that goes away, or from the word to end, and the end, are one
	}
	ending := s.stopKeepingFiles()
	s.ending = ending
	records := s.log.Records()
	evidence := &evidence{s: s, records: records, facts: s.host.Facts(records), ending: ending}
	s.facts = evidence.facts
	if after != nil {
		after()
	}
	s.formless()
	s.takeExcuses()
	for _, check := range s.finally {
		check()
	}
	s.scriptChecks()
	s.brokenCheck() // before the oracles, which find what follows from it
	if s.process != nil {
		s.runOracles(evidence)
		s.schemaChecks(records)
		s.hostChecks()
		s.noteRefusals()
	}
	if s.harness == nil && s.process != nil {
		s.goldenCheck(records)
	}
	s.recordScript()
	s.writeTranscript(records)
	s.cancel()
	return s.result()
}

// stopKeepingFiles ends everything, and remembers what the workspace and the audit logs held at the very end.
func (s *Scenario) stopKeepingFiles() Ending {
	s.beforeRemoval = func() {
		s.final = s.world.files()
		s.readAuditLogs()
	}
	return s.stop()
}

// countsAnyway reports whether a failure counts in a scenario that does not apply to the adapter as well: what an oracle
// finds, a turn that never ends, and what the host objects to. What its sentences look for is not there, and is no failure.
func countsAnyway(c Check) bool {
	return slices.Contains(AlwaysOn(), c.Name) || c.Name == comesToItsEnd || c.Name == hostObjects
}

// The checks that are no oracles and no sentences.
const (
	comesToItsEnd     = "the scenario comes to its end"
	hostObjects       = "the host has nothing to object to"
	answersUsed       = "every scripted answer is used"
	stepsUsed         = "every scripted step is used"
	questionsAnswered = "the script answers every question"
	answerPossible    = "the scripted answer is possible"
)

// Facts are what happened on the host's side; good once the scenario has ended, and an instant's view before.
func (s *Scenario) Facts() Facts {
	if s.ended {
		return s.facts
	}
	return s.host.Facts(s.log.Records())
}

func (s *Scenario) scriptChecks() {
	if s.harness != nil {
		return
	}
	if untold := s.script.untold(); untold != "" {
		s.Harness("%s", untold)
	}
	for _, u := range s.host.Untold() {
		s.Harness("%s", u)
	}
	if s.broken != nil || !s.script.strict {
		return
	}
	for _, left := range append(s.script.leftOver(), s.stillDelayed()...) {
		s.Check(answersUsed, nil, false, nil, "%s", left)
	}
	s.unanswered()
	for _, u := range s.host.Unused() {
		s.Check(stepsUsed, nil, false, nil, "%s", u)
	}
}

// unanswered finds questions that came behind the last step: nobody looked at them any more.
func (s *Scenario) unanswered() {
	for _, r := range s.log.Records() {
		if r.Lane == wire.Client && r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request && isQuestion(r.Frame.Method) && !s.asked[r.Seq] {
			s.Check(questionsAnswered, nil, false, s.place(r.Seq, "", "no question behind the last step", short(r.Frame.Params)),
				"the editor was asked a question behind the last step of %s", s.script.file)
		}
	}
}

func (s *Scenario) hostChecks() {
	for _, p := range s.host.Problems() {
		if p.Adapter {
			s.Check(hostObjects, nil, false, nil, "%s", p.Text)
		} else {
			s.Harness("%s", p.Text)
		}
	}
}

// noteRefusals says with which arguments the host could not be started: what fails in the scenario often follows from it.
func (s *Scenario) noteRefusals() {
	var told []string
	for _, c := range s.host.Calls() {
		note := fmt.Sprintf("the adapter started `%s`, which is refused: %s", strings.Join(append([]string{s.host.Kind()}, c.Argv...), " "), c.Refused)
		if c.Refused != "" && !slices.Contains(told, note) {
			told = append(told, note)
		}
	}
	s.notes = append(s.notes, told...)
}

func (s *Scenario) brokenCheck() {
	if s.broken == nil || s.initialized == nil && !s.unopened {
		return
	}
	s.record(Check{Name: comesToItsEnd, IDs: s.brokenIDs(), Message: s.broken.Error(), Place: &Place{Offset: -1, Expected: "the scenario goes on", Actual: s.broken.Error()}})
}

// brokenIDs are the requirements that an unanswered prompt breaks.
func (s *Scenario) brokenIDs() []string {
	if slices.Contains(s.Requirements, "ACP-PR-01") && strings.Contains(s.broken.Error(), "prompt was not answered") {
		return []string{"ACP-PR-01"}
	}
	return nil
}

// Transcript gives the log in its printed order with aliases, and how many leading rows belong to the opening.
func (s *Scenario) Transcript() (wire.Transcript, int) {
	return s.transcript(s.log.Records())
}

func (s *Scenario) transcript(records []wire.Record) (wire.Transcript, int) {
	rows, opening := wire.Rows(s.arrange(records))
	aliases := wire.NewAliases()
	aliases.Know("cwd", s.world.workspace)
	aliases.Know("home", s.world.home)
	aliases.Know("data", s.world.xdg("data"))
	aliases.Know("config", s.world.xdg("config"))
	aliases.Know("tmp", s.world.temp)
	aliases.Know("muse", s.host.Path())
	aliases.Know("root", s.world.root)
	aliases.LearnFrames(rows)
	return wire.Shorten(aliases.Apply(rows)), opening
}

func (s *Scenario) arrange(records []wire.Record) []wire.Arranged {
	return wire.Arrange(records, s.log.Rounds(), s.host.Order())
}

func (s *Scenario) goldenCheck(records []wire.Record) {
	if s.engine.Goldens == nil || s.broken != nil || slices.Contains(s.engine.Free, s.Name) {
		return
	}
	t, opening := s.transcript(records)
	mismatch := s.engine.Goldens.Compare(s.Name, t, opening)
	if mismatch == nil {
		s.record(Check{Name: Golden, OK: true})
		return
	}
	// Only what passes is recorded: a golden that is missing where something else failed is no news.
	if mismatch.Missing && slices.ContainsFunc(s.checks, func(c Check) bool { return !c.OK }) {
		return
	}
	if mismatch.Place != nil && mismatch.Row >= 0 && mismatch.Row < len(t) && !t[mismatch.Row].Gap {
		// The row's place among the printed entries leads to its place in the order of arrival.
		n := 0
		for _, row := range t[:mismatch.Row] {
			if !row.Gap {
				n++
			}
		}
		mismatch.Place.Frame = s.arrange(records)[n].Seq + 1
	}
	s.record(Check{Name: Golden, Message: mismatch.Message, Place: mismatch.Place})
}

// recordScript writes the input.json that the sentences make, where there is none.
func (s *Scenario) recordScript() {
	if s.script.in != nil || s.harness != nil {
		return
	}
	if s.engine.Record == nil {
		s.Harness("%s does not exist", s.script.file)
		return
	}
	data, err := s.script.told.Encode()
	if err == nil {
		err = s.engine.Record(s.script.file, data)
	}
	if err != nil {
		s.Harness("writing %s: %v", s.script.file, err)
	}
}

// writeTranscript hands the log out, one numbered entry a line.
func (s *Scenario) writeTranscript(records []wire.Record) {
	if s.engine.Transcript == nil {
		return
	}
	var b bytes.Buffer
	for _, r := range records {
		fmt.Fprintf(&b, "%5d  %s", r.Seq+1, wire.Transcript{{Entry: r.Entry}}.Print())
	}
	if err := s.engine.Transcript(s.Name, b.Bytes()); err != nil {
		s.notes = append(s.notes, fmt.Sprintf("the transcript could not be written: %v", err))
	}
}

// result sums the scenario up.
func (s *Scenario) result() ScenarioResult {
	r := ScenarioResult{Name: s.Name, Title: s.Title, Feature: s.Feature, Tags: s.Tags, Checks: s.checks, Notes: s.notes, Duration: time.Since(s.begun)}
	r.Requirements = slices.Clone(s.Requirements)
	for _, c := range s.checks {
		for _, id := range c.IDs {
			if !slices.Contains(r.Requirements, id) {
				r.Requirements = append(r.Requirements, id)
			}
		}
	}
	slices.Sort(r.Requirements)
	if s.process != nil {
		r.Stderr = s.process.StderrTail()
		r.Processes = len(s.HostStarts())
		if _, own := s.process.(*commandProcess); own {
			r.Processes++
		}
	}
	failures := r.Failures()
	switch {
	case s.harness != nil:
		r.Verdict, r.Reason = CouldNotRun, "the harness or the script is wrong: "+s.harness.Error()
	case s.inapplicable != "" && !slices.ContainsFunc(failures, countsAnyway):
		r.Verdict, r.Reason, r.Checks = NotApplicable, s.inapplicable, nil
	case s.process == nil && s.broken != nil, s.initialized == nil && !s.unopened:
		r.Verdict, r.Reason = CouldNotRun, "the adapter never answered initialize with success"
		if s.broken != nil {
			r.Reason = s.broken.Error()
		}
	case len(failures) > 0:
		r.Verdict, r.Reason = Fail, fmt.Sprintf("%s: %s", failures[0].Name, failures[0].Message)
		r.Inapplicable = s.inapplicable
	case len(s.checks) == 0:
		r.Verdict, r.Reason = CouldNotRun, "nothing was checked"
	default:
		r.Verdict = Pass
	}
	return r
}
