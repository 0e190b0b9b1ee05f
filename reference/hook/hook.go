// Package hook runs pre-execute hooks: programs that are told about a tool call before it may run, and may ask for
// it to be asked about, or deny it (approval-seam.md §3.2).
//
//   - A hook is started without a shell: its words are separated by white space, the first is the program. It gets
//     one JSON object on stdin and answers on stdout.
//   - Exit code 0 with {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":…,
//     "permissionDecisionReason":…}} decides; a block that names no event or another one does not (REQ-HOOK-01,
//     REQ-HOOK-03). The older {"decision":"approve"|"block","reason":…} decides too; "ask" is not valid there.
//   - Exit code 2 denies, with what the hook wrote to stderr as its reason (REQ-HOOK-03).
//   - The names of members are matched letter for letter. A member of the wrong type is as good as absent, and takes
//     nothing else with it. An output that names a member twice, beside the block or in it, says two things at once: it
//     is no decision.
//   - Any other exit code, bad JSON, a program that cannot be started and the deadline are no decision. The deadline is
//     for the hook itself: when it has exited in time its exit code counts, whatever it left behind with its output open.
//   - Several hooks run one after the other, and the strictest wins: deny, then ask, then allow. The reasons of the
//     winners are joined by a blank line; the reason of an allow is dropped (REQ-HOOK-02).
package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"time"

	"acp-conform/reference/environ"
	"acp-conform/reference/proc"
)

// Decision is what a hook wants, from the weakest to the strictest.
type Decision int

// The decisions. An allow never grants anything; it only says that the hook has nothing against it.
const (
	None Decision = iota
	Allow
	Ask
	Deny
)

func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	default:
		return "none"
	}
}

// Result is a decision with its reason.
type Result struct {
	Decision Decision
	Reason   string
}

// Input is what a hook is told, on stdin.
type Input struct {
	SessionID string          `json:"session_id"`
	Cwd       string          `json:"cwd"`
	Event     string          `json:"hook_event_name"`
	ToolName  string          `json:"tool_name"`
	ToolInput json.RawMessage `json:"tool_input"`
	ToolUseID string          `json:"tool_use_id"`
}

// Event is the one event that hooks are run for.
const Event = "PreToolUse"

// Runner is how hooks are run.
type Runner struct {
	Env   []string      // the whole environment of the hooks
	Dir   string        // their working directory
	Limit time.Duration // for one hook; over it the hook is killed and decides nothing
	Rest  time.Duration // for what a hook leaves behind with its output open; zero means a second
}

// Said is what came of one run of a hook.
type Said struct {
	Code   int // the exit code; negative when it never ran to its end
	Stdout []byte
	Stderr []byte
}

// Result reads a run.
func (s Said) Result() Result {
	switch s.Code {
	case 0:
		return Decode(s.Stdout)
	case denies:
		return Result{Deny, strings.TrimSpace(string(s.Stderr))}
	default:
		return Result{}
	}
}

const (
	denies = 2 // the exit code that denies

	// NotRun is the code of a hook that could not be run, or that a signal ended.
	NotRun = -1
	// Late is the code of a hook that was ended at its deadline, or because nobody waits for it any more.
	Late = -2
)

// Run runs one hook.
func (r Runner) Run(ctx context.Context, command string, in Input) Said {
	words := strings.Fields(command)
	if len(words) == 0 {
		return Said{Code: NotRun}
	}
	path, err := environ.LookPath(r.Env, r.Dir, words[0])
	if err != nil {
		return Said{Code: NotRun}
	}
	in.Event = Event
	stdin, err := json.Marshal(in)
	if err != nil {
		return Said{Code: NotRun}
	}
	ctx, cancel := context.WithTimeout(ctx, r.Limit)
	defer cancel()
	var stdout, stderr bounded
	cmd := exec.CommandContext(ctx, path, words[1:]...)
	cmd.Dir = r.Dir
	cmd.Env = append([]string{}, r.Env...) // never nil: nil would mean our own environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(stdin, '\n')), &stdout, &stderr
	if cmd.WaitDelay = r.Rest; cmd.WaitDelay == 0 {
		cmd.WaitDelay = time.Second // its own output is in the pipe by then; what else comes does not count
	}
	proc.OwnGroup(cmd)
	cmd.Cancel = func() error { proc.Kill(cmd); return nil }
	_ = cmd.Run() // the state says it better: the error may be about what the hook left behind
	if cmd.Process != nil {
		proc.Kill(cmd) // what it left behind
	}
	said := Said{Code: NotRun, Stdout: stdout.data, Stderr: stderr.data}
	switch state := cmd.ProcessState; {
	case state != nil && state.Exited():
		said.Code = state.ExitCode()
	case ctx.Err() != nil:
		said.Code = Late
	}
	return said
}

// Merge joins the results of several hooks, the strictest first (REQ-HOOK-02).
func Merge(results []Result) Result {
	var merged Result
	for _, r := range results {
		merged.Decision = max(merged.Decision, r.Decision)
	}
	if merged.Decision < Ask {
		return merged
	}
	var reasons []string
	for _, r := range results {
		if r.Decision == merged.Decision && r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
	}
	merged.Reason = strings.Join(reasons, "\n\n")
	return merged
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ data []byte }

const most = 1 << 20 // bytes kept of a hook's output; a decision is far smaller

func (b *bounded) Write(p []byte) (int, error) {
	b.data = append(b.data, p[:min(len(p), most-len(b.data))]...)
	return len(p), nil
}
