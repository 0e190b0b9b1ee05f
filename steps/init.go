package steps

import "acp-conform/internal/godoginit"

// init runs after godog's packages are initialised, since this package imports them, and gives the process its PATH
// back. See godoginit.
func init() {
	if err := godoginit.Restore(); err != nil {
		panic("PATH cannot be set: " + err.Error()) // with a value that the system has accepted before
	}
}
