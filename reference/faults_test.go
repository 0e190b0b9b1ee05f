//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"acp-conform/reference"
)

// Every fault has a name of its own and a sentence.
func TestFaultList(t *testing.T) {
	t.Parallel()
	seen := map[reference.Fault]bool{}
	for _, f := range reference.Faults() {
		if seen[f.Name] || f.Name == "" || !strings.HasSuffix(f.Sentence, ".") {
			t.Errorf("fault %+v", f)
		}
		seen[f.Name] = true
		if err := (reference.Options{Fault: f.Name}).Validate(); err != nil {
			t.Error(err)
		}
	}
}

// story is what a fault is told in: a script, what the client does, and what shows the fault.
type story struct {
	script  string
	faults  []reference.Fault
	with    func(*reference.Options)
	tell    func(*world) []string // gives the lines that the adapter sent
	deviant func(*world, []string) bool
}

// Each fault shows in its story, and without it the story is not deviant.
func TestFaults(t *testing.T) {
	t.Parallel()
	result := func(r string) string { return `{"jsonrpc":"2.0","id":0,"result":` + r + `}` }
	plain := func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		return append(w.until(`"id":2`), w.close()...)
	}
	answer := func(a string) func(*world) []string {
		return func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(a)
			lines = append(lines, w.until(`"id":2`)...)
			return append(lines, w.close()...)
		}
	}
	raw := func(line string) func(*world) []string {
		return func(w *world) []string {
			w.start().send(hello)
			w.next()
			w.send(line, `{"jsonrpc":"2.0","id":"probe","method":"_probe"}`)
			return append(w.until(`"id":"probe"`), w.close()...)
		}
	}
	granted := func(w *world, _ []string) bool { return w.marker("call1") }
	says := func(text string) func(*world, []string) bool {
		return func(_ *world, lines []string) bool { return contains(lines, text) }
	}
	lacks := func(text string) func(*world, []string) bool {
		return func(_ *world, lines []string) bool { return !contains(lines, text) }
	}
	times := func(text string, n int) func(*world, []string) bool {
		return func(_ *world, lines []string) bool { return strings.Count(strings.Join(lines, "\n"), text) >= n }
	}
	decided := func(text string) func(*world, []string) bool {
		return func(w *world, _ []string) bool { return contains(w.decisions(), text) }
	}
	cancel := func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		lines := w.until("request_permission")
		w.send(w.cancel(0))
		lines = append(lines, w.until(`"id":2`)...)
		w.send(selected(0, "allow_once"))
		return append(lines, w.close()...)
	}
	allow := answer(selected(0, "allow_once"))
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	stories := []story{
		{"approve", []reference.Fault{reference.GrantOnUnknownOption, reference.GrantOnPrefix}, nil, answer(selected(0, "allow-forever")), granted},
		{"approve", one(reference.GrantOnDismissal), nil, answer(result(`{"outcome":{"outcome":"cancelled"}}`)), granted},
		{"approve", one(reference.GrantOnRPCError), nil, answer(`{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"x"}}`), granted},
		{"approve", one(reference.GrantOnNoOutcome), nil, answer(result(`{"outcome":{"optionId":"allow_once"}}`)), granted},
		{"approve", []reference.Fault{reference.LiesAboutDenied, reference.DecideBeforeAnswer}, nil, answer(selected(0, "abort")), granted},
		{"approve", one(reference.AsksWrongSession), nil, allow, says("00000000-0000-7000-8000-000000000000")},
		{"approve", one(reference.DecidesTwice), nil, allow, func(w *world, _ []string) bool { return len(w.decisions()) == 2 }},
		{"approve", one(reference.StatusInAsk), nil, answer(selected(0, "abort")), says("in_progress")},
		{"approve", one(reference.NoAnnouncement), nil, allow, lacks(`"sessionUpdate":"tool_call"`)},
		{"approve", one(reference.ReordersOptions), nil, allow, says(`"options":[{"optionId":"abort"`)},
		{"approve", one(reference.DropsPair), nil, answer(selected(0, "abort")), func(w *world, _ []string) bool { return !contains(w.log(0), "decided") }},
		{"approve", one(reference.DropsResult), nil, answer(selected(0, "abort")), func(w *world, _ []string) bool { return !contains(w.log(0), "tool/result") }},
		{"approve", one(reference.DeniesBeforeAnswer), nil, allow, func(w *world, _ []string) bool { return !w.marker("call1") }},
		{"approve", one(reference.PersistentDenial), nil, answer(result(`{"outcome":{"outcome":"cancelled"}}`)), decided("deny_forever")},
		{"approve", one(reference.FloatNumbers), nil, allow, lacks("12345678901234567890.10")},
		{"stages", one(reference.DecidesWrongStage), nil, func(w *world) []string {
			lines := w.ready(1)
			lines.send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(selected(0, "allow_once"))
			w.until("request_permission")
			w.send(selected(1, "allow_once"))
			return append(w.until(`"id":2`), w.close()...)
		}, func(w *world, _ []string) bool { return !contains(w.decisions(), `"sourceIndex":2`) }},
		{"approve", one(reference.PolicyBypass), func(o *reference.Options) { o.ApprovalPolicy = "never" }, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			var lines []string
			for !contains(lines, `"id":2`) {
				lines = append(lines, w.next())
				if strings.Contains(lines[len(lines)-1], "request_permission") {
					w.send(selected(0, "abort"))
				}
			}
			return append(lines, w.close()...)
		}, says("request_permission")},
		{"approve", one(reference.AsksTwice), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, "allow_once"))
			lines = append(lines, w.until("request_permission")...)
			w.send(selected(1, "allow_once"))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, times("request_permission", 2)},
		{"two-approvals", one(reference.BlocksDialogs), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			if w.options.Fault == "" {
				lines = append(lines, w.until("request_permission")...)
			}
			w.send(w.cancel(0))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, func(_ *world, lines []string) bool {
			return strings.Count(strings.Join(lines, "\n"), "request_permission") == 1
		}},
		{"two-approvals", one(reference.SwapsAnswers), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until(`"id":1,"method":"session/request_permission"`)
			w.send(selected(1, "abort"), selected(0, "allow_once"))
			return append(w.until(`"id":2`), w.close()...)
		}, func(w *world, _ []string) bool { return !w.marker("call1") && w.marker("call2") }},
		{"approve-twice", one(reference.RemembersGrant), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, "allow_once"))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, func(w *world, _ []string) bool { return w.marker("call2") }},
		{"escalate", one(reference.EscalationExtraOption), sandboxed, answer(selected(0, "reject-once")), says("allow_always")},
		{"escalate", one(reference.EscalationReason), sandboxed, answer(selected(0, "reject-once")), says(`"toolCall":{"toolCallId":"call1","title"`)},
		{"cancel", one(reference.LateAnswerGrants), nil, cancel, func(w *world, _ []string) bool { return len(w.decisions()) > 0 }},
		{"cancel", one(reference.CancelEndsTurn), nil, cancel, says("end_turn")},
		{"cancel", one(reference.CancelIsError), nil, cancel, says(`"error"`)},
		{"text", one(reference.LoseEarlyCancel), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0), w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, says("end_turn")},
		{"text", one(reference.SecondOvertakes), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0), w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, says("end_turn")},
		{"text", one(reference.UpdateAfterResponse), nil, plain, func(_ *world, lines []string) bool { return !strings.Contains(lines[len(lines)-1], `"id":2`) }},
		{"text", one(reference.TextTwice), nil, plain, says("Hi <you> there!")},
		{"text", one(reference.RawReasoning), nil, plain, says("raw thoughts")},
		{"text", one(reference.DoubleResponse), nil, plain, times(`"id":2`, 2)},
		{"text", one(reference.IDTypeChanged), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			return append(w.until("stopReason"), w.close()...)
		}, says(`"id":"2"`)},
		{"output", one(reference.StatusBackwards), nil, plain, times("in_progress", 3)},
		{"step-limit", one(reference.CardsLeftOpen), nil, plain, lacks("failed")},
		{"model-error", one(reference.HidesFailure), nil, plain, says("end_turn")},
		{"two-failures", one(reference.ReplaysTurn), nil, plain, func(w *world, _ []string) bool { return w.count("turn/start") > 1 }},
		{"text", one(reference.IgnoresBadJSON), nil, raw(`{bad`), lacks("-32700")},
		{"text", one(reference.AnswersNotification), nil, raw(`{"jsonrpc":"2.0","method":"_x"}`), says(`"id":null`)},
		{"text", one(reference.UnknownMethodOK), nil, raw(`{"jsonrpc":"2.0","id":7,"method":"nope"}`), says(`"id":7,"result"`)},
		{"text", one(reference.EchoesVersion), nil, raw(strings.Replace(hello, `n":1`, `n":9`, 1)), says(`"protocolVersion":9`)},
		{"text", one(reference.UnaskedMeta), nil, raw(hello), says("_meta")},
		{"text", one(reference.RelativeCwd), nil, raw(`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"work","mcpServers":[]}}`), says(`"sessionId"`)},
		{"text", one(reference.StdoutNoise), nil, func(w *world) []string {
			w.start().send(hello)
			return append(w.until(`"id":0`), w.close()...)
		}, says("ready")},
		{"text", one(reference.WrongSessionUpdate), nil, func(w *world) []string {
			w.ready(2).send(w.prompt(2, 1))
			return append(w.until(`"id":2`), w.close()...)
		}, func(w *world, lines []string) bool { return contains(lines, w.sessions[0]) }},
		{"text", one(reference.EarlyHost), nil, func(w *world) []string { w.ready(1); return w.close() }, func(w *world, _ []string) bool { return len(w.hostFrames()) > 0 }},
		{"text", one(reference.KeepsHost), nil, plain, func(w *world, _ []string) bool {
			frames := w.hostFrames()
			left := frames[len(frames)-1] != "-"
			w.endHosts()
			return left
		}},
	}
	stories = slices.Concat(stories, seamStories(), otherStories(), observeStories(), modeStories(), answerStories(), auditStories(),
		hookStories(), absentStories(), textStories(), formStories())
	told := map[reference.Fault]bool{}
	for _, s := range stories {
		if s.with == nil {
			s.with = func(*reference.Options) {}
		}
		for _, f := range append([]reference.Fault{""}, s.faults...) {
			told[f] = true
			if f == "" && (s.script == "approve-twice" || s.faults[0] == reference.AsksTwice || s.faults[0] == reference.IDTypeChanged) {
				continue // the story needs the fault to end
			}
			t.Run(string(s.faults[0])+"/"+string(f), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, s.script, s.with, func(o *reference.Options) {
					o.Fault = f
					if f == reference.KeepsHost || f == reference.LateAnswerGrants {
						o.Deadlines.Stop = time.Second
					}
				})
				lines := s.tell(w)
				if got := s.deviant(w, lines); got != (f != "") {
					t.Errorf("deviant: %t\n%s\nhost: %q\nlog: %q", got, strings.Join(lines, "\n"), w.methods(), w.log(0))
				}
			})
		}
	}
	// Whatever has no story shows in an ordinary conversation, but for two that need to wait.
	plainly := newWorld(t, "wide-each")
	ordinary := plainly.plain(talk(plainly))
	calls := plainly.plain(plainly.hostFrames())
	for _, name := range shownBySuite() {
		told[name] = true
	}
	for _, f := range reference.Faults() {
		if told[f.Name] || f.Name == reference.OneDialogForAll || f.Name == reference.StaysAfterEnd {
			continue
		}
		t.Run("ordinary/"+string(f.Name), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "wide-each", func(o *reference.Options) { o.Fault = f.Name })
			if lines := w.plain(talk(w)); slices.Equal(lines, ordinary) && slices.Equal(w.plain(w.hostFrames()), calls) {
				t.Errorf("the fault does not show:\n%s", strings.Join(lines, "\n"))
			}
		})
	}
}

// shownBySuite are the faults that show only where a turn fails or a request is refused in a way that no story here
// tells. The suite holds every one of them to a scenario that does.
func shownBySuite() []reference.Fault {
	return []reference.Fault{
		reference.ReusesFailedHost, reference.KeepsLateCancel, reference.SecondCancelStays, reference.ShowsStrangers,
		reference.TripsOverNoise, reference.SendsUnsentLater, reference.AsksUnasked, reference.StopsAfterRefusal,
		reference.StopsAtFolder, reference.EndsWithTurn, reference.AnyoneMayPrompt, reference.EmptyPrompt, reference.MissingFolder,
		reference.DecidesAfterEnd, reference.NoStallBound, reference.PassesHoles, reference.OpenStalls,
		reference.EndsBadly, reference.RunsInTheEnd, reference.DeclinesFirst, reference.SilentRefusal, reference.StallStays, reference.ShowsBehindHole, reference.GrantWhenTold, reference.NoCancelBound, reference.FirstChoices, reference.MatchesByID, reference.HalvesApart,
		reference.CutsTexts4K, reference.CutsTexts64K, reference.CutsOutputs4K, reference.CutsPrompts, reference.DiesOfLine, reference.LosesHostLines,
		reference.CutsSilently, reference.LateForNext, reference.TitlesAnyStage, reference.ShowsNoForm,
		reference.CloseLeavesPrompt, reference.CloseLeavesHost, reference.CloseKeepsDialogs, reference.CloseEndsAll, reference.CloseAnswersNull,
		reference.UpdateBehindClose, reference.ClosedTakesPrompts, reference.CloseOfNothingOK, reference.StaleReplyTaken,
		reference.ResumeReplays, reference.ResumeAnswersNull, reference.ResumeAnyFolder, reference.ResumeInvents, reference.ResumeStartsNew,
		reference.ResumeWhileRunning, reference.ResumeRestarts, reference.ResumeLosesPolicy, reference.ResumeLosesMode, reference.ResumeForgetsTold,
		reference.GrantOnTimeout, reference.GrantsLastingDeny, reference.NarrowsRejection, reference.RemembersElsewhere,
		reference.LostAsCancelled, reference.WithdrawnAsLost, reference.HookUnendedCounts, reference.HookExit2ByOutput, reference.GrantOnOutside, reference.DeniesWithRest, reference.HookAllowEnds, reference.EscalationBeforeHook, reference.ModeWithoutCall, reference.HookForSubagents, reference.ModeForSubagents, reference.GrantOnAnySpelling,
		reference.LosesHalves, reference.DropsUnread, reference.DeafToTerm, reference.BusyNoSession, reference.OddUnanswered, reference.FirstWordSpoils,
		reference.SecondForgets, reference.NeedsClientFacts, reference.RefusesAbility, reference.RefusesUnknown, reference.RefusesMeta,
		reference.ReadsForeignMeta, reference.WithdrawnIgnored, "unknown-session-as-method", "reserved-code",
		reference.RemembersLasting, reference.LastAnswerCounts, reference.GrantsOtherTools, reference.GrantsJudged, reference.GrantsProtected,
		"drops-line-separators", "bad-parameters-as-internal", "missing-login-as-internal", "failure-with-own-code",
		"failure-without-kind", "says-possibly-submitted", "refusal-without-code", "step-limit-as-tokens", "title-without-stage", "observation-not-agreed",
		"relative-location", "location-one-folder-up",
		reference.LinksUnaddressed, reference.BlocksReversed, reference.NullsRefused, reference.UnknownBlocksGone, reference.EmbeddedUntold, reference.CancelStaysHere,
		reference.AsksAfterCancel, reference.CancelStopsAll, reference.TellsOtherSessions, reference.NewStopsTurns, reference.DeathBlocksOthers,
		reference.SessionWithoutID, reference.RefusalStartsHost, reference.CloseOfNothingNull, reference.ModeRefused, reference.SameModeRefused,
		reference.PartialUpdate, reference.OptionEndsTurn, reference.LastPieceOnly,
	}
}

// talk is an ordinary conversation with a few odd lines: two turns, the first allowed, the second rejected.
func talk(w *world) []string {
	w.start().send(hello)
	lines := []string{w.next()}
	w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
	lines = append(lines, w.next())
	w.sessions = []string{sessionOf(lines[1])}
	w.send("", "[]", `{"jsonrpc":"2.0","id":null,"method":"nope"}`, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"nope\"}\r", `{"jsonrpc":"2.0","id":"probe","method":"nope"}`)
	lines = append(lines, w.until(`"id":"probe"`)...)
	for turn, option := range []string{"allow_once", "abort"} {
		w.send(w.prompt(turn+2, 0))
		lines = append(lines, w.answering(fmt.Sprintf(`"id":%d`, turn+2), func(id, _ string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, id, option)
		})...)
	}
	return append(lines, w.close()...)
}

// answering collects lines up to the one that begins with the answer to that id, and answers the adapter's requests.
func (w *world) answering(end string, answer func(id, line string) string) []string {
	w.t.Helper()
	var lines []string
	for {
		line := w.next()
		lines = append(lines, line)
		if f, ok := readFrame([]byte(line)); ok && f.Method != "" && len(f.ID) > 0 {
			if reply := answer(string(f.ID), line); reply != "" {
				w.send(reply)
			}
		} else if strings.Contains(line, end) {
			return lines
		}
	}
}

// endHosts ends a host that was left running.
func (w *world) endHosts() {
	data, err := os.ReadFile(filepath.Join(w.bin, "pid"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(string(data)); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
