package main

import (
	"fmt"
	"regexp"
	"strings"
)

// musePath stands for the path of the fake Muse, in arguments and in values of --env.
const musePath = "{{muse}}"

// checkBraces finds words in braces that are not replaced. One that can only be meant for {{muse}} is an error. Another one
// is worth a warning, no more: it may be a template of the adapter's own. The braces of JSON are around no word.
func checkBraces(where, value string) (warnings []string, err error) {
	rest := strings.ReplaceAll(value, musePath, "")
	if slip := slipOfMuse().FindString(rest); slip != "" {
		return nil, usage("%s: %q is not replaced; did you mean %s?", where, slip, musePath)
	}
	if word := wordInBraces().FindString(rest); word != "" {
		warnings = append(warnings, fmt.Sprintf("%s: %q stays as it is; only %s is replaced, by the path of the fake Muse", where, word, musePath))
	}
	return warnings, nil
}

// slipOfMuse matches the word muse with two braces on one side at least.
func slipOfMuse() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\{\{\s*muse\w*\s*\}*|\{?\s*\bmuse\s*\}\}`)
}

// wordInBraces matches what looks like a word to be replaced: one in two braces, or muse in one pair of them.
func wordInBraces() *regexp.Regexp { return regexp.MustCompile(`(?i)\{\{\s*\w+\s*\}*|\{\s*muse\s*\}`) }
