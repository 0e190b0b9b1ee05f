package main

import (
	"fmt"
	"os"
	"path/filepath"

	"acp-conform/conform"
	"acp-conform/runner"
)

// relativeFile gives an argument that is a file of the caller's folder: the adapter does not run there. It is empty when
// there is none.
func relativeFile(argv []string) string {
	for _, a := range argv[min(1, len(argv)):] {
		if info, err := os.Stat(a); err == nil && !info.IsDir() && !filepath.IsAbs(a) {
			return a
		}
	}
	return ""
}

// adviseOnFiles tells of such an argument where nothing could be run.
func adviseOnFiles(result *conform.RunResult, argv []string) {
	if arg := relativeFile(argv); arg != "" && result.Problem != "" {
		result.Advice = fmt.Sprintf("It is %s: %s.", runner.CauseConfiguration, relativeAdvice(arg))
	}
}

func relativeAdvice(arg string) string {
	return fmt.Sprintf("the argument %q is a file of the folder that you are in; the adapter runs in a folder of its own, so give the full path", arg)
}
