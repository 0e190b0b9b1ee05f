// Package proc reaches a child process together with everything that it started, where the system has process groups.
package proc
