package reference

import "acp-conform/reference/muse"

// MatchesByID is the fault that knows choices by their ids alone.
const MatchesByID Fault = "matches-choice-by-id"

func meaningFaults() []FaultInfo {
	return []FaultInfo{
		{MatchesByID, "A choice is sent by its id, also when the host has given the id another meaning since the client was asked."},
	}
}

// sameMeaning reports whether a choice of now decides what the one that was shown did, for as long.
func (s *session) sameMeaning(shown, now muse.Choice) bool {
	return now.Decision == shown.Decision && now.Scope == shown.Scope || s.a.fault(MatchesByID)
}
