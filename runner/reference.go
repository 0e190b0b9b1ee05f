package runner

import (
	"context"
	"io"

	"acp-conform/conform"
	"acp-conform/reference"
)

// ReferenceFlags start the reference adapter for the suite: what it does must not depend on who runs it, nor on how
// fast the machine is, so every deadline of its own is out of reach.
func ReferenceFlags() []string {
	return []string{
		"--privileged=no", "--sandbox-mode=read-only",
		"--start-deadline=1h", "--submit-deadline=1h", "--read-deadline=1h", "--cancel-deadline=1h", "--stall-deadline=1h", "--hook-deadline=1h", "--page-deadline=1h",
	}
}

// ReferenceAuditLog is where the reference adapter keeps its audit logs, see conform.Engine.
const ReferenceAuditLog = "acp-conform-reference/audit/{session}.jsonl"

// ReferenceInProcess is the reference adapter as a goroutine, with these options; its surroundings are filled in for
// every start.
func ReferenceInProcess(o reference.Options) conform.Adapter {
	return conform.NewInProcess("reference (in this process)", func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s conform.Surroundings) error {
		o := o
		o.Env, o.Dir = s.Env, s.Dir
		return reference.Run(ctx, stdin, stdout, stderr, o)
	})
}
