//go:build !race

package suite

// raced reports whether the race detector looks on, beside which everything takes several times as long.
const raced = false
