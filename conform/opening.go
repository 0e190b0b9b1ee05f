package conform

import "acp-conform/wire"

// Unopened says that the sentences open the connection themselves, with requests of their own: it is the opening that is
// looked at. It must come before the first step; an error is a harness error. That initialize succeeds is then for the
// sentences to demand.
func (s *Scenario) Unopened() error {
	if s.process != nil || !s.script.first() {
		return s.Harness("that the connection is not open yet must stand before the first step")
	}
	s.unopened = true
	return nil
}

// opened takes the answer to a request that opens the connection, or makes a session on one that the sentences opened, as
// the steps of these names do.
func (s *Scenario) opened(method string) {
	if !s.unopened {
		return
	}
	records := s.log.Records()
	for i := len(records) - 1; i >= 0; i-- {
		r := records[i]
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter || r.Answers < 0 || records[r.Answers].Frame.Method != method {
			continue
		}
		id := wire.LookupString(r.Frame.Result, "sessionId")
		switch {
		case method == methodInitialize && wire.Lookup(r.Frame.Result, "protocolVersion") != nil:
			s.initialized = r.Frame.Result
		case method == methodNewSession && id != "" && s.number(id) == 0:
			s.sessions = append(s.sessions, id)
		}
		return
	}
}
