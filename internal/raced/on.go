//go:build race

package raced

// On says that the race detector looks on.
const On = true
