// Package steps gives the sentences of the feature files their meaning: each one is glue between words and a call of
// the engine.
//
//   - A Given about Muse is checked against the next step of the scenario's muse.json; a Given about the editor's
//     answers and a When against the next step of its input.json.
//   - A Given about how the adapter is started, or about what the editor is able to do, stands before the first step. The
//     first one has the flag in it; a scenario with one is not applicable to an adapter of the user's own. Several flags
//     are several sentences. {{workspace}} in a flag is the working directory.
//   - A connection is opened before the first step, but where a Given says that it is not open yet: then the sentences open
//     it, and what comes of that is for them to demand.
//   - A Given about what an adapter does, such as to close sessions, stands there too. The scenario is not applicable to
//     an adapter whose answer to initialize does not offer it.
//   - A scenario in which the user sets an option, or the editor a mode, is not applicable to an adapter whose sessions do not
//     have it, or not that value of it.
//   - A scenario in which a tool call asks for wider rights is not applicable to an adapter whose sessions have no option
//     sandbox-mode and that denied every call without asking the editor.
//   - What the editor will answer is told in the order of the questions, and what it will do with forms in the order of the
//     forms. "…, once …" puts an answer off until the adapter has done something behind which it does nothing more;
//     "… to the question about …" fails the run when another question comes. What is told and never happens fails it too.
//     A question that nobody told an answer for is dismissed and fails the run, unless a Given says that the editor does so.
//   - "the user thinks for … seconds" lets real time pass, five seconds at most, and shows that an adapter does nothing by
//     a clock of its own for so long. Nothing else waits for time: that no more comes, the next answer and the end show.
//   - A Then looks at something that can be observed without the golden, and names the requirements that it can
//     decide. Which of them it does decide in a scenario, the scenario's tags say.
//   - A Then that fails does not end its scenario. A sentence returns an error only when the script or the harness is
//     wrong.
package steps

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"acp-conform/conform"
)

// Definition is one kind of sentence.
type Definition struct {
	// Sentence is the pattern: {text} stands for a quoted text, {n} for a number, and {rest} at the end for the rest of
	// the sentence as it stands; everything else is literal.
	Sentence string
	// IDs are the requirements that a Then can decide.
	IDs []string
	// opening gives the word by which a sentence that changes the opening of a conversation is known in the name of
	// that opening; nil, or an empty word, for one that does not.
	opening func(a args) string
	// run carries the sentence out; the arguments are in the order of the sentence, texts without their quotes.
	run func(s *conform.Scenario, a args) error
}

// args are what the placeholders of a sentence caught.
type args []string

func (a args) number(i int) int {
	n, err := strconv.Atoi(a[i])
	if err != nil {
		return 0 // the pattern lets digits through only; a number too large for the machine is no count of anything
	}
	return n
}

// Definitions lists all sentences.
func Definitions() []Definition {
	var all []Definition
	for _, group := range [][]Definition{
		adapterSwitches(),
		museScript(),
		museTrouble(),
		museAsks(),
		besideSteps(),
		museInput(),
		editorProfile(),
		editorScript(),
		timedAnswers(),
		formScript(),
		actions(),
		rawActions(),
		oddAnswers(),
		turnChecks(),
		questionChecks(),
		seamChecks(),
		stageChecks(),
		elsewhereChecks(),
		formChecks(),
		museChecks(),
		failureChecks(),
		requestChecks(),
		lineChecks(),
		auditChecks(),
		restChecks(),
		modeChecks(),
		observeChecks(),
		policyChecks(),
		configSentences(),
		closeSteps(),
		closeChecks(),
		settingSentences(),
		apartChecks(),
		blockChecks(),
		longTexts(),
		openingSteps(),
		wireSteps(),
		recordedChecks(),
	} {
		all = append(all, group...)
	}
	return all
}

// Openings gives a function that says by which word a sentence is known in the name of a common opening; the word is
// empty for a sentence that changes no opening.
func Openings() func(sentence string) string {
	var changing []Definition
	var patterns []*regexp.Regexp
	for _, d := range Definitions() {
		if d.opening != nil {
			changing, patterns = append(changing, d), append(patterns, regexp.MustCompile(d.Pattern()))
		}
	}
	return func(sentence string) string {
		for i, d := range changing {
			if m := patterns[i].FindStringSubmatch(sentence); m != nil {
				a := args(m[1:])
				for i := range a {
					a[i] = unescape(a[i])
				}
				return d.opening(a)
			}
		}
		return ""
	}
}

type contextKey struct{}

// With gives a context that carries the scenario to its sentences.
func With(ctx context.Context, s *conform.Scenario) context.Context {
	return context.WithValue(ctx, contextKey{}, s)
}

// From gives the scenario of a context, or nil.
func From(ctx context.Context) *conform.Scenario {
	s, _ := ctx.Value(contextKey{}).(*conform.Scenario)
	return s
}

// Registrar gives a function that tells godog all sentences. Their patterns are compiled once, not for every scenario.
func Registrar() func(*godog.ScenarioContext) {
	definitions := Definitions()
	patterns := make([]*regexp.Regexp, len(definitions))
	for i, d := range definitions {
		patterns[i] = regexp.MustCompile(d.Pattern())
	}
	return func(sc *godog.ScenarioContext) {
		for i, d := range definitions {
			sc.Step(patterns[i], d.handler())
		}
	}
}

// Pattern is the anchored regular expression of the sentence.
func (d Definition) Pattern() string {
	quoted := quoteMeta(d.Sentence)
	quoted = strings.ReplaceAll(quoted, `\{text\}`, `"((?:[^"\\]|\\.)*)"`)
	quoted = strings.ReplaceAll(quoted, `\{n\}`, `(\d+)`)
	quoted = strings.ReplaceAll(quoted, ` \{rest\}`, `(?: (.*))?`)
	return "^" + quoted + "$"
}

func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// placeholders counts what the sentence catches.
func (d Definition) placeholders() int {
	return strings.Count(d.Sentence, "{text}") + strings.Count(d.Sentence, "{n}") + strings.Count(d.Sentence, "{rest}")
}

// handler is a function with as many parameters as the sentence has placeholders, which is what godog asks for.
func (d Definition) handler() any {
	call := func(ctx context.Context, a ...string) error {
		s := From(ctx)
		if s == nil {
			return godog.ErrSkip
		}
		for i := range a {
			if i < len(a)-1 || !strings.HasSuffix(d.Sentence, "{rest}") {
				a[i] = unescape(a[i])
			}
		}
		return d.run(s, a)
	}
	switch d.placeholders() {
	case 0:
		return func(ctx context.Context) error { return call(ctx) }
	case 1:
		return func(ctx context.Context, a string) error { return call(ctx, a) }
	case 2:
		return func(ctx context.Context, a, b string) error { return call(ctx, a, b) }
	case 3:
		return func(ctx context.Context, a, b, c string) error { return call(ctx, a, b, c) }
	case 4:
		return func(ctx context.Context, a, b, c, e string) error { return call(ctx, a, b, c, e) }
	}
	panic(fmt.Sprintf("the sentence %q has more placeholders than a handler can take", d.Sentence))
}

// unescape reads \" in a quoted text; every other backslash stands for itself.
func unescape(s string) string { return strings.ReplaceAll(s, `\"`, `"`) }
