package requirements

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Problem is one mistake in a YAML file.
type Problem struct {
	File string
	Line int // from 1; 0 when the whole file is meant
	Text string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("requirements/%s: %s", p.File, p.Text)
	}
	return fmt.Sprintf("requirements/%s:%d: %s", p.File, p.Line, p.Text)
}

func problemf(file string, line int, format string, args ...any) error {
	return &Problem{File: file, Line: line, Text: fmt.Sprintf(format, args...)}
}

// node is a node of the YAML tree. The tree is read by hand and not decoded into structs, because every mistake,
// also one that shows only later, is to be reported with its line.
type node = ast.Node

// line is where a node begins, from 1.
func line(n node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	if v, ok := n.(*ast.MappingValueNode); ok { // its own token is the colon
		return line(v.Key)
	}
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return line(m.Values[0])
	}
	return n.GetToken().Position.Line
}

// field is a member of a mapping.
type field struct {
	name string
	line int
	node node // nil when the member is absent
}

// reader reads one file and collects what is wrong with it.
type reader struct {
	file     string
	problems []error
}

func (r *reader) problemf(line int, format string, args ...any) {
	r.problems = append(r.problems, problemf(r.file, line, format, args...))
}

// root parses the text, which must hold exactly one document.
func (r *reader) root(text []byte) (node, bool) {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		at := 0
		message := err.Error()
		var located yaml.Error
		if errors.As(err, &located) {
			message = located.GetMessage()
			if t := located.GetToken(); t != nil && t.Position != nil {
				at = t.Position.Line
			}
		}
		r.problemf(at, "this is no YAML: %s", message)
		return nil, false
	}
	docs := slices.DeleteFunc(f.Docs, func(d *ast.DocumentNode) bool { return d == nil || d.Body == nil })
	if len(docs) != 1 {
		r.problemf(0, "the file holds %d documents, but must hold one", len(docs))
		return nil, false
	}
	return docs[0].Body, true
}

// mapping reads a mapping: all needed members must be there, further ones may be, any other is a mistake.
func (r *reader) mapping(n node, what string, needed, further []string) (map[string]field, bool) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.problemf(line(n), "%s is %s, but must be a mapping", what, kind(n))
		return nil, false
	}
	known := append(slices.Clone(needed), further...)
	fields := map[string]field{}
	for _, v := range values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			r.problemf(line(v), "a key of %s is %s, but must be plain text", what, kind(v.Key))
			continue
		}
		switch _, twice := fields[key.Value]; {
		case !slices.Contains(known, key.Value):
			r.problemf(line(v), "%s has no member %q; it has %s%s", what, key.Value,
				strings.Join(known, ", "), didYouMean(nearest(key.Value, known)))
		case twice:
			r.problemf(line(v), "%s has the member %q twice", what, key.Value)
		default:
			fields[key.Value] = field{name: key.Value, line: line(v), node: v.Value}
		}
	}
	for _, name := range needed {
		if _, ok := fields[name]; !ok {
			r.problemf(line(n), "%s lacks its member %q", what, name)
		}
	}
	return fields, true
}

// list reads a sequence that is not empty. An absent one gives nothing: mapping has reported it.
func (r *reader) list(f field) []node {
	if f.node == nil {
		return nil
	}
	s, ok := f.node.(*ast.SequenceNode)
	switch {
	case !ok:
		r.problemf(f.line, "%s is %s, but must be a list", f.name, kind(f.node))
		return nil
	case len(s.Values) == 0:
		r.problemf(f.line, "%s is empty", f.name)
	}
	return s.Values
}

// text reads a text. Numbers, booleans and a value that was left out are mistakes: whoever means a text writes one.
func (r *reader) text(f field) (string, bool) {
	switch n := f.node.(type) {
	case nil: // mapping has reported it
		return "", false
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.NullNode:
		r.problemf(f.line, "%s has no value", f.name)
	default:
		r.problemf(f.line, "%s is %s, but must be text", f.name, kind(n))
	}
	return "", false
}

// kind says what a node is, in the words of somebody who writes YAML.
func kind(n node) string {
	switch n.(type) {
	case nil, *ast.NullNode:
		return "empty"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.BoolNode:
		return "true or false"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode, *ast.TagNode:
		return "an anchor, alias or tag (none is used here)"
	}
	return "something else"
}
