package main

import (
	"github.com/spf13/cobra"

	"acp-conform/cmd/acp-conform/internal/builtin"
	"acp-conform/conform"
	"acp-conform/reference"
	"acp-conform/runner"
)

func referenceCommand() *cobra.Command {
	var o reference.Options
	c := &cobra.Command{
		Use:   builtin.Command,
		Short: "Be the reference adapter, on stdin and stdout",
		Long: `Reference is an ordinary ACP adapter for Muse Code: it speaks ACP on stdin and stdout and starts muse serve as its
host. Its behaviour is what the suite describes; run judges it like any other adapter.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.Validate(); err != nil {
				return usage("%v", err)
			}
			if err := builtin.Run(c.Context(), o); err != nil {
				return &exitError{conform.ExitFailed, err.Error()}
			}
			return nil
		},
	}
	c.Flags().AddGoFlagSet(o.Flags())
	return c
}

// inProcess is the reference adapter in a goroutine of ours.
func inProcess() (conform.Adapter, error) { return runner.ReferenceInProcess() }
