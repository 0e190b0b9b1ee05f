package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/reference"
	"acp-conform/runner"
)

func referenceCommand() *cobra.Command {
	var o reference.Options
	c := &cobra.Command{
		Use:   "reference",
		Short: "Be the reference adapter, on stdin and stdout",
		Long: `Reference is an ordinary ACP adapter for Muse Code: it speaks ACP on stdin and stdout and starts muse serve as its
host. Its behaviour is what the suite describes; run judges it like any other adapter.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return fmt.Errorf("finding the working directory: %w", err)
			}
			o.Env, o.Dir = os.Environ(), dir
			if err := o.Validate(); err != nil {
				return usage("%v", err)
			}
			if err := reference.Run(c.Context(), os.Stdin, os.Stdout, os.Stderr, o); err != nil {
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
