// Command otheradapter is the second adapter as a program, to be judged by hand:
//
//	go build -o other ./internal/otheradapter/cmd/otheradapter && acp-conform run -- ./other
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"acp-conform/internal/otheradapter"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := otheradapter.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Environ())
	stop()
	os.Exit(code)
}
