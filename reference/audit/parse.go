package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"acp-conform/reference/approval"
)

// BadLineError says that a log cannot be believed: a line that no crash leaves behind is no event at its place.
type BadLineError struct {
	Path string // of the file; empty where there is none
	Line int    // from 1
	Why  string
}

func (e *BadLineError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d of the audit log %s", e.Line, e.Why)
	}
	return fmt.Sprintf("line %d of the audit log %s %s", e.Line, e.Path, e.Why)
}

// Parse reads a log. size says how many bytes its events have: what stands behind them is a last line that was torn,
// without its LF or no JSON at all. Anything else that is no event is a BadLineError.
func Parse(data []byte) (events []approval.Event, size int64, err error) {
	for rest := data; len(rest) > 0; {
		text, behind, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			return events, size, nil
		}
		event, why := parseLine(text, len(events))
		switch {
		case why == "":
		case len(behind) == 0 && !json.Valid(text):
			return events, size, nil
		default:
			return nil, 0, &BadLineError{Line: len(events) + 1, Why: why}
		}
		events = append(events, event)
		size += int64(len(text)) + 1
		rest = behind
	}
	return events, size, nil
}

// parseLine reads one line; why is what is wrong with it.
func parseLine(text []byte, place int) (event approval.Event, why string) {
	var l line
	err := json.Unmarshal(text, &l)
	switch wrong := (*json.UnmarshalTypeError)(nil); {
	case errors.As(err, &wrong), err == nil && l.Type == "":
		return event, "is no event"
	case err != nil:
		return event, "is no JSON"
	case l.Seq != place:
		return event, fmt.Sprintf("has the seq %d, expected %d", l.Seq, place)
	}
	return approval.Event{Type: l.Type, Data: l.Data}, ""
}
