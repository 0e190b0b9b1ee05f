package runner

import (
	"testing"

	"go.uber.org/goleak"

	"acp-conform/fakemuse"
)

// TestMain lets this test binary be the host's stand-in.
func TestMain(m *testing.M) {
	fakemuse.Main()
	goleak.VerifyTestMain(m)
}
