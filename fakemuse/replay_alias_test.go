package fakemuse

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// What is aliased when a recording is compared with what the fake says, and nothing else:
//
//   - ids: the members that idMembers names, the ids of records and streams in a sourceRange, and the ids of the host's
//     own requests. An id of the recording stands for one id of the fake, and the other way round, wherever either
//     appears, also inside of other texts such as cursors and paths.
//   - times: timeMembers (instants, as texts or as milliseconds).
//   - sequence numbers: "sequence" in a sourceRange.
//   - durations: durationMembers.
func idMembers() []string {
	return []string{
		"sessionId", "parentSessionId", "turnId", "activeTurnId", "lastTurnId", "itemId", "approvalId", "taskId", "userInputId",
		"commandId", "decidedByCommandId", "lastCommandId", "attachmentId", "childSessionId", "childRunId",
	}
}

func timeMembers() []string {
	return []string{"createdAt", "updatedAt", "recordedAt", "decidedAt", "lastActivityAt", "emittedAtMs"}
}

func durationMembers() []string { return []string{"durationMs", "timeToFirstTokenMs"} }

// aliases pairs the ids of a recording with those of the fake.
type aliases struct {
	ours   map[string]string // by the recording's
	theirs map[string]string // by the fake's
}

func newAliases() *aliases { return &aliases{map[string]string{}, map[string]string{}} }

// learn pairs two ids, or says why they cannot be a pair.
func (a *aliases) learn(theirs, ours string) error {
	if known, there := a.ours[theirs]; there && known != ours {
		return fmt.Errorf("the recording's id %s was %s, and is %s now", theirs, known, ours)
	}
	if known, there := a.theirs[ours]; there && known != theirs {
		return fmt.Errorf("our id %s was the recording's %s, and is %s now", ours, known, theirs)
	}
	a.ours[theirs], a.theirs[ours] = ours, theirs
	return nil
}

// inText is the length from which on an id is looked for inside of other texts. Shorter ones appear by chance.
const inText = 8

// translate puts the fake's ids in place of the recording's.
func (a *aliases) translate(text string) string {
	ids := make([]string, 0, len(a.ours))
	for theirs, ours := range a.ours {
		if theirs != ours && len(theirs) >= inText {
			ids = append(ids, theirs)
		}
	}
	sort.Slice(ids, func(i, j int) bool {
		return len(ids[i]) > len(ids[j]) || len(ids[i]) == len(ids[j]) && ids[i] < ids[j]
	})
	var pairs []string
	for _, theirs := range ids {
		pairs = append(pairs, theirs, a.ours[theirs])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// compare gives the differences between a frame of the recording and one of the fake.
func (a *aliases) compare(theirs, ours tree) []string {
	c := &comparison{aliases: a}
	c.hostRequest = theirs.method() != "" && theirs.has("id")
	c.pair(nil, map[string]any(theirs), map[string]any(ours))
	if len(c.differences) == 0 {
		c.walk(nil, map[string]any(theirs), map[string]any(ours))
	}
	return c.differences
}

type comparison struct {
	aliases     *aliases
	hostRequest bool
	differences []string
}

func (c *comparison) differ(path []string, format string, args ...any) {
	c.differences = append(c.differences, strings.Join(path, ".")+": "+fmt.Sprintf(format, args...))
}

// isID says whether a place holds an id of its own.
func (c *comparison) isID(path []string) bool {
	last := path[len(path)-1]
	if slices.Contains(idMembers(), last) {
		return true
	}
	if last != "id" {
		return false
	}
	return len(path) == 1 && c.hostRequest || slices.Contains(path, "sourceRange")
}

// pair learns all ids of two frames.
func (c *comparison) pair(path []string, theirs, ours any) {
	switch t := theirs.(type) {
	case map[string]any:
		o, _ := ours.(map[string]any)
		for _, name := range sortedNames(t) {
			c.pair(append(path, name), t[name], o[name])
		}
	case []any:
		o, _ := ours.([]any)
		for i := 0; i < len(t) && i < len(o); i++ {
			c.pair(append(path, fmt.Sprint(i)), t[i], o[i])
		}
	default:
		if len(path) == 0 || !c.isID(path) || theirs == nil || ours == nil {
			return
		}
		if err := c.aliases.learn(idText(theirs), idText(ours)); err != nil {
			c.differ(path, "%v", err)
		}
	}
}

func (c *comparison) walk(path []string, theirs, ours any) {
	switch t := theirs.(type) {
	case map[string]any:
		o, ok := ours.(map[string]any)
		if !ok {
			c.differ(path, "%s, not an object", show(ours))
			return
		}
		for _, name := range sortedNames(t) {
			if v, there := o[name]; there {
				c.walk(append(path[:len(path):len(path)], name), t[name], v)
			} else {
				c.differ(append(path, name), "missing; the recording has %s", show(t[name]))
			}
		}
		for _, name := range sortedNames(o) {
			if _, there := t[name]; !there {
				c.differ(append(path, name), "%s, which the recording has not", show(o[name]))
			}
		}
	case []any:
		o, ok := ours.([]any)
		if !ok || len(o) != len(t) {
			c.differ(path, "%s, where the recording has %s", show(ours), show(theirs))
			return
		}
		for i := range t {
			c.walk(append(path[:len(path):len(path)], fmt.Sprint(i)), t[i], o[i])
		}
	default:
		if !c.same(path, theirs, ours) {
			c.differ(path, "%s, where the recording has %s", show(ours), show(theirs))
		}
	}
}

// same compares two plain values.
func (c *comparison) same(path []string, theirs, ours any) bool {
	last := path[len(path)-1]
	switch {
	case theirs == nil || ours == nil:
		return theirs == ours
	case slices.Contains(timeMembers(), last):
		return isTime(theirs) && isTime(ours)
	case slices.Contains(durationMembers(), last), last == "sequence" && slices.Contains(path, "sourceRange"):
		return isNumber(theirs) && isNumber(ours)
	}
	if c.isID(path) && theirs != nil && ours != nil {
		return c.aliases.ours[idText(theirs)] == idText(ours)
	}
	if text, ok := theirs.(string); ok {
		return c.aliases.translate(text) == ours
	}
	return theirs == ours
}

// idText is an id as it is paired. Numbers are the ids of requests: they are marked, so that no other text is taken for
// one.
func idText(v any) string {
	if n, ok := v.(json.Number); ok {
		return "#" + n.String()
	}
	return fmt.Sprint(v)
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}

func isTime(v any) bool {
	if isNumber(v) {
		return true
	}
	text, ok := v.(string)
	_, err := time.Parse(time.RFC3339Nano, text)
	return ok && err == nil
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
