package runner

import (
	"slices"

	"acp-conform/conform"
)

// Oracle is a check that every scenario has, by the name that reports give it.
type Oracle struct {
	Name string
	IDs  []string // the requirements that it decides
}

// Oracles lists what looks at every scenario, the schemas included.
func Oracles() []Oracle {
	list := []Oracle{{schemaOracle, append(conform.SchemaRequirements(), MuseSchema)}}
	for _, o := range conform.Oracles() {
		list = append(list, Oracle{o.Name, o.IDs})
	}
	return list
}

// schemaOracle is what is said of the schemas where the oracles are listed.
const schemaOracle = "every frame fits its schema"

// oraclesOf lists the names of those that decide a requirement.
func oraclesOf(id string) (names []string) {
	for _, o := range Oracles() {
		if slices.Contains(o.IDs, id) {
			names = append(names, o.Name)
		}
	}
	return names
}
