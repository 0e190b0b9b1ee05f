package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled is a set of definitions that are compiled when they are first needed. It is safe for concurrent use.
type compiled struct {
	url      string
	document func() any // the definitions, with a root for each

	mu       sync.RWMutex
	compiler *jsonschema.Compiler
	roots    map[string]*jsonschema.Schema
}

// schema gives the compiled definition.
func (c *compiled) schema(def string) (*jsonschema.Schema, error) {
	c.mu.RLock()
	s := c.roots[def]
	c.mu.RUnlock()
	if s != nil {
		return s, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.roots[def]; s != nil {
		return s, nil
	}
	if c.compiler == nil {
		compiler, err := newCompiler(c.url, c.document())
		if err != nil {
			return nil, err
		}
		c.compiler, c.roots = compiler, map[string]*jsonschema.Schema{}
	}
	s, err := c.compiler.Compile(c.url + "#/$defs/" + rootName(def))
	if err != nil {
		return nil, fmt.Errorf("compiling the definition %s: %w", def, err)
	}
	c.roots[def] = s
	return s, nil
}

func newCompiler(url string, document any) (*jsonschema.Compiler, error) {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	for _, f := range formats() {
		compiler.RegisterFormat(f)
	}
	if err := compiler.AddResource(url, document); err != nil {
		return nil, fmt.Errorf("adding the definitions: %w", err)
	}
	return compiler, nil
}

// formats are the formats that the schemas use for numbers, and the one for links.
func formats() []*jsonschema.Format {
	two := big.NewInt(2)
	power := func(n int64) *big.Int { return new(big.Int).Exp(two, big.NewInt(n), nil) }
	none, one := big.NewInt(0), big.NewInt(1)
	below := func(n int64) *big.Int { return new(big.Int).Sub(power(n), one) }
	return []*jsonschema.Format{
		integerFormat("uint16", none, below(16)),
		integerFormat("uint32", none, below(32)),
		integerFormat("uint64", none, below(64)),
		integerFormat("int32", new(big.Int).Neg(power(31)), below(31)),
		integerFormat("int64", new(big.Int).Neg(power(63)), below(63)),
		{Name: "double", Validate: validDouble},
		{Name: "uri", Validate: validURI},
	}
}

func integerFormat(name string, least, most *big.Int) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		number, ok := v.(json.Number)
		if !ok {
			return nil
		}
		if len(number) < 10 && !bytes.ContainsAny([]byte(number), ".eE-") && name != "uint16" {
			return nil // the common case: a short plain number
		}
		value, ok := new(big.Rat).SetString(string(number))
		if !ok || !value.IsInt() || value.Num().Cmp(least) < 0 || value.Num().Cmp(most) > 0 {
			return fmt.Errorf("an integer from %v to %v", least, most)
		}
		return nil
	}}
}

func validDouble(v any) error {
	if number, ok := v.(json.Number); ok {
		if _, err := number.Float64(); err != nil {
			return errors.New("a number that fits a double")
		}
	}
	return nil
}

func validURI(v any) error {
	if text, ok := v.(string); ok {
		if u, err := url.Parse(text); err != nil || !u.IsAbs() {
			return errors.New("an absolute URI")
		}
	}
	return nil
}

// decodeValue decodes a JSON text for the validator, with numbers as they were written, extreme ones excepted.
func decodeValue(raw []byte) (any, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	return tame(value), err
}

// tame puts short numbers in the place of extreme ones, on the same side of every limit. The validator turns numbers
// into fractions, and a megabyte of digits or an exponent of a million would keep it busy for many seconds.
func tame(v any) any {
	switch v := v.(type) {
	case object:
		for name, member := range v {
			if worthTaming(member) {
				v[name] = tame(member)
			}
		}
	case []any:
		for i, element := range v {
			if worthTaming(element) {
				v[i] = tame(element)
			}
		}
	case json.Number:
		return tameNumber(v)
	}
	return v
}

func worthTaming(v any) bool {
	switch v := v.(type) {
	case object, []any:
		return true
	case json.Number:
		return len(v) > 3
	}
	return false
}

func tameNumber(n json.Number) any {
	const longest, most, least = 100, "1e400", "1e-300"
	text := string(n)
	if len(text) <= longest && !strings.ContainsAny(text, "eE") {
		return n
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsInf(value, 1):
		return json.Number(most)
	case math.IsInf(value, -1):
		return json.Number("-" + most)
	case err != nil:
		return n
	case value == 0 && strings.ContainsAny(digits, "123456789"):
		return json.Number(least)
	case len(text) <= longest:
		return n
	}
	return json.Number(strconv.FormatFloat(value, 'g', -1, 64))
}
