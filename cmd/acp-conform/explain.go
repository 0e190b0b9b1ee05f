package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/goldens"
	"acp-conform/internal/strictjson"
	"acp-conform/report"
	"acp-conform/requirements"
	"acp-conform/runner"
	"acp-conform/wire"
)

func explainCommand() *cobra.Command {
	var own ownFolder
	c := &cobra.Command{
		Use:   "explain REQUIREMENT|SCENARIO|ORACLE",
		Short: "Say what a requirement, a scenario or an oracle is about, and show the conversation",
		Long: `Explain shows the statement and the source of a requirement, the scenarios that decide it, the Go tests that prove what
no scenario shows, and the mutants that prove that it can fail, or why it is excluded; or the sentences of a scenario,
its requirements, its mutants and its accepted transcript as a sequence diagram. Of an oracle, by the name that reports
give it ("nothing runs without a grant"), it shows the requirements that it decides in every scenario; of a sentence, the
scenarios that say it; of "probe", what is played with an adapter that needs no host.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("explain takes the id of one requirement or the name of one scenario; acp-conform list shows them, and a name of several words needs quotes")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			mayBeCut(c)
			suite, err := own.load()
			if err != nil {
				return err
			}
			mutants, err := requirements.LoadMutants(suite.Registry)
			if err != nil {
				return fmt.Errorf("loading the mutants: %w", err)
			}
			x := explainer{w: c.OutOrStdout(), suite: suite, mutants: mutants}
			return x.explain(args[0])
		},
	}
	own.add(c)
	return c
}

type explainer struct {
	w       io.Writer
	suite   *runner.Suite
	mutants []requirements.Mutant
}

func (x explainer) explain(word string) error {
	id := strings.ToUpper(strings.TrimPrefix(word, "@"))
	if q, known := x.suite.Registry.Lookup(id); known {
		return x.requirement(q)
	}
	for _, s := range x.suite.Plan.Scenarios {
		if s.Name == word {
			return x.scenario(s)
		}
	}
	if selected, err := x.suite.Plan.Select(nil, []string{word}); err == nil {
		return x.rows(word, selected)
	}
	if word == conform.ProbeName {
		x.probe()
		return nil
	}
	candidates := append(x.suite.Plan.Names(), conform.ProbeName)
	for _, o := range runner.Oracles() {
		if strings.EqualFold(o.Name, word) {
			x.oracle(o)
			return nil
		}
		candidates = append(candidates, o.Name)
	}
	if said := x.saying(word); len(said) > 0 {
		fmt.Fprintf(x.w, "%q is a sentence\n", word)
		list(x.w, "of the scenarios", x.suite.Plan.Fold(said))
		return nil
	}
	for _, q := range x.suite.Registry.All() {
		candidates = append(candidates, q.ID)
	}
	if meant := strictjson.Nearest(word, candidates); meant != "" {
		return usage("%q is neither a requirement nor a scenario nor an oracle; did you mean %q?", word, meant)
	}
	return usage("%q is neither a requirement nor a scenario nor an oracle; acp-conform list shows them", word)
}

func (x explainer) requirement(q requirements.Requirement) error {
	fmt.Fprintf(x.w, "%s (%s, binds %s)\n\n  %s\n\n  source: %s\n", q.ID, q.Level, binds(q.Applies), q.Statement, q.Source)
	if q.Applies == requirements.Reference {
		fmt.Fprintf(x.w, "  %s\n", whyAlone(q.ID))
	}
	if q.Excluded != "" {
		fmt.Fprintf(x.w, "  excluded: %s\n", q.Excluded)
	}
	p := x.suite.Proof(q)
	list(x.w, "decided by the sentences of", x.suite.Plan.Fold(p.Scenarios))
	list(x.w, "decided in every scenario by the oracle", p.Oracles)
	var tests []string
	for _, test := range p.Tests {
		folder, name, _ := strings.Cut(test, ".")
		tests = append(tests, fmt.Sprintf("go test ./%s -run '^%s$'", folder, name))
	}
	list(x.w, "proved by the Go tests", tests)
	if q.Excluded == "" && !p.Suffices(q.Applies) {
		fmt.Fprintf(x.w, "\n  %s: no scenario decides it yet\n", unproved)
	}
	list(x.w, "proved by the mutants", mutantLines(x.breaking([]string{q.ID})))
	return nil
}

// whyAlone says why a requirement binds the reference adapter alone.
func whyAlone(id string) string {
	if slices.Contains(conform.AuditRequirements(), id) {
		return "binds no other adapter: its audit log is its own affair; it is judged by this, too, when --audit-log says where it is"
	}
	return "binds no other adapter: the specification of the reference adapter decides it; ACP does not ask it of others"
}

func binds(a requirements.Applies) string {
	if a == requirements.Reference {
		return "the reference adapter"
	}
	return "any adapter"
}

func list(w io.Writer, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  %s\n", head)
	for _, l := range lines {
		fmt.Fprintf(w, "    %s\n", l)
	}
}

// rows lists the rows of an outline and shows the conversation of the first.
func (x explainer) rows(folder string, rows []runner.Planned) error {
	fmt.Fprintf(x.w, "%s has %d rows:\n\n", folder, len(rows))
	for _, s := range rows {
		fmt.Fprintf(x.w, "    %-50s %s\n", s.Name, s.Title)
	}
	if len(rows) > 1 {
		fmt.Fprintf(x.w, "\nHere is the first. Another one is shown by its name, as in: acp-conform explain %s\n\n", rows[1].Name)
	}
	return x.scenario(rows[0])
}

// oracle shows what looks at every scenario.
func (x explainer) oracle(o runner.Oracle) {
	fmt.Fprintf(x.w, "%s (an oracle: it looks at every scenario)\n", o.Name)
	x.statements(o.IDs)
	list(x.w, "mutants that break one of them", mutantLines(x.breaking(o.IDs)))
}

// probe shows the conversation that is no scenario of the suite.
func (x explainer) probe() {
	fmt.Fprintf(x.w, `%s (no scenario: it is played by itself)

  Before scenarios that need a host, run has one turn with the adapter. Where it is answered and no host was started, a
  cancel and a second turn follow, and the whole conversation is judged under this name. What needs a host is not
  applicable then. An adapter that starts a host is judged by the scenarios, not by its probe; and run could not run at
  all where the adapter wants a login.
`, conform.ProbeName)
	x.statements(conform.ProbeRequirements())
	var oracles []string
	for _, o := range runner.Oracles() {
		oracles = append(oracles, o.Name)
	}
	list(x.w, "oracles that judge it", oracles)
	fmt.Fprintf(x.w, "\n  It is played again by: acp-conform run --scenario %s -- command args...\n", runner.ProbeScenario)
}

// saying lists the scenarios that have a sentence; reports name a check by it.
func (x explainer) saying(sentence string) (names []string) {
	for _, s := range x.suite.Plan.Scenarios {
		if slices.ContainsFunc(s.Sentences, func(said string) bool {
			_, text, _ := strings.Cut(said, " ") // the keyword goes first
			return sentence != "" && (text == sentence || said == sentence)
		}) {
			names = append(names, s.Name)
		}
	}
	return names
}

// statements shows requirements, each with its source.
func (x explainer) statements(ids []string) {
	var lines []string
	marked := false
	for _, id := range ids {
		if q, known := x.suite.Registry.Lookup(id); known {
			mark := ""
			if q.Applies == requirements.Reference {
				mark, marked = " "+markOwn, true
			}
			lines = append(lines, fmt.Sprintf("%-12s %s (%s)%s", id, q.Statement, q.Source, mark))
		}
	}
	list(x.w, "requirements", lines)
	if marked {
		fmt.Fprintf(x.w, "\n  %s binds the reference adapter alone: its specification decides it, and ACP does not ask it of others\n", markOwn)
	}
}

// breaking lists the mutants that break one of the requirements.
func (x explainer) breaking(ids []string) (found []requirements.Mutant) {
	for _, m := range x.mutants {
		if slices.ContainsFunc(m.IDs(), func(id string) bool { return slices.Contains(ids, id) }) {
			found = append(found, m)
		}
	}
	return found
}

func mutantLines(mutants []requirements.Mutant) (lines []string) {
	for _, m := range mutants {
		lines = append(lines, m.Name+": "+m.Statement)
	}
	return lines
}

// proves shows the mutants that a scenario is named for, all of which must make it fail, and counts those that break one
// of its requirements elsewhere.
func (x explainer) proves(s runner.Planned) {
	folder, _, _ := strings.Cut(s.Name, "/")
	names := func(m requirements.Mutant) bool {
		return slices.Contains(m.Scenarios, s.Name) || slices.Contains(m.Scenarios, folder)
	}
	var proving []requirements.Mutant
	for _, m := range x.mutants {
		if names(m) {
			proving = append(proving, m)
		}
	}
	list(x.w, "mutants that prove it: each of them makes it fail", mutantLines(proving))
	others := slices.DeleteFunc(x.breaking(s.Requirements), names)
	if len(others) > 0 {
		fmt.Fprintf(x.w, "\n  further mutants, shown by other scenarios, that break one of its requirements: %d (acp-conform explain REQUIREMENT lists them)\n", len(others))
	}
}

func (x explainer) scenario(s runner.Planned) error {
	fmt.Fprintf(x.w, "%s (%s)\n\n  %s\n\n", s.Name, s.Feature, s.Title)
	for _, sentence := range s.Sentences {
		fmt.Fprintf(x.w, "    %s\n", sentence)
	}
	x.statements(s.Requirements)
	if slices.Contains(x.suite.Own, s.Name) {
		fmt.Fprintf(x.w, "\n  It is one of your own: its input.json is played as it stands, every oracle looks at it, and with run --goldens\n"+
			"  it is held to what record has written. run --transcripts DIR shows its conversation.\n")
		return nil
	}
	x.proves(s)
	text, err := conform.NewGoldens(goldens.FS).Load(s.Name)
	if err != nil {
		return fmt.Errorf("showing %s: %w", s.Name, err)
	}
	transcript, err := wire.ParseTranscript([]byte(text))
	if err != nil {
		return fmt.Errorf("showing %s: %w", s.Name, err)
	}
	fmt.Fprintf(x.w, "\n  The conversation, in the order of the golden: the opening that all scenarios share stands first (its host starts\n"+
		"  with the first prompt), and inside a round what the host says stands before what the adapter tells the editor.\n\n")
	return report.Sequence(x.w, transcript)
}
