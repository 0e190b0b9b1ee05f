//go:build unix

package environ

import "io/fs"

func runnable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }
