package fakemuse

import (
	"errors"
	"os"
	"path/filepath"
)

// exportFile is what `muse export` writes. Its events are those of the session's view as view/page gives them, in their
// order; how a real one shows them is not known (muse-adapter.md §2.5 names only the version).
type exportFile struct {
	SchemaVersion int          `json:"export_schema_version"`
	Events        []pagedEvent `json:"events"`
}

type exportedItem struct {
	SessionID string `json:"sessionId"`
	Item      item   `json:"item"`
}

// export writes an export file, inside the root only. A session that does not exist is exported as one that holds
// nothing.
func (s *Server) export(sessionID, file string) error {
	if !s.inside(filepath.Dir(file)) {
		s.problem(ProblemOutside, "", "an export to %s is outside the scenario's folder", file)
		return errors.New("cannot write the export")
	}
	out := exportFile{SchemaVersion: 1, Events: []pagedEvent{}}
	if session := s.stored[sessionID]; session != nil {
		// Items that a script stored without events come first: they belong to the past.
		for _, i := range session.items {
			if !session.shown(i.ItemID) {
				out.Events = append(out.Events, pagedEvent{"item/completed", encode(exportedItem{sessionID, *i})})
			}
		}
		for _, e := range session.events {
			if e.durable {
				out.Events = append(out.Events, pagedEvent{e.method, e.params})
			}
		}
	}
	if err := os.WriteFile(file, append(encode(out), '\n'), 0o600); err != nil {
		return errors.New("cannot write the export")
	}
	return nil
}
