package reference

import (
	"strings"
	"unicode/utf8"

	"acp-conform/reference/muse"
)

// The faults of an adapter that counts on short texts.
const (
	CutsTexts4K    Fault = "cuts-texts-at-4k"
	CutsTexts64K   Fault = "cuts-texts-at-64k"
	CutsOutputs4K  Fault = "cuts-outputs-at-4k"
	CutsPrompts    Fault = "drops-tail-of-long-prompt"
	DiesOfLine     Fault = "dies-of-long-line"
	LosesHostLines Fault = "loses-long-lines-of-host"
	CutsSilently   Fault = "cuts-without-a-word"
)

func longFaults() []FaultInfo {
	return []FaultInfo{
		{CutsTexts4K, "Of a piece of a message only the first 4 KiB are passed on."},
		{CutsTexts64K, "Of a piece of a message only the first 64 KiB are passed on."},
		{CutsOutputs4K, "Of what a tool writes only the first 4 KiB are shown."},
		{CutsPrompts, "Of a prompt of more than 64 KiB the last few characters do not reach the host."},
		{DiesOfLine, "The adapter ends when a line of the client has more than 4 KiB."},
		{LosesHostLines, "A line of the host with more than 64 KiB is passed over."},
		{CutsSilently, "Where text is left out nothing says so."},
	}
}

// shortLine is the longest line for the fault dies-of-long-line, hostLine for the fault loses-long-lines-of-host.
const (
	shortLine = 4 << 10
	hostLine  = 64 << 10
)

// upTo cuts a text to so many bytes at the most, between characters.
func upTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// shownText is a piece of a message as it is passed on, with the faults that cut it.
func (s *session) shownText(text string) string {
	switch {
	case s.a.fault(CutsTexts4K):
		return upTo(text, 4<<10)
	case s.a.fault(CutsTexts64K):
		return upTo(text, 64<<10)
	case s.a.fault(CutsSilently):
		return strings.TrimSuffix(text, cutHere)
	}
	return text
}

// shownOutput is what a tool has written as it is shown, with the fault that cuts it.
func (s *session) shownOutput(text string) string {
	if s.a.fault(CutsOutputs4K) {
		return upTo(text, 4<<10)
	}
	return text
}

// heard is the input of a turn, with the fault that loses the end of it.
func (a *adapter) heard(input []muse.InputPart) []muse.InputPart {
	for i, p := range input {
		if a.fault(CutsPrompts) && len(p.Text) > 64<<10 {
			input[i].Text = upTo(p.Text, len(p.Text)-8)
		}
	}
	return input
}

// lineLimits are the longest lines that are taken of the client and of the host; 0 is what is right.
func (a *adapter) lineLimits() (client, host int) {
	switch {
	case a.fault(DiesOfLine):
		return shortLine, 0
	case a.fault(LosesHostLines):
		return 0, hostLine
	}
	return 0, 0
}
