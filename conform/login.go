package conform

import (
	"encoding/json"

	"acp-conform/wire"
)

// AuthRequired is the error of ACP v1 with which an adapter asks for a login.
const AuthRequired = -32000

// LoginError says that nothing can be judged, because the adapter wants a login first.
type LoginError struct {
	Text   string // which request it answered so
	Stderr string // tail of the adapter's stderr
}

func (e *LoginError) Error() string { return e.Text }

// wantsLogin gives the error of an answer that asks for a login; nil for any other answer.
func wantsLogin(method string, answer wire.Frame) *LoginError {
	var told struct{ Code int }
	if json.Unmarshal(answer.Error, &told) != nil || told.Code != AuthRequired {
		return nil
	}
	return &LoginError{Text: method + " was answered with the error " + short(answer.Error)}
}

// tryLogin asks for one session: an adapter that wants a login before it makes any could not be judged in a single
// scenario. Whatever else is wrong with the answer, the scenarios find.
func (s *Scenario) tryLogin() error {
	answer, err := s.call(methodNewSession, s.newSessionParams(nil))
	if err != nil {
		return nil
	}
	if login := wantsLogin(methodNewSession, answer); login != nil {
		return login
	}
	return nil
}
