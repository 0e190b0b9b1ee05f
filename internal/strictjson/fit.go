package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// misfit finds the first value that does not fit the type: a member that has a twin in its object, one that the object's
// type does not have under exactly this name (the decoder takes names in any case), and a value of another type. Text
// that is no JSON is left to the decoder.
func misfit(data []byte, t reflect.Type) *Error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	f := fitting{data: data, dec: dec}
	var wrong *Error
	if errors.As(f.value(t, "", ""), &wrong) {
		return wrong
	}
	return nil
}

// fitting goes through a file, token by token, with the types that its values are meant for.
type fitting struct {
	data []byte
	dec  *json.Decoder
}

func (f *fitting) fail(at, format string, args ...any) error {
	return &Error{Line: lineAt(f.data, int(f.dec.InputOffset())), At: at, Problem: fmt.Sprintf(format, args...)}
}

// value reads one value that is meant for the type; nil takes anything. At is the place of the object or the array that
// it stands in, name that of a member; a value without one stands for itself.
func (f *fitting) value(t reflect.Type, at, name string) error {
	token, err := f.dec.Token()
	if err != nil {
		return err
	}
	if want := wanted(t, token); want != "" {
		if name != "" {
			return f.fail(at, "%q holds %s where %s is expected", name, kindOf(token), want)
		}
		return f.fail(at, "this is %s where %s is expected", kindOf(token), want)
	}
	if name != "" {
		at = strings.TrimPrefix(at+"."+name, ".")
	}
	switch token {
	case json.Delim('{'):
		return f.object(t, at)
	case json.Delim('['):
		_, inner := membersOf(t)
		for i := 0; f.dec.More(); i++ {
			if err := f.value(inner, fmt.Sprintf("%s[%d]", at, i), ""); err != nil {
				return err
			}
		}
		_, err = f.dec.Token()
	}
	return err
}

func (f *fitting) object(t reflect.Type, at string) error {
	known, inner := membersOf(t)
	names := map[string]bool{}
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		of, there := known[name]
		switch {
		case names[name]:
			return f.fail(at, "the member %q is there twice", name)
		case known != nil && !there:
			return f.fail(at, "%s", unknownMember(name, known))
		case known == nil:
			of = inner
		}
		names[name] = true
		if err := f.value(of, at, name); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return err
}

// wanted says what a type takes in place of the value that begins with a token; empty when it takes that.
func wanted(t reflect.Type, token json.Token) string {
	nilable := t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map)
	if t = target(t); t == nil || nilable && token == nil {
		return ""
	}
	what, fits := "", false
	_, number := token.(json.Number)
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		what, fits = "an object", token == json.Delim('{')
	case reflect.Slice, reflect.Array:
		what, fits = "an array", token == json.Delim('[')
	case reflect.String:
		what = "a string"
		_, fits = token.(string)
	case reflect.Bool:
		what = "true or false"
		_, fits = token.(bool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		what = "a whole number"
		fits = number && parses(token, t, func(s string, bits int) error { _, err := strconv.ParseInt(s, 10, bits); return err })
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		what = "a whole number that is not negative"
		fits = number && parses(token, t, func(s string, bits int) error { _, err := strconv.ParseUint(s, 10, bits); return err })
	case reflect.Float32, reflect.Float64:
		what = "a number"
		fits = number && parses(token, t, func(s string, bits int) error { _, err := strconv.ParseFloat(s, bits); return err })
	}
	if fits {
		return ""
	}
	return what
}

// parses reports whether a number is one of the type.
func parses(token json.Token, t reflect.Type, parse func(s string, bits int) error) bool {
	return parse(fmt.Sprint(token), t.Bits()) == nil
}

// kindOf says what the value is that begins with a token.
func kindOf(token json.Token) string {
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "the number " + v.String()
	case bool:
		return fmt.Sprint(v)
	}
	return "null"
}

// target is the type that a value is decoded into; nil for one that takes anything or decodes itself.
func target(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	return t
}

// membersOf gives the types of a struct's members by their JSON names, or the one type of what a list or a map holds.
// Both are nil for a type that decodes itself, and for one that takes anything.
func membersOf(t reflect.Type) (map[string]reflect.Type, reflect.Type) {
	if t = target(t); t == nil {
		return nil, nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return nil, t.Elem()
	case reflect.Struct:
		members := map[string]reflect.Type{}
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				members[cmp.Or(name, f.Name)] = f.Type
			}
		}
		return members, nil
	}
	return nil, nil
}
