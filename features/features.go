// Package features holds the feature files, one folder an area.
//
// Every scenario and every outline carries a tag "@scenario:<folder>", the name of its folder under scenarios/. The
// rows of an outline are named by their column "case": folder/row. The other tags are the ids of the requirements that
// the scenario may report, and the name of its area.
package features

import "embed"

// FS holds the embedded feature files.
//
//go:embed all:*
var FS embed.FS
