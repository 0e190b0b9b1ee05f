// Command gen writes the facts of the published schemas into the folder it is run in. It is run by go generate.
package main

import (
	"fmt"
	"os"

	"acp-conform/wire/schema/internal/factgen"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	folders, err := factgen.FindFolders(".")
	if err != nil {
		return err
	}
	files, err := factgen.Generate(folders)
	if err != nil {
		return fmt.Errorf("%w (ACP_DATA and MSP_DATA name the folders of the published schemas)", err)
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}
