package steps

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/cucumber/godog"

	"acp-conform/conform"
)

// Handlers get the arguments in the order of the sentence, quotes read, the rest of a line as it stands, and pass errors on.
func TestHandlers(t *testing.T) {
	t.Parallel()
	broken := errors.New("the script is wrong")
	tests := []struct {
		name, sentence, text string
		want                 []string
		err                  error
	}{
		{"none", "nothing is caught", "nothing is caught", nil, nil},
		{"a text", "a {text}", `a "x \"y\" \n"`, []string{`x "y" \n`}, nil},
		{"text and number", "a {text} in session {n}", `a "x" in session 2`, []string{"x", "2"}, nil},
		{"three", "a {text}, {n} and {text}", `a "x", 1 and "z"`, []string{"x", "1", "z"}, nil},
		{"four", "a {text} {n} {text} {n}", `a "x" 1 "y" 2`, []string{"x", "1", "y", "2"}, nil},
		{"the rest as it stands", "the line {n}: {rest}", `the line 1: {"a":"\"b\""}`, []string{"1", `{"a":"\"b\""}`}, nil},
		{"an empty rest", "the line: {rest}", `the line:`, []string{""}, nil},
		{"an error", "a {text}", `a "x"`, []string{"x"}, broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			ran := false
			d := Definition{Sentence: tt.sentence, run: func(_ *conform.Scenario, a args) error {
				ran, got = true, a
				return tt.err
			}}
			after := play(d, tt.text, func(ctx context.Context) context.Context { return With(ctx, &conform.Scenario{}) })
			if !ran || !slices.Equal(got, tt.want) {
				t.Errorf("ran %t with %q, want %q", ran, got, tt.want)
			}
			if !errors.Is(after, tt.err) {
				t.Errorf("got the error %v", after)
			}
		})
	}
}

// A scenario that was not selected has no engine behind it: its sentences do nothing.
func TestSentencesWithoutAScenario(t *testing.T) {
	t.Parallel()
	d := Definition{Sentence: "a {text}", run: func(*conform.Scenario, args) error {
		t.Error("the sentence was carried out")
		return nil
	}}
	if err := play(d, `a "x"`, func(ctx context.Context) context.Context { return ctx }); err != nil && !errors.Is(err, godog.ErrSkip) {
		t.Errorf("got the error %v", err)
	}
}

// play has godog play one sentence and gives its error.
func play(d Definition, text string, with func(context.Context) context.Context) (err error) {
	suite := godog.TestSuite{
		Name: "one",
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) { return with(ctx), nil })
			sc.After(func(ctx context.Context, _ *godog.Scenario, e error) (context.Context, error) {
				err = e
				return ctx, nil
			})
			sc.Step(d.Pattern(), d.handler())
		},
		Options: &godog.Options{Format: "progress", Output: io.Discard, Strict: true, Paths: []string{"one.feature"},
			FS: fstest.MapFS{"one.feature": {Data: []byte("Feature: f\n  Scenario: s\n    Given " + text + "\n")}}},
	}
	suite.Run()
	return err
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	a := args{"12", "0", "99999999999999999999"}
	for i, want := range []int{12, 0, 0} {
		if got := a.number(i); got != want {
			t.Errorf("number(%q) = %d, want %d", a[i], got, want)
		}
	}
}
