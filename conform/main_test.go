package conform

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets this test binary be the programs that the tests of Command start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childWord {
		os.Exit(beChild(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}
