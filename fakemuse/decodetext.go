package fakemuse

import "acp-conform/wire"

// piece reads a part of a text that is not empty. It may begin or end with one half of a character, as "\ud83d", whose
// other half another part has. A long one is told, not written out: {"repeat": "#·é", "bytes": 65537}, see
// wire.LongText.
func (d *decoder) piece(n node) (string, error) {
	if n.raw[0] == '{' {
		return d.longText(n)
	}
	text, err := n.text()
	if err != nil {
		return "", err
	}
	if whole, err := wire.UnquoteText(n.raw); err == nil {
		text = whole
	}
	return text, nil
}

// pieces reads a list of parts of a text, or one string as a list of one.
func (d *decoder) pieces(n node) ([]string, error) {
	if n.raw[0] == '"' {
		text, err := d.piece(n)
		return []string{text}, err
	}
	elements, err := n.elements()
	if err != nil {
		return nil, n.want("a string or an array of strings")
	}
	var list []string
	for _, e := range elements {
		list = append(list, take(d, d.piece, e))
	}
	if len(list) == 0 && d.err == nil {
		return nil, n.errorf("%s must not be empty", n.name)
	}
	return list, d.err
}

// longText reads how a long text is made.
func (d *decoder) longText(n node) (string, error) {
	var pattern string
	var size int
	m := d.object(n, "repeat", "bytes")
	need(d, n, m, "repeat", &pattern, node.text)
	need(d, n, m, "bytes", &size, func(n node) (int, error) { return n.whole(1, wire.MaxLongText) })
	if d.err != nil {
		return "", d.err
	}
	return wire.LongText(pattern, size)
}

// output reads what a tool writes: a text, or how a long one is made.
func (d *decoder) output(n node) (*string, error) {
	if n.raw[0] != '{' {
		return n.anyTextPointer()
	}
	text, err := d.longText(n)
	return &text, err
}
