package triage

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// saved is the part of a saved case that its text is made from; cosim --save-case writes it.
type saved struct {
	Block  string         `json:"block"`
	Schema string         `json:"schema_hash"`
	Params map[string]int `json:"params"`
	Drive  struct {
		Resets []json.RawMessage
	} `json:"drive"`
	Items []item `json:"items"`
}

type item struct {
	Lane  int      `json:"lane"`
	Wait  uint8    `json:"wait"`
	Pair  bool     `json:"pair"`
	Gap   uint16   `json:"gap"`
	More  bool     `json:"more"`
	Words []uint64 `json:"words"`
}

// errNoText is why events stay a file for cosim --replay.
var errNoText = errors.New("they have no form as text; triage --json has them, and cosim --replay plays them")

// CaseText returns a saved case in the language of the block's directed cases (vectors/stim/casefile/README.md). Its
// only demand is that an answer repeats the last event; the model decides everything else. It errors if the case is of
// another schema or the language cannot express it.
func CaseText(b *event.Block, text json.RawMessage, name, about string) (string, error) {
	var c saved
	if err := json.Unmarshal(text, &c); err != nil {
		return "", fmt.Errorf("shortest events: %w", err)
	}
	l := event.NewLayout(b)
	ins := b.StreamsOf(event.In)
	switch {
	case c.Block != b.Name || c.Schema != b.Hash():
		return "", fmt.Errorf("shortest events are of block %s with the schema %s; block %s has %s now: run the campaign "+
			"again", c.Block, c.Schema, b.Name, b.Hash())
	case len(c.Items) == 0:
		return "", errors.New("shortest events: there are none, so that the case would show nothing")
	case len(c.Drive.Resets) > 1:
		return "", fmt.Errorf("shortest events need a reset in their midst: %w", errNoText)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "case %s %s\n", name, about)
	var params []string
	for _, p := range b.Params {
		if c.Params[p.Name] != p.Default {
			params = append(params, fmt.Sprintf("%s=%d", p.Name, c.Params[p.Name]))
		}
	}
	if len(params) > 0 {
		fmt.Fprintf(&out, "params %s\n", strings.Join(params, " "))
	}
	contexts := len(ins) == 1 && ins[0].Name == "ev"
	if contexts && len(b.Words) > 0 {
		out.WriteString("closed\n")
	}
	for i := range c.Items {
		it := &c.Items[i]
		if it.Lane < 0 || it.Lane >= len(ins) || len(it.Words) != l.In.Words {
			return "", fmt.Errorf("shortest events: event %d fits no input stream of block %s", i, b.Name)
		}
		s := ins[it.Lane]
		line, err := eventText(b, l, s, it, contexts)
		if err != nil {
			return "", err
		}
		if !contexts {
			line = "  " + line + offered(it, ins)
		}
		if i == len(c.Items)-1 {
			line += repeated(b, l, s, it)
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// eventText writes all fields of an event, so that no default of the language replaces one.
func eventText(b *event.Block, l *event.Layout, s *event.Stream, it *item, contexts bool) (string, error) {
	words := []string{s.Name}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Name == "last" || it.More || f.Width > 64 {
			return "", fmt.Errorf("shortest events of block %s have packets: %w", b.Name, errNoText)
		}
		v := l.In.Slot(s.Name, f.Name).Get(it.Words)
		if contexts && f.Name == "kind" {
			words[0] = coded(b, f, v)
			continue
		}
		words = append(words, f.Name+"="+coded(b, f, v))
	}
	return strings.Join(words, " "), nil
}

// coded returns the name of a code, or the number.
func coded(b *event.Block, f *event.Field, v uint64) string {
	if e := b.Enum(f.Enum); e != nil {
		for _, x := range e.Values {
			if x.Value == v {
				return x.Name
			}
		}
	}
	return strconv.FormatUint(v, 10)
}

// offered writes when an item is offered.
func offered(it *item, ins []*event.Stream) string {
	after := "none"
	switch n := bits.OnesCount8(it.Wait); {
	case it.Wait == 255:
		after = "all"
	case n > 0:
		var names []string
		for lane, s := range ins {
			if it.Wait>>lane&1 != 0 {
				names = append(names, s.Name)
			}
		}
		after = strings.Join(names, "+")
	}
	text := " after=" + after
	if it.Pair {
		text += " paired"
	}
	if it.Gap > 0 {
		text += fmt.Sprintf(" gap=%d", it.Gap)
	}
	return text
}

// answers pairs input streams with the streams that answer them.
func answers(b *event.Block, in *event.Stream) *event.Stream {
	if in.Name == "ev" {
		return b.Stream("rsp")
	}
	return b.Stream(in.Name + "r")
}

// repeated demands that the answer to an event repeats the event's kind or port.
func repeated(b *event.Block, l *event.Layout, in *event.Stream, it *item) string {
	out := answers(b, in)
	if out == nil {
		return ""
	}
	for _, name := range []string{"kind", "port"} {
		f, g := in.Field(name), out.Field(name)
		if f != nil && g != nil && f.Width == g.Width && f.Enum == g.Enum {
			return fmt.Sprintf(" -> %s=%s", name, coded(b, f, l.In.Slot(in.Name, name).Get(it.Words)))
		}
	}
	return ""
}
