package stim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Fabric is the prefix of the sources that come from a simulated network.
const Fabric = "fabric:"

// Suite holds all sources of a block, in the order in which they are listed.
type Suite struct {
	Schema  *event.Block
	Sources []Entry
}

// Entry is one source of a suite.
type Entry struct {
	Name  string // as passed to Suite.Open; one that ends in : is followed by its part
	About string // one line of help
	Part  string // what may follow NAME/ or NAME:, for messages: CASE, N, FILE; "" for nothing

	// Parts returns what may follow NAME/; it is nil if that cannot be listed.
	Parts func() []string

	// Open returns the source, or one part of it; "" is the whole. It returns nil, nil for an unknown part.
	Open func(o *Options, part string) (Source, error)
}

// Named reports whether the name is that of a source only with its part.
func (e *Entry) Named() bool { return strings.HasSuffix(e.Name, ":") }

// Names returns the names of all sources in order, then the parts of those that list them. Those of files are left out.
func (su *Suite) Names() (out []string) {
	for _, e := range su.Sources {
		if !e.Named() {
			out = append(out, e.Name)
		}
	}
	for _, e := range su.Sources {
		if e.Parts != nil {
			for _, part := range e.Parts() {
				out = append(out, e.Name+"/"+part)
			}
		}
	}
	return out
}

// Files returns the sources that a file of the user completes, such as pcap:FILE.
func (su *Suite) Files() (out []string) {
	for _, e := range su.Sources {
		if e.Named() {
			out = append(out, e.Name+e.Part)
		}
	}
	return out
}

// Open returns a source by name: one of Names, a group of directed cases, or random/N for one episode of the random
// source. It errors when the source is unknown or the options do not fit; the message lists the known names.
func (su *Suite) Open(source string, o Options) (Source, error) {
	o, err := o.Filled(su.Schema)
	if err != nil {
		return nil, err
	}
	name, part, alone := strings.Cut(source, "/")
	for i := range su.Sources {
		e := &su.Sources[i]
		if file, ok := strings.CutPrefix(source, e.Name); ok && e.Named() {
			return e.Open(&o, file)
		}
		if e.Name != name || alone && (part == "" || e.Part == "") {
			continue
		}
		if src, err := e.Open(&o, part); src != nil || err != nil {
			return src, err
		}
	}
	return nil, su.unknown(source, part)
}

// unknown returns the error for a source that the suite lacks.
func (su *Suite) unknown(source, part string) error {
	var known []string
	near := ""
	for i := range su.Sources {
		e := &su.Sources[i]
		switch {
		case e.Named():
			known = append(known, e.Name+e.Part)
			continue
		case e.Part != "":
			known = append(known, e.Name, e.Name+"/"+e.Part)
		default:
			known = append(known, e.Name)
		}
		if e.Parts != nil {
			near = nearest(e.Parts(), part)
		}
	}
	return fmt.Errorf("source %q of block %s: unknown; known sources: %s%s", source, su.Schema.Name,
		strings.Join(known, ", "), near)
}

// nearest lists the cases in the group of the given name, or else the groups.
func nearest(cases []string, name string) string {
	group, _, _ := strings.Cut(name, "/")
	var near, groups []string
	for _, c := range cases {
		g, _, _ := strings.Cut(c, "/")
		if g == group {
			near = append(near, c)
		}
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	if near != nil {
		return "; cases: " + strings.Join(near, ", ")
	}
	return "; case groups: " + strings.Join(groups, ", ")
}

// Options sets how much of a source to play, and for which block parameters.
type Options struct {
	Seed uint64

	// Events is the number of requested events; 0 takes all that the source has (random has no end). Directed cases are
	// always played whole.
	Events int

	// Params are the block's elaboration parameters; missing ones take their schema default. Stimulus reaches every
	// context of the block and, if the number space allows, some beyond.
	Params map[string]int

	// TickNs is the length of a time tick in nanoseconds: 1 (also when 0) or 128. It sets the registers of the
	// fabric's sources and the realistic ones of the random source of ccc; directed cases and corners set their own.
	TickNs int
}

// Filled returns the options with every parameter of the block and the tick set. It errors when they do not fit.
func (o Options) Filled(b *event.Block) (Options, error) {
	if o.Events < 0 {
		return o, fmt.Errorf("events %d: must not be negative", o.Events)
	}
	if o.TickNs == 0 {
		o.TickNs = 1
	}
	if o.TickNs != 1 && o.TickNs != 128 {
		return o, fmt.Errorf("tick %d ns: must be 1 or 128", o.TickNs)
	}
	var err error
	o.Params, err = b.Values(o.Params)
	return o, err
}
