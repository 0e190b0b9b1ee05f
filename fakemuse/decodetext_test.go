package fakemuse_test

import (
	"strings"
	"testing"

	"acp-conform/fakemuse"
)

func decodeStep(step string) (fakemuse.Step, error) {
	script, err := fakemuse.DecodeScript("muse.json", []byte(`{"turns":[{"steps":[`+step+`]}]}`))
	if err != nil {
		return fakemuse.Step{}, err
	}
	return script.Turns[0].Steps[0], nil
}

// TestTexts: a text may be told instead of written out, and come in halves of characters.
func TestTexts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		step string
		want []string
	}{
		{`{"say":"a"}`, []string{"a"}},
		{`{"say":["a\ud83d","\ude00"]}`, []string{"a\xed\xa0\xbd", "\xed\xb8\x80"}},
		{`{"say":[{"repeat":"#é","bytes":6},"b"]}`, []string{"1é2é", "b"}},
		{`{"say":{"chunks":["a",{"wait":"now"},{"repeat":"x","bytes":3}]}}`, []string{"a", "xxx"}},
	}
	for _, tt := range tests {
		step, err := decodeStep(tt.step)
		if err != nil || strings.Join(step.Say, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s is %q, %v", tt.step, step.Say, err)
		}
	}
	step, err := decodeStep(`{"tool":{"name":"bash","output":{"repeat":"#","bytes":4}}}`)
	if err != nil || *step.Tool.Output != "1234" {
		t.Errorf("%+v, %v", step.Tool, err)
	}
}

func TestTextsThatCannotBe(t *testing.T) {
	t.Parallel()
	for step, problem := range map[string]string{
		`{"say":[{"repeat":"","bytes":6}]}`:               "repeat must not be empty",
		`{"say":[{"repeat":"a"}]}`:                        `needs a member "bytes"`,
		`{"say":[{"repeat":"a","bytes":0}]}`:              "must be between 1 and",
		`{"say":[{"repeat":"a","bytes":1e9}]}`:            "bytes",
		`{"say":[{"repeat":"a","byte":1}]}`:               `did you mean "bytes"?`,
		`{"say":[{"repeat":"a","repeat":"b","bytes":1}]}`: "there twice",
		`{"tool":{"name":"b","output":{"bytes":4}}}`:      `needs a member "repeat"`,
		`{"say":[""]}`: "must not be empty",
		`{"say":[]}`:   "must not be empty",
	} {
		if _, err := decodeStep(step); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", step, err, problem)
		}
	}
}
