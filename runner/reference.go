package runner

import (
	"context"
	"fmt"
	"io"
	"slices"

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

// referenceInProcess is the reference adapter as a goroutine.
type referenceInProcess struct {
	*conform.InProcess
	flags []string
}

// ReferenceInProcess is the reference adapter as a goroutine, with the flags of the suite and these behind them; its
// surroundings are filled in for every start. An error is about a flag.
func ReferenceInProcess(flags ...string) (conform.Adapter, error) {
	o, err := referenceOptions(flags)
	if err != nil {
		return nil, err
	}
	return referenceInProcess{flags: flags, InProcess: conform.NewInProcess("reference (in this process)",
		func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s conform.Surroundings) error {
			o := o
			o.Env, o.Dir = s.Env, s.Dir
			return reference.Run(ctx, stdin, stdout, stderr, o)
		})}, nil
}

// With implements conform.Switchable.
func (a referenceInProcess) With(flags []string) (conform.Adapter, error) {
	return ReferenceInProcess(slices.Concat(a.flags, flags)...)
}

// referenceProcess is the reference adapter as a process.
type referenceProcess struct {
	*conform.Command
	program, flags []string
}

// ReferenceProcess is the reference adapter as a process: the program and the arguments that make it the adapter, then
// the flags of the suite, then these.
func ReferenceProcess(program []string, flags ...string) (conform.Adapter, error) {
	if _, err := referenceOptions(flags); err != nil {
		return nil, err
	}
	c, err := conform.NewCommand(slices.Concat(program, ReferenceFlags(), flags))
	if err != nil {
		return nil, err
	}
	return referenceProcess{c, program, flags}, nil
}

// With implements conform.Switchable.
func (a referenceProcess) With(flags []string) (conform.Adapter, error) {
	return ReferenceProcess(a.program, slices.Concat(a.flags, flags)...)
}

// referenceOptions reads the flags as the adapter will.
func referenceOptions(flags []string) (reference.Options, error) {
	o, err := reference.ParseFlags(slices.Concat(ReferenceFlags(), flags), nil, "")
	if err != nil {
		return o, fmt.Errorf("the flags of the reference adapter: %w", err)
	}
	return o, nil
}
