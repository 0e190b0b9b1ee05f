package fakemuse

import "slices"

// neverLost are the events that a host delivers whatever happens (msp.md §3).
func neverLost() []string { return []string{"approval/resolved", "userInput/settled"} }

// deliver sends the event at the session's cursor, unless it gets lost on its way. The next one that arrives is followed
// by word of the hole, or preceded by it where the host tells it first (msp.md §5.3). Requests of the host are never
// lost, and are no events.
func (s *session) deliver(method string, raw []byte) {
	if s.losing && !slices.Contains(neverLost(), method) {
		s.hole = true
		return
	}
	gap := func() {
		if s.hole {
			s.hole = false
			s.notify("view/gap", encode(gapParams{SessionID: s.id, After: s.cursorText(s.delivered), Next: s.cursorText(s.cursor)}))
		}
	}
	first := s.server.variants.has(gapFirst)
	if first {
		gap()
	}
	s.notify(method, raw)
	if !first {
		gap()
	}
	s.delivered = s.cursor
}

// lose runs steps whose events get lost on their way to the client.
func (t *turn) lose(steps []Step, index int) error {
	t.session.losing = true
	defer func() { t.session.losing = false }()
	for i := range steps {
		if err := t.step(&steps[i], index); err != nil {
			return err
		}
	}
	return nil
}
