// Package early lets a stand-in of fakemuse do its work before the rest of the program is initialised.
//
// Every scenario starts one or more stand-ins, each of them our whole executable again, and the JSON Schema library
// compiles five drafts of the meta-schema whenever a program begins. That alone takes longer than the rest of a
// stand-in's life.
//
// The packages of a program are initialised in the order of their import paths, as soon as what they import is. This
// package depends on the standard library alone and its path sorts before those of all libraries, so its turn comes
// before theirs. Should that ever change, nothing but time is lost: fakemuse.Main, in main and in TestMain, does the same.
package early

import (
	"acp-conform/fakemuse"
	"acp-conform/internal/godoginit"
)

func init() {
	if !fakemuse.IsStandIn() {
		return
	}
	if godoginit.Restore() != nil {
		return // main has another try
	}
	// While packages are initialised, their goroutine holds the first thread; on any other one waiting is cheaper.
	go fakemuse.Main()
	select {}
}
