// Package factgen strips the published schemas of ACP and MSP to facts: names, types, required members, enums,
// unions, limits and the markers that say which side has a method. No prose gets through.
//
//   - ACP_DATA and MSP_DATA name the folders that hold the published files; without them ../shared/acp and
//     ../shared/msp, seen from the folder of go.mod.
//   - The output is the same for the same input: keys sorted, one definition on one line.
//   - A keyword that this package does not know is an error. A new release of a schema cannot lose a rule in silence.
//   - Every output names its sources with version and SHA-256.
package factgen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

// Folders says where the published files are.
type Folders struct {
	ACP string // v1.schema.json, v1.meta.json, their unstable twins, README.md
	MSP string // stable/msp.schema.json, stable/manifest.json
}

// FindFolders reads ACP_DATA and MSP_DATA and fills in their defaults. The module's root is found by walking up from
// dir.
func FindFolders(dir string) (Folders, error) {
	root, err := moduleRoot(dir)
	if err != nil {
		return Folders{}, fmt.Errorf("looking for the data folders: %w", err)
	}
	return Folders{
		ACP: orDefault(os.Getenv("ACP_DATA"), filepath.Join(root, "..", "shared", "acp")),
		MSP: orDefault(os.Getenv("MSP_DATA"), filepath.Join(root, "..", "shared", "msp")),
	}, nil
}

func orDefault(value, otherwise string) string {
	if value != "" {
		return value
	}
	return otherwise
}

func moduleRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("making the folder absolute: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = parent
	}
}

// The names of the generated files.
const (
	ACPFile         = "acp_gen.json"
	ACPUnstableFile = "acp_unstable_gen.json"
	MSPFile         = "msp_gen.json"
)

// Generate reads the folders and gives the content of each generated file by its name. A missing folder or file is an
// error for which errors.Is(err, fs.ErrNotExist) holds.
func Generate(f Folders) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, g := range []struct {
		name string
		make func() (*document, error)
	}{
		{ACPFile, func() (*document, error) { return acp(f.ACP, "v1.schema.json", "v1.meta.json") }},
		{ACPUnstableFile, func() (*document, error) { return acp(f.ACP, "v1.schema.unstable.json", "v1.meta.unstable.json") }},
		{MSPFile, func() (*document, error) { return msp(f.MSP) }},
	} {
		doc, err := g.make()
		if err != nil {
			return nil, fmt.Errorf("making %s: %w", g.name, err)
		}
		if out[g.name], err = doc.print(); err != nil {
			return nil, fmt.Errorf("printing %s: %w", g.name, err)
		}
	}
	return out, nil
}

// source says where the facts come from.
type source struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Fingerprint string            `json:"fingerprint,omitempty"`
	Files       map[string]string `json:"files"`
}

// method is one method with the side that receives it.
type method struct {
	Name         string `json:"method"`
	Side         string `json:"side"`
	Request      *shape `json:"request,omitempty"`
	Notification *shape `json:"notification,omitempty"`
}

// shape names the definitions of what a method carries; empty where it carries nothing.
type shape struct {
	Params string `json:"params,omitempty"`
	Result string `json:"result,omitempty"`
}

// document is one generated file.
type document struct {
	source       source
	methods      []method
	errors       []json.RawMessage
	capabilities []string
	defs         map[string]any
}

func (d *document) print() ([]byte, error) {
	var b bytes.Buffer
	head, err := marshal(d.source)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "{\n\"source\": %s,\n\"methods\": [\n", head)
	sort.Slice(d.methods, func(i, j int) bool {
		return d.methods[i].Name < d.methods[j].Name || d.methods[i].Name == d.methods[j].Name && d.methods[i].Side < d.methods[j].Side
	})
	if err := printLines(&b, d.methods); err != nil {
		return nil, err
	}
	b.WriteString("],\n")
	if d.errors != nil {
		b.WriteString("\"errors\": [\n")
		if err := printLines(&b, d.errors); err != nil {
			return nil, err
		}
		b.WriteString("],\n")
	}
	if d.capabilities != nil {
		list, err := marshal(d.capabilities)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\"capabilities\": %s,\n", list)
	}
	b.WriteString("\"defs\": {\n")
	names := make([]string, 0, len(d.defs))
	for name := range d.defs {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		line, err := marshal(d.defs[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q: %s%s\n", name, line, comma(i, len(names)))
	}
	b.WriteString("}\n}\n")
	if !json.Valid(b.Bytes()) {
		return nil, errors.New("the output is not JSON")
	}
	return b.Bytes(), nil
}

func printLines[T any](b *bytes.Buffer, items []T) error {
	for i, item := range items {
		line, err := marshal(item)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s%s\n", line, comma(i, len(items)))
	}
	return nil
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// read decodes one file of a folder and notes its hash.
func (s *source) read(folder, name string, into any) error {
	data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		// The path is left out: it differs from place to place, the file's name does not.
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return fmt.Errorf("reading %s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	s.Files[name] = hex.EncodeToString(sum[:])
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("decoding %s: %w", name, err)
	}
	return nil
}
