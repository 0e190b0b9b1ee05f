package steps

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// recordedChecks are about conversations that were recorded elsewhere.
func recordedChecks() []Definition {
	return []Definition{
		{Sentence: `the turns ended with {text}`, IDs: []string{"ACP-PR-01"}, run: turnsEnded},
		{Sentence: `the options were answered in full, and a wrong value was refused with the error -{n}`, IDs: []string{"REQ-POL-05", "REQ-POL-06"}, run: optionsAnswered},
	}
}

func turnsEnded(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	var got []string
	for _, o := range s.Outcomes(0) {
		switch {
		case !o.Answered:
			got = append(got, "no answer")
		case o.Code != 0:
			got = append(got, "error")
		default:
			got = append(got, o.StopReason)
		}
	}
	s.Check("the turns end as they should", []string{"ACP-PR-01"}, slices.Equal(got, strings.Split(a[0], ", ")), &conform.Place{Lane: "client", Offset: -1, Expected: a[0], Actual: list(got)}, "the turns ended with %s", list(got))
	return nil
}

// optionsAnswered looks at every answer to session/set_config_option: a result lists every option that session/new
// listed, with the new value; an error has the code.
func optionsAnswered(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	records := s.Records()
	var offered []configOption
	set, refused := false, false
	for _, r := range records {
		if r.Answers < 0 || r.Dir != wire.FromAdapter || r.Lane != wire.Client {
			continue
		}
		asked := records[r.Answers].Frame
		switch asked.Method {
		case "session/new":
			if list := configOptions(r.Frame.Result); list != nil {
				offered = list
			}
		case "session/set_config_option":
			if r.Frame.Error != nil {
				var code int
				json.Unmarshal(wire.Lookup(r.Frame.Error, "code"), &code)
				s.Check("a wrong value is refused", []string{"REQ-POL-06"}, code == -a.number(0), s.At(r.Seq, "/error/code", "-"+a[0], string(r.Data)), "the wrong value was refused with %d", code)
				refused = true
				continue
			}
			set = true
			now := configOptions(r.Frame.Result)
			id, value := wire.LookupString(asked.Params, "configId"), wire.LookupString(asked.Params, "value")
			full := len(now) == len(offered) && len(now) > 0
			for i := range now {
				full = full && now[i].ID == offered[i].ID && (now[i].ID != id || now[i].Value == value)
			}
			s.Check("the answer lists every option", []string{"REQ-POL-05"}, full, s.At(r.Seq, "/result/configOptions", "every option, with the new value", string(r.Data)), "the answer does not list every option with its value of now")
		}
	}
	s.Check("a wrong value is refused", []string{"REQ-POL-06"}, refused, nil, "no wrong value was refused")
	s.Check("the answer lists every option", []string{"REQ-POL-05"}, set, nil, "no option was set")
	return nil
}

type configOption struct {
	ID    string `json:"id"`
	Value string `json:"currentValue"`
}

func configOptions(result json.RawMessage) []configOption {
	var r struct {
		Options []configOption `json:"configOptions"`
	}
	if json.Unmarshal(result, &r) != nil {
		return nil
	}
	return r.Options
}
