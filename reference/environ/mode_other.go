//go:build !unix

package environ

import "io/fs"

func runnable(fs.FileInfo) bool { return true }
