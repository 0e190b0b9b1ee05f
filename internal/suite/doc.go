// Package suite is the suite's go test: it plays every scenario against the reference adapter, in this process and as
// a process, and holds the transcripts to the goldens byte for byte.
//
// Goldens, and the input.json of a scenario that has none, are written by
//
//	go test ./internal/suite -update
//
// which shows every difference and then writes it. It fails when it wrote anything, because go test shows nothing of a
// test that passes: read the differences, then run the tests again without the flag. Nothing else writes goldens.
package suite
