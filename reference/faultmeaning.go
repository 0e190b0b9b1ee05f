package reference

import "acp-conform/reference/muse"

// The faults that take a thing for less than it is.
const (
	MatchesByID Fault = "matches-choice-by-id"
	HalvesApart Fault = "replaces-half-characters"
)

func meaningFaults() []FaultInfo {
	return []FaultInfo{
		{MatchesByID, "A choice is sent by its id, also when the host has given the id another meaning since the client was asked."},
		{HalvesApart, "The halves of a character that come in two pieces are each replaced."},
	}
}

// sameMeaning reports whether a choice of now decides what the one that was shown did, for as long.
func (s *session) sameMeaning(shown, now muse.Choice) bool {
	return now.Decision == shown.Decision && now.Scope == shown.Scope || s.a.fault(MatchesByID)
}
