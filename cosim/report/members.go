package report

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is one key of a JSON object.
type member struct {
	key   string
	value any
}

// withMembers returns the JSON of an object with more members at its end. It errors if a key already exists, because
// one of the two values would be lost.
func withMembers(object any, more []member) (json.RawMessage, error) {
	text, err := compact(object)
	if err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	out := bytes.TrimSuffix(text, []byte("}"))
	for _, m := range more {
		if _, twice := keys[m.key]; twice || m.key == "" {
			return nil, fmt.Errorf("section %q: its key is empty or taken; give it another", m.key)
		}
		value, err := compact(m.value)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", m.key, err)
		}
		keys[m.key] = value
		if len(keys) > 1 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", m.key, value)
	}
	return append(out, '}'), nil
}

// compact returns the JSON of a value. It leaves < and & unchanged, because commands contain them.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
