package steps

import (
	"path/filepath"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// apartChecks are about sessions beside each other, about the folder that a session works in, and about what a cancel
// reaches.
func apartChecks() []Definition {
	return []Definition{
		{Sentence: `the user stops the turn of session {n}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "cancel", Session: a.number(0)})
		}},
		{Sentence: `only that turn was stopped: that of session {n} is still open`, IDs: []string{"ACP-CAN-12"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() == nil {
				o := last(s.Outcomes(a.number(0)))
				s.Check("a cancel stops the turn of its session only", []string{"ACP-CAN-12"}, !o.Answered, s.At(o.Turn, "", "no answer yet", describe(o)), "the turn of the other session came to: %s", describe(o))
			}
			return nil
		}},
		{Sentence: `the turn of session {n} was disturbed by neither: it ended with {text}`, IDs: []string{"ACP-ISO-03", "ACP-CAN-12"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, a.number(0), a[1], "ACP-ISO-03", "ACP-CAN-12") // a turn that the cancel reached may end some time later
		}},
		{Sentence: `session {n} was not taken down by it: its turn ended with {text}`, IDs: []string{"ACP-ISO-04"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, a.number(0), a[1], "ACP-ISO-04")
		}},
		{Sentence: `what was said in one session never reached Muse in another`, IDs: []string{"ACP-ISO-01"}, run: keptApart},
		{Sentence: `Muse was set to work in the session's folder`, IDs: []string{"ACP-NEW-03"}, run: inItsFolder},
		{Sentence: `the place of the tool call, where it was shown, was {text} in the session's folder`, IDs: []string{"ACP-NEW-04"}, run: placeOfCall},
		{Sentence: `by then Muse was told to stop, or was ended`, IDs: []string{"ACP-CAN-04"}, run: toldToStop},
		{Sentence: `nothing more was asked once the user had stopped the turn`, IDs: []string{"ACP-CAN-11"}, run: askedNothingMore},
		{Sentence: `no Muse was left behind by the request`, IDs: []string{"ACP-NEW-12"}, run: leftNoHost},
		{Sentence: `each request for a session was answered, with a session or with an error`, IDs: []string{"ACP-NEW-05"}, run: sessionOrError},
		{Sentence: `the close was answered, with an object or an error`, IDs: []string{"ACP-CLOSE-04"}, run: func(s *conform.Scenario, _ args) error {
			if r, ok := lastAnswer(s, methodClose, "ACP-CLOSE-04"); ok {
				s.Check("a close of nothing is answered", []string{"ACP-CLOSE-04"}, r.Frame.Error != nil || isObject(r.Frame.Result), s.At(r.Seq, "", "an object or an error", string(r.Data)), "the close was answered otherwise")
			}
			return nil
		}},
	}
}

// folders are those that the client made sessions in.
func folders(s *conform.Scenario) (list []string) {
	for _, r := range s.Records() {
		if cwd := wire.LookupString(r.Frame.Params, "cwd"); r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == "session/new" && cwd != "" {
			list = append(list, cwd)
		}
	}
	return list
}

// inItsFolder looks at the sessions that were begun at Muse. One for which no folder is named works where its Muse was
// started, which no frame tells.
func inItsFolder(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "Muse works in the session's folder"
	want := folders(s)
	s.Check(name, []string{"ACP-NEW-03"}, len(want) > 0, nil, "there is no session")
	for _, r := range s.Records() {
		if r.Lane == wire.Client || r.Dir != wire.FromAdapter || r.Frame.Method != "session/start" {
			continue
		}
		if root := wire.LookupString(r.Frame.Params, "workspaceRoot"); root != "" {
			s.Check(name, []string{"ACP-NEW-03"}, slices.Contains(want, root), s.At(r.Seq, "/params/workspaceRoot", list(want), root), "Muse was set to work in %s", root)
		}
	}
	return nil
}

func placeOfCall(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "a relative path is one below the session's folder"
	s.Check(name, []string{"ACP-NEW-04"}, len(folders(s)) > 0, nil, "there is no session")
	for _, r := range s.Records() {
		update := wire.Lookup(r.Frame.Params, "update")
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter || !strings.HasPrefix(wire.LookupString(update, "sessionUpdate"), "tool_call") {
			continue
		}
		for _, path := range pathsIn(update) {
			ok := slices.ContainsFunc(folders(s), func(f string) bool { return path == filepath.Join(f, filepath.FromSlash(a[0])) })
			s.Check(name, []string{"ACP-NEW-04"}, ok, s.At(r.Seq, "/params/update", a[0]+" in "+list(folders(s)), path), "the tool call is said to work at %s", path)
		}
	}
	return nil
}

// keptApart looks at what Muse heard: each turn is of one session of the editor, and two sessions of the editor have no
// session of Muse in common.
func keptApart(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "each session keeps what it hears"
	ids := []string{"ACP-ISO-01"}
	owner := map[string]string{} // of a session of Muse
	for _, t := range s.Facts().Turns {
		heard := strings.Join(t.Texts, "\n")
		var of []string
		for _, r := range s.Records() {
			if r.Lane != wire.Client || r.Frame.Method != "session/prompt" || slices.Contains(of, r.Session) {
				continue
			}
			if text := promptText(r); text != "" && strings.Contains(heard, text) {
				of = append(of, r.Session)
			}
		}
		s.Check(name, ids, len(of) == 1, s.At(t.Seq, "/params/input", "what was said in one session", heard), "the turn holds what was said in %d sessions", len(of))
		if len(of) != 1 {
			continue
		}
		first, taken := owner[t.Session]
		s.Check(name, ids, !taken || first == of[0], s.At(t.Seq, "/params/sessionId", "a session of Muse for itself", t.Session), "two sessions share one of Muse")
		owner[t.Session] = of[0]
	}
	return nil
}

func toldToStop(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	stopped := -1
	for _, r := range s.Records() {
		switch {
		case r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == "session/cancel":
			stopped = r.Seq
		case r.Lane == wire.Client || stopped < 0:
		case r.Dir == wire.Exit, r.Dir == wire.FromAdapter && (r.Frame.Method == "turn/cancel" || r.Frame.Method == "turn/interrupt"):
			s.Check("a cancel reaches Muse", []string{"ACP-CAN-04"}, true, nil, "")
			return nil
		}
	}
	s.Check("a cancel reaches Muse", []string{"ACP-CAN-04"}, false, s.At(stopped, "", "a cancel of the turn at Muse, or its end", "neither"), "Muse works on, though the user has stopped the turn")
	return nil
}

// askedNothingMore looks at the requests of the adapter between a cancel and the answer to its prompt. When the turn was
// stopped all was quiet, so whatever comes then has its cause behind the cancel.
func askedNothingMore(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "nothing more is asked of a cancelled turn"
	stopped := map[string]bool{}
	records := s.Records()
	for _, r := range records {
		switch {
		case r.Lane != wire.Client:
		case r.Dir == wire.ToAdapter && r.Frame.Method == "session/cancel":
			stopped[r.Session] = true
		case r.Answers >= 0 && records[r.Answers].Frame.Method == "session/prompt":
			delete(stopped, r.Session)
		case r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request && stopped[r.Session] && !strings.HasPrefix(r.Frame.Method, "_"):
			s.Check(name, []string{"ACP-CAN-11"}, false, s.At(r.Seq, "/method", "no request", r.Frame.Method), "%s came behind the cancel", r.Frame.Method)
			return nil
		}
	}
	s.Check(name, []string{"ACP-CAN-11"}, true, nil, "")
	return nil
}

// leftNoHost looks at the hosts that were started between the request for a session and its refusal.
func leftNoHost(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "a session that could not be made leaves no Muse"
	running := map[wire.Lane]bool{}
	records := s.Records()
	for _, r := range records {
		switch {
		case r.Dir == wire.Start:
			running[r.Lane] = true
		case r.Dir == wire.Exit:
			delete(running, r.Lane)
		case r.Lane == wire.Client && r.Answers >= 0 && r.Frame.Error != nil && records[r.Answers].Frame.Method == "session/new":
			s.Check(name, []string{"ACP-NEW-12"}, len(running) == 0, s.At(r.Seq, "", "no Muse", "one that runs"), "a Muse was started for a session that was not made")
		}
	}
	return nil
}

func sessionOrError(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	for _, r := range answersTo(s, "session/new") {
		ok := r.Frame.Error != nil || wire.LookupString(r.Frame.Result, "sessionId") != ""
		s.Check("a request for a session is answered", []string{"ACP-NEW-05"}, ok, s.At(r.Seq, "/result", "a session or an error", string(r.Data)), "the answer gives no session, and no error either")
	}
	return nil
}
