package reference

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"acp-conform/reference/muse"
)

// Bounds of a prompt (muse-adapter.md §9).
const (
	maxImages   = 6 << 20  // bytes of all images of a prompt, decoded
	maxEmbedded = 64 << 10 // bytes of all embedded resources of a prompt that are no images
)

// converter turns the blocks of one prompt into parts of a turn's input, in their order.
type converter struct {
	parts            []muse.InputPart
	images, embedded int
}

// convert reads the blocks of a prompt (muse-adapter.md §9, last paragraph). Empty parts are dropped; a prompt of
// which nothing is left is refused.
func convert(blocks []json.RawMessage) ([]muse.InputPart, error) {
	var c converter
	for i, raw := range blocks {
		if err := c.block(raw); err != nil {
			return nil, fmt.Errorf("prompt block %d: %w", i+1, err)
		}
	}
	if len(c.parts) == 0 {
		return nil, fmt.Errorf("the prompt is empty")
	}
	return c.parts, nil
}

func (c *converter) text(text string) {
	if text != "" {
		c.parts = append(c.parts, muse.TextPart(text))
	}
}

func (c *converter) block(raw json.RawMessage) error {
	block, ok := object(raw)
	if !ok {
		return fmt.Errorf("must be an object")
	}
	kind, ok := text(block["type"])
	if !ok {
		return fmt.Errorf("type must be a string")
	}
	switch kind {
	case "text":
		s, ok := text(block["text"])
		if !ok {
			return fmt.Errorf("text must be a string")
		}
		c.text(s)
	case "resource_link":
		if !hasText(block, "uri") || !hasText(block, "name") {
			return fmt.Errorf("a resource link needs the strings uri and name")
		}
		c.text("Resource link: " + without(raw, "type"))
	case "image":
		return c.image(block["mimeType"], block["data"])
	case "resource":
		return c.resource(raw, block["resource"])
	case "audio":
		return fmt.Errorf("audio is not supported")
	default:
		return fmt.Errorf("%q is not a known type", kind)
	}
	return nil
}

func (c *converter) image(rawType, rawData json.RawMessage) error {
	mime, ok := text(rawType)
	if !ok || !strings.HasPrefix(mime, "image/") {
		return fmt.Errorf("mimeType must be that of an image")
	}
	data, ok := text(rawData)
	if !ok || data == "" {
		return fmt.Errorf("data must be a string that is not empty")
	}
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return fmt.Errorf("data is not base64")
	}
	if c.images += len(decoded); c.images > maxImages {
		return fmt.Errorf("the images are larger than %d bytes", maxImages)
	}
	c.parts = append(c.parts, muse.InputPart{Type: "image", MediaType: mime, Base64Data: data})
	return nil
}

func (c *converter) resource(block, raw json.RawMessage) error {
	resource, ok := object(raw)
	if !ok || !hasText(resource, "uri") {
		return fmt.Errorf("an embedded resource needs the string uri")
	}
	if body, ok := text(resource["text"]); ok {
		if err := c.embed(len(body)); err != nil {
			return err
		}
		c.text("Embedded text resource: " + without(block, "type"))
		return nil
	}
	blob, ok := text(resource["blob"])
	if !ok {
		return fmt.Errorf("an embedded resource needs text or blob")
	}
	mime, _ := text(resource["mimeType"])
	if strings.HasPrefix(mime, "image/") {
		c.text("Embedded image resource: " + without(raw, "blob"))
		return c.image(resource["mimeType"], resource["blob"])
	}
	if mime != "text/plain" && mime != "application/octet-stream" {
		return fmt.Errorf("a blob of type %q is not supported", mime)
	}
	if _, err := base64.StdEncoding.DecodeString(blob); err != nil {
		return fmt.Errorf("blob is not base64")
	}
	if err := c.embed(len(blob)); err != nil {
		return err
	}
	c.text("Embedded base64 resource: " + without(block, "type"))
	return nil
}

func (c *converter) embed(size int) error {
	if c.embedded += size; c.embedded > maxEmbedded {
		return fmt.Errorf("the embedded resources are larger than %d bytes", maxEmbedded)
	}
	return nil
}

func hasText(members map[string]json.RawMessage, name string) bool {
	_, ok := text(members[name])
	return ok
}

// without is a JSON object as compact text, in the order of its members and with their bytes, but without the member
// called name and without _meta.
func without(raw json.RawMessage, name string) string {
	var out bytes.Buffer
	out.WriteByte('{')
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return "{}"
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "{}"
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return "{}"
		}
		if key == name || key == "_meta" {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		quoted, err := json.Marshal(key)
		if err != nil {
			return "{}"
		}
		out.Write(quoted)
		out.WriteByte(':')
		if json.Compact(&out, value) != nil {
			return "{}"
		}
	}
	out.WriteByte('}')
	return out.String()
}
