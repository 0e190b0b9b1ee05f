package conform

import "fmt"

// formless is about an adapter that shows no forms: ACP leaves that to it. A scenario whose editor answers forms does not
// apply to one that tells its host so at the start, or that was asked by its host and told it that nobody answers, unless
// it shows a form all the same, or ever told the host an answer.
func (s *Scenario) formless() {
	if len(s.script.told.FormAnswers) == 0 || len(s.Forms()) > 0 || s.harness != nil {
		return
	}
	switch declined := s.declinesInput(); {
	case s.facts.NoDialogs:
		s.inapplicable = fmt.Sprintf("it tells %s that its user cannot be asked", s.host.Kind())
	case declined != "":
		s.inapplicable = fmt.Sprintf("it shows no forms, as ACP leaves to it: %s asked for input from the user, and it %s without asking the editor", s.host.Kind(), declined)
	case s.missed != nil:
		s.giveUp(s.missed)
	}
}

// declinesInput says how the adapter declined all that its host asked of the user; empty where it did not, and for one
// that must show forms.
func (s *Scenario) declinesInput() string {
	if !s.engine.FormsOptional || !s.facts.AskedUser || !s.showsForms() {
		return ""
	}
	for _, in := range s.facts.Inputs {
		if !in.Cancelled {
			return ""
		}
	}
	if len(s.facts.Inputs) > 0 {
		return fmt.Sprintf("told %s that nobody answers", s.host.Kind())
	}
	for _, o := range s.Outcomes(0) {
		if o.Code != 0 {
			return fmt.Sprintf("answered the prompt with the error %d", o.Code)
		}
	}
	return ""
}

// noneToAnswer takes that a step finds no open question. Where forms are optional and none was shown, the end says
// whether that is wrong; the steps behind it go on.
func (s *Scenario) noneToAnswer(form bool, missed error) {
	if form && s.engine.FormsOptional && len(s.Forms()) == 0 {
		if s.missed == nil {
			s.missed = missed
		}
		return
	}
	s.giveUp(missed)
}
