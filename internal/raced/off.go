//go:build !race

// Package raced tells tests whether the race detector looks on. Everything takes several times as long beside it, so what
// plays the whole suite once more, over code that it has seen already, is left out; .ci/run plays that without it.
package raced

// On says that the race detector looks on.
const On = false
