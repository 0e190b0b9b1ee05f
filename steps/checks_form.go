package steps

import (
	"slices"
	"strings"

	"acp-conform/conform"
)

// formChecks are about forms: what the editor was shown, and what Muse was told.
func formChecks() []Definition {
	shownForm := []string{"MUSE-FORM-01", "MUSE-FORM-02"}
	return []Definition{
		{Sentence: `the editor was shown a form once, about {text}`, IDs: shownForm, run: func(s *conform.Scenario, a args) error {
			formAbout(s, a[0])
			return nil
		}},
		{Sentence: `the editor was shown a form once, about {text}, with the choices {text}`, IDs: shownForm, run: func(s *conform.Scenario, a args) error {
			if f, ok := formAbout(s, a[0]); ok {
				i := slices.IndexFunc(f.Fields, func(x conform.Field) bool { return x.Choices != nil })
				var got []string
				if i >= 0 {
					got = f.Fields[i].Choices
				}
				want := strings.Split(a[1], " | ")
				s.Check("the form offers Muse's choices", []string{"MUSE-FORM-02"}, slices.Equal(got, want), s.At(f.Seq, "/params/requestedSchema", list(want), list(got)), "the form offers %s", list(got))
			}
			return nil
		}},
		{Sentence: `the form had the fields {text}, all of them required`, IDs: []string{"MUSE-FORM-03"}, run: formFields},
		{Sentence: `the editor was shown no form`, IDs: []string{"ACP-ELIC-01"}, run: func(s *conform.Scenario, _ args) error {
			forms := s.Forms()
			if len(forms) == 0 {
				if s.Broken() == nil {
					s.Check("the editor is shown no form", []string{"ACP-ELIC-01"}, true, nil, "")
				}
				return nil
			}
			s.Check("the editor is shown no form", []string{"ACP-ELIC-01"}, false, s.At(forms[0].Seq, "", "no form", string(forms[0].Params)), "the editor was asked to show a form, which it cannot")
			return nil
		}},
		{Sentence: `Muse was told the answer {text}`, IDs: []string{"MUSE-FORM-04"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, in := range s.Facts().Inputs {
				got = append(got, in.Words...)
			}
			inputs := s.Facts().Inputs
			want := strings.Split(a[0], " | ")
			s.Check("Muse is told the answer, once", []string{"MUSE-FORM-04"}, len(inputs) == 1 && inputs[0].Accepted && slices.Equal(got, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(got)}, "Muse was told %s", list(got))
			return nil
		}},
		{Sentence: `Muse was told no answer`, IDs: noFormAnswer(), run: func(s *conform.Scenario, _ args) error {
			for _, in := range s.Facts().Inputs {
				if !in.Cancelled {
					s.Check("Muse is told no answer that the user did not give", noFormAnswer(), false, s.At(in.Seq, "/params/answers", "no answer", string(in.Answers)), "Muse was told an answer that the user did not give")
					return nil
				}
			}
			if s.Broken() == nil {
				s.Check("Muse is told no answer that the user did not give", noFormAnswer(), true, nil, "")
			}
			return nil
		}},
		{Sentence: `Muse was told that nobody answers, because {text}`, IDs: []string{"MUSE-FORM-05", "MUSE-FORM-06", "MUSE-FORM-07"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			ids := []string{"MUSE-FORM-05", "MUSE-FORM-06", "MUSE-FORM-07"}
			var got []string
			for _, in := range s.Facts().Inputs {
				if in.Cancelled {
					got = append(got, in.Reason)
				}
			}
			s.Check("Muse is told that nobody answers, once", ids, slices.Equal(got, a[:1]), &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[0], Actual: list(got)}, "Muse was told the reasons %s", list(got))
			return nil
		}},
		{Sentence: `after the form the turn went on and ended with {text}`, IDs: []string{"MUSE-FORM-05", "MUSE-FORM-04"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			o := last(s.Outcomes(0))
			s.Check("the turn goes on after the form", []string{"MUSE-FORM-05", "MUSE-FORM-04"}, o.Answered && o.Code == 0, s.At(o.Seq, "", "no error", describe(o)), "the prompt came to: %s", describe(o))
			s.Check("the turn ended with "+a[0], nil, o.StopReason == a[0], s.At(o.Seq, "", "stop reason "+a[0], describe(o)), "the turn ended otherwise: %s", describe(o))
			return nil
		}},
		{Sentence: `for want of an answer the prompt failed with the error -{n}`, IDs: []string{"MUSE-FORM-06", "MUSE-FORM-07"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			o, want := last(s.Outcomes(0)), -a.number(0)
			s.Check("the prompt fails for want of an answer", []string{"MUSE-FORM-06", "MUSE-FORM-07"}, o.Code == want, s.At(o.Seq, "/error/code", "-"+a[0], describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}},
		{Sentence: `the error is about the field {text}`, IDs: []string{"MUSE-FORM-06"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			o := last(s.Outcomes(0))
			s.Check("the error names the field", []string{"MUSE-FORM-06"}, strings.Contains(o.Message, a[0]), s.At(o.Seq, "/error/message", a[0], o.Message), "the error's message is %q", o.Message)
			return nil
		}},
	}
}

// noFormAnswer are the requirements that an answer breaks which the user did not give.
func noFormAnswer() []string {
	return []string{"ACP-ELIC-02", "ACP-ELIC-07", "ACP-ELIC-09", "MUSE-FORM-08"}
}

// formAbout checks that one form was shown, about this.
func formAbout(s *conform.Scenario, about string) (conform.Form, bool) {
	const name = "a form is shown once, about the right thing"
	if s.Broken() != nil {
		return conform.Form{}, false
	}
	forms := s.Forms()
	s.Check(name, []string{"MUSE-FORM-01"}, len(forms) == 1, nil, "%d forms were shown", len(forms))
	if len(forms) == 0 {
		return conform.Form{}, false
	}
	f := forms[0]
	s.Check(name, []string{"MUSE-FORM-02"}, f.Session > 0 && strings.Contains(f.Message, about), s.At(f.Seq, "/params/message", about, f.Message), "the form is about %q", f.Message)
	return f, true
}

func formFields(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "the form has a field for each question"
	forms := s.Forms()
	if len(forms) == 0 {
		s.Check(name, []string{"MUSE-FORM-03"}, false, nil, "no form was shown")
		return nil
	}
	f, want := forms[0], strings.Split(a[0], " | ")
	fits := len(f.Fields) == len(want)
	var got []string
	for i, field := range f.Fields {
		got = append(got, field.Title+" "+field.Description)
		fits = fits && field.Required && (field.Description == want[i] || field.Title == want[i] || field.Name == want[i])
	}
	s.Check(name, []string{"MUSE-FORM-03"}, fits, s.At(f.Seq, "/params/requestedSchema", list(want), list(got)), "the form has the fields %s, or not all are required", list(got))
	return nil
}
