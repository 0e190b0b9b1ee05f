package fakemuse

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"acp-conform/wire"
)

// doomedHarness is the argument that makes the test binary a harness which starts one host and then waits to be
// killed.
const doomedHarness = "doomed-harness"

func runDoomedHarness() {
	server, err := Start(Options{Log: wire.NewLog(wire.Limits{})})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	// The host's stdin is ours, which stays open when this process dies: only the connection can tell the host.
	cmd := exec.Command(server.Path(), "serve")
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	server.options.Log.Wait(context.Background(), func(v wire.View) bool { return len(v.Records()) > 0 })
	fmt.Println(cmd.Process.Pid, server.Dir())
	select {}
}
