package audit

import (
	"os"
	"path/filepath"
)

// namedIn lists the folders that get a new name when a file is made in folder and what is missing of its path with it:
// folder itself, and further up to the first that is there.
func namedIn(folder string) []string {
	list := []string{folder}
	for !exists(folder) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
		list = append(list, folder)
	}
	return list
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// syncFolders makes the names in folders durable. Where folders cannot be synced, the file system does it by itself.
func syncFolders(folders []string) {
	for _, path := range folders {
		if folder, err := os.Open(path); err == nil {
			_ = folder.Sync()
			_ = folder.Close()
		}
	}
}
