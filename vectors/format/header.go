package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Version is the newest version of the container. A file is written in the oldest version that holds its header, and
// all versions up to this one are read. Version 2 adds what limits a comparison: CompareHash, Relaxed, Constants.
const Version = 2

// What a record stands for.
const (
	PerCycle       = "cycle"
	PerTransaction = "transaction"
)

// How the two sides of a transaction belong together.
const (
	// PairAnswers: the output of a record answers its input, one for one.
	PairAnswers = "answers"
	// PairOrder: only the order within each output stream has a meaning.
	PairOrder = "order"
)

// Header describes what a file holds and how it was made; with the same generator it is enough to make the file again.
// It contains no path, time or host.
type Header struct {
	Block      string `json:"block"`
	Per        string `json:"per"`     // PerCycle or PerTransaction
	Pairing    string `json:"pairing"` // PairAnswers or PairOrder
	SchemaHash string `json:"schema_hash"`
	// CompareHash is event.Block.CompareHash of the schema: "" where every bit is compared. A file of version 1 has
	// none stored; its reader takes it from the schema.
	CompareHash string `json:"compare_hash,omitempty"`
	// Relaxed lists the handshake rules, STREAM.RULE, that the design which answered was not held to. Constants lists
	// the output fields, STREAM.FIELD, to which its dut.yaml gave a constant, so that they do not come from the design.
	Relaxed   []string       `json:"relaxed,omitempty"`
	Constants []string       `json:"constants,omitempty"`
	Params    map[string]int `json:"params"`    // every elaboration parameter of the block
	Source    string         `json:"source"`    // name of the stimulus
	Seed      uint64         `json:"seed"`      // 0 also of a file merged from several seeds: see SeedText
	Level     string         `json:"level"`     // smoke, full, soak or empty
	Generator string         `json:"generator"` // name and version of what drew the stimulus
	Args      []string       `json:"args"`      // canonical command line after the program's name
	Schema    string         `json:"schema"`    // the block's schema as YAML
}

// SeedText returns the seed in readable form: "several" where files of different seeds were merged, and perhaps cut
// again, for which Seed is 0.
func (h *Header) SeedText() string {
	if h.Seed == 0 && len(h.Args) > 1 && h.Args[1] == "merge" {
		return "several"
	}
	return strconv.FormatUint(h.Seed, 10)
}

// maxHeader bounds the JSON of header and footer, in bytes.
const maxHeader = 4 << 20

// check returns the schema that the header carries, or what is wrong with the header.
func (h *Header) check() (*event.Block, error) {
	switch {
	case h.Per != PerCycle && h.Per != PerTransaction:
		return nil, fmt.Errorf("header: per %q: must be %s or %s", h.Per, PerCycle, PerTransaction)
	case h.Pairing != PairAnswers && h.Pairing != PairOrder:
		return nil, fmt.Errorf("header: pairing %q: must be %s or %s", h.Pairing, PairAnswers, PairOrder)
	}
	b, err := event.Parse([]byte(h.Schema))
	switch {
	case err != nil:
		return nil, fmt.Errorf("header: %w", err)
	case b.Name != h.Block:
		return nil, fmt.Errorf("header: block %q, but its schema is that of %q", h.Block, b.Name)
	case b.Hash() != h.SchemaHash:
		return nil, fmt.Errorf("header: schema hash %s, but its schema has %s", h.SchemaHash, b.Hash())
	case h.CompareHash != "" && b.CompareHash() != h.CompareHash:
		return nil, fmt.Errorf("header: compare hash %s, but its schema has %s", h.CompareHash,
			event.CompareName(b.CompareHash()))
	case len(b.Params) != len(h.Params):
		return nil, fmt.Errorf("header: %d parameters, but block %s has %d", len(h.Params), b.Name, len(b.Params))
	case h.Pairing == PairAnswers && (len(b.StreamsOf(event.In)) != 1 || len(b.StreamsOf(event.Out)) != 1):
		return nil, fmt.Errorf("header: pairing %q needs one stream each way, which block %s does not have", h.Pairing,
			b.Name)
	}
	for _, p := range b.Params {
		if _, ok := h.Params[p.Name]; !ok {
			return nil, fmt.Errorf("header: parameter %s of block %s is missing", p.Name, b.Name)
		}
	}
	for _, name := range h.Constants {
		stream, field, _ := strings.Cut(name, ".")
		if s := b.Stream(stream); s == nil || s.Dir != event.Out || s.Field(field) == nil {
			return nil, fmt.Errorf("header: constant %q: block %s has no such output field", name, b.Name)
		}
	}
	return b, nil
}

// version returns the oldest version of the container that holds the header.
func (h *Header) version() uint32 {
	if h.CompareHash != "" || len(h.Relaxed)+len(h.Constants) > 0 {
		return 2
	}
	return 1
}

// SameComparison returns nil when two files, x and y, compare the same, or an error that names what differs with both
// values. b and c are their schemas, of one interface.
func (h *Header) SameComparison(x string, b *event.Block, o *Header, y string, c *event.Block) error {
	if err := event.SameComparison(x, b, y, c); err != nil {
		return err
	}
	list := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return strings.Join(names, ", ")
	}
	if !slices.Equal(h.Relaxed, o.Relaxed) {
		return fmt.Errorf("%s was answered by a design with relaxed handshake rules: %s, and %s: %s; answer both with one "+
			"dut.yaml",
			x, list(h.Relaxed), y, list(o.Relaxed))
	}
	if !slices.Equal(h.Constants, o.Constants) {
		return fmt.Errorf("%s was answered with constants of the dut.yaml in fields: %s, and %s: %s; answer both with one "+
			"dut.yaml",
			x, list(h.Constants), y, list(o.Constants))
	}
	return nil
}

// Totals are the counts over a whole file.
type Totals struct {
	Records   uint64            `json:"records"`
	Frames    uint64            `json:"frames"`
	Episodes  uint64            `json:"episodes"`
	Resets    uint64            `json:"resets"`    // times that rst_n went low
	Transfers map[string]uint64 `json:"transfers"` // per stream
	// Digest is the SHA-256 of the header and the uncompressed frames: equal for equal contents, however
	// well they were compressed.
	Digest string `json:"digest"`
}

// Equal reports whether two totals agree in everything.
func (t *Totals) Equal(u *Totals) bool {
	a, errA := canonical(t)
	b, errB := canonical(u)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// canonical returns the one JSON form of a header or footer: keys in the order of the struct, maps sorted.
func canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	if b.Len() > maxHeader {
		return nil, fmt.Errorf("header of %d bytes: at most %d", b.Len(), maxHeader)
	}
	return b.Bytes(), nil
}

// decode reads canonical JSON into v and refuses any other: two texts for one header would give two files with the same
// content.
func decode(what string, text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	again, err := canonical(v)
	if err != nil {
		return err
	}
	if !slices.Equal(again, text) {
		return fmt.Errorf("%s: JSON is not in its canonical form", what)
	}
	return nil
}
