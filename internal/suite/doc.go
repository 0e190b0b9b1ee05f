// Package suite is the suite's go test: it plays every scenario against the reference adapter, in this process and as
// a process, and holds the transcripts to the goldens byte for byte.
//
// Goldens, and the input.json of a scenario that has none, are written by
//
//	go test ./internal/suite -update
//
// which prints every difference before it writes. Nothing else writes them.
package suite
