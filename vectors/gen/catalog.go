package gen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Names of the blocks that have sources.
const (
	BlockCCC     = "ccc"
	BlockTxstate = "txstate"
	BlockEgress  = "egress"
	BlockTrimmer = "trimmer"
	BlockIntmd   = "intmd"
	BlockSwitch  = "switchport"
)

// suites are the blocks whose episodes are scripts.
var suites = map[string]*suite{
	BlockEgress: &egressSuite, BlockTrimmer: &trimmerSuite, BlockIntmd: &intmdSuite, BlockSwitch: &switchSuite,
}

// Options says what to open and how much of it.
type Options struct {
	Seed uint64

	// Events is the number of events wanted, 0 for as many as the source has
	// (random has no end). Directed cases are always whole, whatever it says.
	Events int

	// Params are the block's elaboration parameters; missing ones have their
	// schema default. Stimulus reaches every context of the block and, where
	// the number space allows, some beyond.
	Params map[string]int

	// TickNs is the length of a time tick in nanoseconds: 1 (also when 0) or 128.
	// It sets the registers of the fabric's sources and the realistic ones of the
	// random source of ccc; directed cases and corners bring their own.
	TickNs int
}

// Sources returns the names of the sources of a block, in order: all directed
// cases as one, random, those of the fabric, and each directed case by name.
// An unknown block has none.
func Sources(block string) []string {
	names := caseNames(block)
	if names == nil {
		return nil
	}
	out := []string{"directed", "random"}
	if su := suites[block]; su == nil || su.fabric != nil {
		for _, f := range fabricNames(block) {
			out = append(out, "fabric:"+f)
		}
	}
	for _, n := range names {
		out = append(out, "directed/"+n)
	}
	return out
}

// caseNames returns the names of a block's directed cases, nil when it has none.
func caseNames(block string) (out []string) {
	if su := suites[block]; su != nil {
		for _, c := range su.cases() {
			out = append(out, c.name)
		}
		return out
	}
	for _, c := range cases(block) {
		out = append(out, c.name)
	}
	for _, c := range timingCases(block) {
		out = append(out, c.name)
	}
	return out
}

// Blocks returns the names of the blocks that have sources.
func Blocks() []string {
	return append([]string{BlockCCC, BlockTxstate}, slices.Sorted(maps.Keys(suites))...)
}

// Open returns a source by its name: one of Sources, or random/N for one episode
// of the random source alone. It errors when the block or the source is unknown
// or the options do not fit; the message lists what there is.
func Open(block, source string, o Options) (Source, error) {
	if !slices.Contains(Blocks(), block) {
		return nil, fmt.Errorf("block %q: unknown; known blocks: %s", block, strings.Join(Blocks(), ", "))
	}
	if o.Events < 0 {
		return nil, fmt.Errorf("events %d: must not be negative", o.Events)
	}
	if o.TickNs == 0 {
		o.TickNs = 1
	}
	if o.TickNs != 1 && o.TickNs != 128 {
		return nil, fmt.Errorf("tick %d ns: must be 1 or 128", o.TickNs)
	}
	if err := o.fill(block); err != nil {
		return nil, err
	}
	kind, rest, _ := strings.Cut(source, "/")
	if su := suites[block]; su != nil {
		if src, err := su.open(block, source, &o); src != nil || err != nil {
			return src, err
		}
		return nil, unknownSource(block, source, rest)
	}
	switch {
	case source == "random":
		return openRandom(block, &o, -1), nil
	case kind == "random":
		n, err := strconv.ParseUint(rest, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("source %q: episode must be a number, as in random/17", source)
		}
		return openRandom(block, &o, int(n)), nil
	case kind == "directed":
		src, ok := openDirected(block, &o, rest)
		if ok {
			return src, nil
		}
	case strings.HasPrefix(source, "fabric:"):
		name := strings.TrimPrefix(source, "fabric:")
		if slices.Contains(fabricNames(block), name) {
			return openFabric(block, name, &o)
		}
	}
	return nil, unknownSource(block, source, rest)
}

func unknownSource(block, source, rest string) error {
	return fmt.Errorf("source %q of block %s: unknown; known sources: directed, directed/CASE, random, random/N, fabric:%s%s",
		source, block, strings.Join(fabricNames(block), ", fabric:"), nearest(block, rest))
}

// nearest lists the directed cases that begin as name does, or the groups.
func nearest(block, name string) string {
	group, _, _ := strings.Cut(name, "/")
	var near, groups []string
	for _, c := range caseNames(block) {
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

// fill checks the parameters against the schema and adds the defaults.
func (o *Options) fill(block string) error {
	b := ccc.Schema()
	if block == BlockTxstate {
		b = txstate.Schema()
	} else if su := suites[block]; su != nil {
		b = su.schema
	}
	p := make(map[string]int, len(b.Params))
	for _, d := range b.Params {
		v, ok := o.Params[d.Name]
		if !ok {
			v = d.Default
		}
		if v < d.Min || v > d.Max || d.Pow2 && v&(v-1) != 0 {
			pow := ""
			if d.Pow2 {
				pow = ", a power of two"
			}
			return fmt.Errorf("parameter %s of block %s = %d: must be %d to %d%s", d.Name, block, v, d.Min, d.Max, pow)
		}
		p[d.Name] = v
	}
	names := make([]string, 0, len(o.Params))
	for name := range o.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if _, ok := p[name]; !ok {
			return fmt.Errorf("parameter %q: block %s has none of that name", name, block)
		}
	}
	o.Params = p
	return nil
}

// openRandom returns the random source of a block, or its one episode only.
func openRandom(block string, o *Options, only int) Source {
	if block == BlockCCC {
		return newCCCRandom(o, only)
	}
	return newTxRandom(o, only)
}
