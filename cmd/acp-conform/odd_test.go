package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// oddWord makes this test binary an odd adapter: the next argument says which.
const oddWord = "be-an-odd-adapter"

const goodHello = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}` + "\n"

// beOdd is an adapter that answers initialize, and then misbehaves.
func beOdd(args []string) int {
	in := bufio.NewReader(os.Stdin)
	hello := func() {
		in.ReadString('\n')
		os.Stdout.WriteString(goodHello)
	}
	switch args[0] {
	case "needs-no-host":
		return beHostless(strings.Join(args[1:], " "))
	case "calls-muse":
		return beCaller(args[1:])
	case "dies":
		hello()
		in.ReadString('\n')
		fmt.Fprintln(os.Stderr, "panic: the odd adapter dies")
		return 7
	case "floods":
		hello()
		for {
			if _, err := os.Stdout.WriteString(`{"jsonrpc":"2.0","method":"_flood","params":{"x":"` + strings.Repeat("x", 40) + `"}}` + "\n"); err != nil {
				return 1
			}
		}
	case "asks-without-end":
		hello()
		in.ReadString('\n')
		os.Stdout.WriteString(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}` + "\n")
		for n := 0; ; n++ {
			if _, err := in.ReadString('\n'); err != nil {
				return 0
			}
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}}`+"\n", n)
		}
	case "endless-line":
		hello()
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				return 1
			}
		}
	case "noise":
		os.Stdout.WriteString("Welcome to the odd adapter \x1b[31m!\n")
		hello()
	case "number":
		os.Stdout.WriteString("42\n")
		hello()
	case "no-lf":
		hello()
		io.Copy(io.Discard, in)
		os.Stdout.WriteString(`{"jsonrpc":"2.0","method":"_cut`)
		return 0
	case "stays":
		signal.Ignore(syscall.SIGTERM)
		hello()
		io.Copy(io.Discard, in)
		select {}
	case "deaf":
		select {}
	case "hides-a-child":
		cmd := exec.Command("sleep", "1000")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return 9
		}
		hello()
	case "leaves-its-group", "leaves-and-ends":
		// The group's leader cannot leave its group; a child of its can, and is the adapter from then on.
		adapter := exec.Command(os.Args[0], oddWord, "stays")
		adapter.Stdin, adapter.Stdout, adapter.Stderr = os.Stdin, os.Stdout, os.Stderr
		adapter.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := adapter.Start(); err != nil {
			return 9
		}
		if args[0] == "leaves-its-group" {
			adapter.Wait()
		}
		return 0
	case "child-holds-stdout":
		cmd := exec.Command("sleep", "1000")
		cmd.Stdout = os.Stdout
		if err := cmd.Start(); err != nil {
			return 9
		}
		hello()
	case "closes-stdout":
		hello()
		os.Stdout.Close()
	case "error":
		in.ReadString('\n')
		os.Stdout.WriteString(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"log in first"}}` + "\n")
	case "empty-result":
		in.ReadString('\n')
		os.Stdout.WriteString(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	case "other-id":
		in.ReadString('\n')
		os.Stdout.WriteString(`{"jsonrpc":"2.0","id":"1","result":{"protocolVersion":1}}` + "\n")
	}
	io.Copy(io.Discard, in)
	return 0
}

func TestOddAdapters(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		odd  string
		code int
		says []string
	}{
		{"dies", 1, []string{"the adapter ended (exit status 7): there was no answer to session/new", "panic: the odd adapter dies"}},
		{"floods", 1, []string{"over the harness's limit"}},
		{"asks-without-end", 1, []string{"more than 1000 requests to the editor"}},
		{"endless-line", 1, []string{"a line is longer than the limit of 67108864 bytes"}},
		{"noise", 1, []string{"ACP-TRN-03", `Welcome to the odd adapter`}},
		{"number", 1, []string{"ACP-TRN-03", "JSON scalar"}},
		{"no-lf", 1, []string{"ACP-TRN-14"}},
		{"stays", 1, []string{"ACP-TRN-11", "it needed SIGKILL"}},
		{"deaf", 3, []string{"there was no answer to initialize within 2s"}},
		{"hides-a-child", 1, []string{"ACP-TRN-11", "still running"}},
		{"leaves-its-group", 1, []string{"ACP-TRN-11", "it needed SIGKILL"}},
		{"leaves-and-ends", 1, []string{"ACP-TRN-11", "it needed SIGKILL"}},
		{"child-holds-stdout", 1, []string{"ACP-TRN-11"}},
		{"closes-stdout", 1, []string{"the adapter closed its stdout"}},
		{"error", 3, []string{"log in first"}},
		{"empty-result", 3, []string{"has no protocolVersion"}},
		{"other-id", 3, []string{"there was no answer to initialize", `it sent a response with the id "1", and the id of initialize is 1`}},
	}
	for _, tt := range tests {
		t.Run(tt.odd, func(t *testing.T) {
			t.Parallel()
			if tt.odd == "hides-a-child" || strings.HasPrefix(tt.odd, "leaves-") {
				onLinux(t)
			}
			args := []string{}
			if tt.odd == "floods" || tt.odd == "asks-without-end" || tt.odd == "endless-line" {
				args = append(args, "--reply-timeout=60s") // the limit must come first, however busy the machine is
			}
			if strings.HasPrefix(tt.odd, "leaves-") { // it uses up every wait there is, and more than once
				args = append(args, "--reply-timeout=500ms", "--stop-timeout=500ms", "--kill-timeout=500ms")
			}
			out := judgeQuickly(t, append(args, "--scenario", "text-turn", "--", own, oddWord, tt.odd)...)
			if out.code != tt.code {
				t.Errorf("exit %d, not %d", out.code, tt.code)
			}
			for _, s := range tt.says {
				if !strings.Contains(out.stdout, s) {
					t.Errorf("the report does not say %q", s)
				}
			}
			if strings.Contains(out.stdout, "\x1b") {
				t.Error("an escape sequence of the adapter reaches the terminal")
			}
			if t.Failed() {
				t.Log(out.stdout, out.stderr)
			}
		})
	}
}
