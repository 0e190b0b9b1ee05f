package scenarios

import (
	"fmt"
	"slices"

	"acp-conform/internal/strictjson"
)

// sessionless are the operations that need no session to be there.
var sessionless = []string{"initialize", "newSession", "newSessionExpectError", "line", "pieces", "request"}

// NeedsSession reports whether an operation needs a session to be there.
func NeedsSession(op string) bool { return !slices.Contains(sessionless, op) }

// DecodeRecorded reads an input.json that is played as it stands. No sentence opens its connection and makes its
// sessions, so its own steps must: the first one is initialize, and a newSession stands before what needs a session.
func DecodeRecorded(file string, data []byte) (*Input, error) {
	in, err := DecodeInput(file, data)
	if err != nil {
		return nil, err
	}
	fail := func(line int, at, problem string) (*Input, error) {
		return nil, &strictjson.Error{File: file, Line: line, At: at, Problem: problem}
	}
	steps := elements(data, "steps")
	if len(in.Steps) == 0 {
		return fail(1, "", `"steps" is empty; a recorded conversation begins with "initialize" and "newSession"`)
	}
	sessions := 0
	for i, s := range in.Steps {
		switch {
		case i == 0 && s.Op != "initialize":
			return fail(steps[i].line, stepPlace(i, s.Op), fmt.Sprintf(`a recorded conversation begins with "initialize" and "newSession"; this one begins with %q`, s.Op))
		case sessions == 0 && NeedsSession(s.Op):
			return fail(steps[i].line, stepPlace(i, s.Op), `it needs a session, and no "newSession" stands before it`)
		}
		for _, n := range append(sessionsOf(s.Prompts), s.Session) {
			if n > sessions {
				return fail(steps[i].line, stepPlace(i, s.Op), fmt.Sprintf("there is no session %d; so many are made before it: %d", n, sessions))
			}
		}
		if s.Op == "newSession" {
			sessions++
		}
	}
	return in, nil
}

func sessionsOf(prompts []Prompt) (list []int) {
	for _, p := range prompts {
		list = append(list, p.Session)
	}
	return list
}
