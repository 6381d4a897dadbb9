package block

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// ErrUnknownBlock is wrapped by Lookup's error.
var ErrUnknownBlock = errors.New("unknown block")

// Block is one block of hardware.
type Block struct {
	Schema *event.Block

	// NewModel returns the cycle-true model. It errors when a parameter is out of range.
	NewModel func(params map[string]int) (event.Model, error)

	// Stimulus is what the block can be fed with.
	Stimulus *stim.Suite

	// Coverage is what is counted while the block is played.
	Coverage cover.Block

	// Float is how the model is compared with a float reference while it is played; nil where there is none.
	Float *Float

	// Formats returns the table of the block's number formats; nil where there is none.
	Formats func() *formats.Table

	Sizes  Sizes
	Bench  Bench
	Faults FaultPlan
}

// Float is a comparison with a float reference.
type Float struct {
	// New returns the comparison of one pass over a source, whose time ticks last tickPs picoseconds.
	New func(params map[string]int, source string, seed uint64, tickPs int64) (FloatWatch, error)

	// Due returns the keys of the sections that the result of a source must have, so that a comparison that is left out
	// by mistake is found.
	Due func(source string) []string
}

// FloatWatch is called with what happens at the ports of the model, as a play.Listener is, and reports what it found.
type FloatWatch interface {
	Begin(n uint64, ep *stim.Episode)
	Reset(n uint64)
	Accept(n uint64, stream int, in []uint64, ends bool)
	Respond(n uint64, stream int, out []uint64, ends bool)
	// Sections returns what was found in a run of that many events and that tick.
	Sections(events uint64, tick string) []report.Section
}

// Sizes are the parameters that a kind of stimulus needs.
type Sizes struct {
	// Fabric are the parameters for the traffic of the simulated network where none are given.
	Fabric map[string]int

	// LeastEvents are the random events of one seed that a check plays at the least size; 0 for 5,000. Where the least
	// size makes events wait for one another, they are fewer.
	LeastEvents uint64

	// MostEvents are the random events that a check plays at the largest size, whose indices have no spare bits; 0 for
	// none.
	MostEvents uint64

	// Cases are directed cases that a check plays at another size, too: at the default one a part of what they are for
	// cannot happen.
	Cases []SizedCase

	// Soak are other sizes of the block at which a long campaign plays random events, besides the one of the schema.
	Soak []map[string]int
}

// SizedCase is a directed case, without its "directed/", at a size.
type SizedCase struct {
	Size Size
	Case string
}

// Campaign returns the words from which the Makefile makes its campaigns: block=NAME and, for each size of Soak,
// size=NAME:PARAM=N[,PARAM=N...].
func (b *Block) Campaign() []string {
	out := []string{"block=" + b.Name()}
	for _, size := range b.Sizes.Soak {
		var params []string
		for _, p := range b.Schema.Params {
			if v, ok := size[p.Name]; ok {
				params = append(params, fmt.Sprintf("%s=%d", p.Name, v))
			}
		}
		out = append(out, fmt.Sprintf("size=%s:%s", b.Name(), strings.Join(params, ",")))
	}
	return out
}

// Bench is how a block's speed is measured.
type Bench struct {
	// Plain marks the block whose figures go by their plain names; those of the others have the block's in front.
	Plain bool
	// Events is the number of events when none is given: at least a third of a second of simulation, so that the time
	// of the first batch does not count.
	Events uint64
}

// FaultPlan is what a planted fault must survive to count as not found, in addition to what is played for every block.
type FaultPlan struct {
	// Directed are the sizes at which the directed cases are played besides the default one.
	Directed []Size

	// Random are further sizes at which random events are played.
	Random []Size
}

// Size is a choice of parameters.
type Size int

// The sizes. Least shows what a long sweep hides at the default size; at Most, indices have no spare bits; at Deep,
// sums over what is stored have none.
const (
	Default Size = iota // those of the schema
	Least               // every parameter at its least
	Most                // the first parameter at its most, the others at their least
	Deep                // the last parameter at its most, the others as in the schema
)

// Name returns the block's one name: of its module, its schema, its folders.
func (b *Block) Name() string { return b.Schema.Name }

// All returns all blocks, in the order of the list. The caller must not change them.
func All() []*Block { return all }

// Blocks returns the names of all blocks, sorted.
func Blocks() (names []string) {
	for _, b := range all {
		names = append(names, b.Name())
	}
	slices.Sort(names)
	return names
}

// Lookup returns the block of that name, or an error that lists the known ones.
func Lookup(name string) (*Block, error) {
	for _, b := range all {
		if b.Name() == name {
			return b, nil
		}
	}
	return nil, fmt.Errorf("%w %q: known blocks are %s", ErrUnknownBlock, name, strings.Join(Blocks(), ", "))
}

// Open returns a source of a block by its name, as stim.Suite.Open does.
func Open(name, source string, o stim.Options) (stim.Source, error) {
	b, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return b.Stimulus.Open(source, o)
}

// Sources returns the names of the sources of a block, in order. An unknown block has none.
func Sources(name string) []string {
	b, err := Lookup(name)
	if err != nil {
		return nil
	}
	return b.Stimulus.Names()
}

// NewCollector returns an empty collector of coverage for the block of that name with the given parameters; missing
// ones have their schema default. It errors when the block is unknown.
func NewCollector(name string, params map[string]int) (*cover.Collector, error) {
	b, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return cover.New(b.Coverage, params), nil
}
