package campaign

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
)

// Key is what the failures of one bucket have in common. It contains no numbers of a run: no cycle, value or seed.
type Key struct {
	Block string `json:"block"`
	// By is the observer that found the failure; empty for the comparison.
	By string `json:"found_by,omitempty"`
	// Parting is set if Field is the first signal that differs from a good design. Other parts of the key are then not
	// used, because the same fault shows in other fields, events and observers.
	Parting bool `json:"parting,omitempty"`
	// Beside is the next signal that differs in that cycle; empty if there is none.
	Beside string `json:"beside,omitempty"`
	// Field differs in the first differing cycle of the shortest events: a handshake if one differs, else the last field,
	// because the fields that explain an answer come after its data. For a failure without fields it is the test in
	// brackets.
	Field string `json:"field"`
	// Shape is the shortest events: each kind with its codes, once, in alphabetical order, and + if there are several
	// events. The order of events and their repeats depend on the seed. For a failure that was not shrunk it is the kind
	// of the differing event.
	Shape []string `json:"shape"`
}

// KeyOf returns the key of a failed run.
func KeyOf(run *plan.Run, f *Failure) Key {
	k := Key{Block: run.Block, Field: "(" + run.Test + ")", Shape: []string{}}
	if f == nil {
		return k
	}
	if f.Parting != nil && f.Parting.Signal != "" {
		k.Parting, k.Field, k.Beside = true, f.Parting.Signal, f.Parting.Beside
		return k
	}
	k.By = f.FoundBy
	switch {
	case len(f.ShrunkFields) > 0:
		k.Field = telling(f.ShrunkFields)
	case f.Field != "":
		k.Field = f.Field
	}
	if len(f.Shrunk) == 0 {
		if o := operation(f.Event); o.kind != "" {
			k.Shape = []string{o.kind}
		}
		return k
	}
	for _, e := range f.Shrunk {
		k.Shape = append(k.Shape, operation(e).String())
	}
	slices.Sort(k.Shape)
	k.Shape = slices.Compact(k.Shape)
	if len(f.Shrunk) > 1 {
		k.Shape = append(k.Shape, "+")
	}
	return k
}

// handshake matches the names of valid and ready.
var handshake = regexp.MustCompile(`^[a-z0-9]+_(valid|ready)$`)

// telling returns the field that represents all that differ. If a handshake differs, the fields with it mean nothing.
func telling(fields []string) string {
	if i := slices.IndexFunc(fields, handshake.MatchString); i >= 0 {
		return fields[i]
	}
	return fields[len(fields)-1]
}

// op is an event without its numbers.
type op struct {
	stream, kind string
	codes        []string // NAME=CODE
}

func (o op) String() string {
	words := append([]string{o.kind}, o.codes...)
	if o.stream != "" && o.stream != o.kind {
		words[0] = o.stream + ":" + o.kind
	}
	return strings.Join(words, " ")
}

var (
	lead = regexp.MustCompile(`^(accepted last|packet \d+ of \w+): `)
	code = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
)

// operation reads an event as a mismatch describes it: "enq: LOAD port=3 cls=LOW data=7", "SEND", "rx: data=00 last=1".
func operation(text string) op {
	var o op
	text = lead.ReplaceAllString(text, "")
	if stream, rest, ok := strings.Cut(text, ": "); ok && !strings.ContainsAny(stream, " =") {
		o.stream, text = stream, rest
	}
	for i, w := range strings.Fields(text) {
		name, value, given := strings.Cut(w, "=")
		switch {
		case !given && i == 0 && code.MatchString(name):
			o.kind = name
		case given && code.MatchString(value):
			o.codes = append(o.codes, w)
		}
	}
	if o.kind == "" {
		o.kind = o.stream
	}
	return o
}

// Operation returns an event, as a mismatch describes it, without numbers: its stream, its kind and its codes.
func Operation(text string) string { return operation(text).String() }

// unfit matches characters that do not belong in a typed name.
var unfit = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// namedKinds is how many kinds of events are part of a name.
const namedKinds = 3

// Title returns the key in words.
func (k *Key) Title() string {
	out := fmt.Sprintf("%s: %s differs", k.Block, k.Field)
	if k.Parting {
		out = fmt.Sprintf("%s: %s is the first signal that differs from the good design", k.Block, k.Field)
		if k.Beside != "" {
			out += ", beside " + k.Beside
		}
	}
	if k.By != "" {
		out += " (found by " + k.By + ")"
	}
	if len(k.Shape) > 0 {
		out += ", " + strings.Join(k.Shape, ", ")
	}
	return out
}

// Name returns the name of the key's bucket. It is readable, and the same for the same key in every campaign.
func (k *Key) Name() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s", k.Block, k.By, k.Field, strings.Join(k.Shape, "\n"))
	if k.Parting { // a signal and a field can have the same name
		fmt.Fprintf(h, "\nparting\n%s", k.Beside)
	}
	words := []string{k.Block, k.Field}
	for i, s := range k.Shape {
		if kind, _, _ := strings.Cut(s, " "); i < namedKinds {
			words = append(words, kind)
		}
	}
	var out []string
	for _, w := range append(words, fmt.Sprintf("%08x", h.Sum32())) {
		if w = strings.Trim(unfit.ReplaceAllString(w, "-"), "-"); w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, "-")
}
