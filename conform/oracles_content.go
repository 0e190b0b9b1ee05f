package conform

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"acp-conform/wire"
)

// placed is a value of a frame and where it stands in it.
type placed struct {
	pointer string
	value   json.RawMessage
}

// elements lists the values of an array; nothing for what is none.
func elements(at placed, member string) (list []placed) {
	var values []json.RawMessage
	if json.Unmarshal(wire.Lookup(at.value, member), &values) != nil {
		return nil
	}
	for i, v := range values {
		list = append(list, placed{fmt.Sprintf("%s/%s/%d", at.pointer, member, i), v})
	}
	return list
}

// toolCallOf gives what a frame of the adapter says of a tool call: an announcement, an update or a question.
func toolCallOf(r wire.Record) (placed, bool) {
	switch {
	case r.Frame.Method == methodPermission:
		return placed{"/params/toolCall", wire.Lookup(r.Frame.Params, "toolCall")}, true
	case strings.HasPrefix(wire.LookupString(updateOf(r), "sessionUpdate"), "tool_call"):
		return placed{"/params/update", updateOf(r)}, true
	}
	return placed{}, false
}

// blocksOf lists the content blocks in a frame of the adapter.
func blocksOf(r wire.Record) (blocks []placed) {
	if call, ok := toolCallOf(r); ok {
		for _, c := range elements(call, "content") {
			if b := wire.Lookup(c.value, "content"); b != nil {
				blocks = append(blocks, placed{c.pointer + "/content", b})
			}
		}
		return blocks
	}
	if strings.HasSuffix(wire.LookupString(updateOf(r), "sessionUpdate"), "_chunk") {
		blocks = append(blocks, placed{"/params/update/content", wire.Lookup(updateOf(r), "content")})
	}
	return blocks
}

// base64Content looks at the bytes of images, sounds and files that the adapter shows.
func base64Content(e *evidence) []finding {
	const id = "ACP-CONT-02"
	var bad []finding
	seen := false
	for _, r := range e.fromAdapter() {
		for _, b := range blocksOf(r) {
			path := []string{"data"}
			if wire.LookupString(b.value, "type") == "resource" {
				path = []string{"resource", "blob"}
			}
			if raw := wire.Lookup(b.value, path...); raw == nil || raw[0] != '"' {
				continue // what must be there is for the schema to say
			}
			seen = true
			data := wire.LookupString(b.value, path...)
			if _, err := base64.StdEncoding.DecodeString(data); err == nil {
				continue
			}
			if _, err := base64.RawStdEncoding.DecodeString(data); err != nil {
				bad = append(bad, e.bad(r.Seq, b.pointer+"/"+strings.Join(path, "/"), "base64", short([]byte(data)), id, "the bytes of a content block are no base64"))
			}
		}
	}
	if !seen {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// absolutePaths looks at the files that tool calls name: in a diff, and as the place that the call works at.
func absolutePaths(e *evidence) []finding {
	var bad []finding
	var ids []string
	for _, r := range e.fromAdapter() {
		call, ok := toolCallOf(r)
		if !ok {
			continue
		}
		for _, c := range elements(call, "content") {
			if wire.LookupString(c.value, "type") != "diff" {
				continue
			}
			ids = append(ids, "ACP-TOOL-10")
			if path := wire.LookupString(c.value, "path"); !filepath.IsAbs(path) {
				bad = append(bad, e.bad(r.Seq, c.pointer+"/path", "an absolute path", path, "ACP-TOOL-10", "the path of a diff is not absolute"))
			}
		}
		for _, l := range elements(call, "locations") {
			ids = append(ids, "ACP-TOOL-11")
			if path := wire.LookupString(l.value, "path"); !filepath.IsAbs(path) {
				bad = append(bad, e.bad(r.Seq, l.pointer+"/path", "an absolute path", path, "ACP-TOOL-11", "the place of a tool call is not absolute"))
			}
			if line := string(wire.Lookup(l.value, "line")); line == "0" {
				bad = append(bad, e.bad(r.Seq, l.pointer+"/line", "1 or more", line, "ACP-TOOL-11", "the first line of a file is 1"))
			}
		}
	}
	return verdicts(distinct(ids), bad)
}

// sessionNews looks at what updates of a session's title and of its cost say, beyond what their schemas can.
func sessionNews(e *evidence) []finding {
	date := regexp.MustCompile(`^\d{4}-?(\d{2}-?\d{2}|W\d{2}|\d{3})`)
	currency := regexp.MustCompile(`^[A-Z]{3}$`)
	var bad []finding
	var ids []string
	for _, r := range e.fromAdapter() {
		u := updateOf(r)
		switch wire.LookupString(u, "sessionUpdate") {
		case "session_info_update":
			ids = append(ids, "ACP-INFO-01", "ACP-INFO-02")
			if raw := wire.Lookup(u, "updatedAt"); len(raw) > 0 && raw[0] == '"' && !date.MatchString(wire.LookupString(u, "updatedAt")) {
				bad = append(bad, e.bad(r.Seq, "/params/update/updatedAt", "a date and time of ISO 8601", string(raw), "ACP-INFO-01", "the time of the last change is no time of ISO 8601"))
			}
			for _, member := range []string{"sessionId", "cwd", "additionalDirectories"} {
				if raw := wire.Lookup(u, member); raw != nil {
					bad = append(bad, e.bad(r.Seq, "/params/update/"+member, "none", short(raw), "ACP-INFO-02", "the update of a session's title and time has the member %s, which cannot change", member))
				}
			}
		case "usage_update":
			if wire.Lookup(u, "cost", "currency") == nil {
				continue
			}
			ids = append(ids, "ACP-USE-02")
			if code := wire.LookupString(u, "cost", "currency"); !currency.MatchString(code) {
				bad = append(bad, e.bad(r.Seq, "/params/update/cost/currency", "a code of ISO 4217", code, "ACP-USE-02", "the currency of a cost is no code of ISO 4217"))
			}
		}
	}
	return verdicts(distinct(ids), bad)
}

// distinct gives each text of a list once, in the order in which it comes first.
func distinct(list []string) (once []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			once = append(once, s)
		}
	}
	return once
}
