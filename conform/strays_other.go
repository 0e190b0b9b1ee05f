//go:build !linux

package conform

// strays cannot be found where the system does not show the environment of processes.
func strays(string) []int { return nil }
