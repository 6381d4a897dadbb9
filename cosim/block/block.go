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
	// New returns the comparison for one pass over a source. A tick of the source lasts tickPs picoseconds.
	New func(params map[string]int, source string, seed uint64, tickPs int64) (FloatWatch, error)

	// Due returns the keys of the sections that the result of a source must have. A missing section means that a
	// comparison did not run.
	Due func(source string) []string
}

// FloatWatch follows the ports of the model, as a play.Listener does, and reports what it found.
type FloatWatch interface {
	Begin(n uint64, ep *stim.Episode)
	Reset(n uint64)
	Accept(n uint64, stream int, in []uint64, ends bool)
	Respond(n uint64, stream int, out []uint64, ends bool)
	// Sections returns the findings of a run with that number of events and that tick.
	Sections(events uint64, tick string) []report.Section
}

// Sizes are the parameters that a kind of stimulus needs.
type Sizes struct {
	// Fabric are the default parameters for traffic of the simulated network.
	Fabric map[string]int

	// LeastEvents is the number of random events per seed that a check plays at the smallest size; 0 means 5,000. Blocks
	// in which events wait for one another at that size need fewer.
	LeastEvents uint64

	// MostEvents is the number of random events that a check plays at the largest size, where indices have no spare
	// bits; 0 means that the check leaves this size out.
	MostEvents uint64

	// Cases are directed cases that a check also plays at another size, because part of what they test cannot happen at
	// the default size.
	Cases []SizedCase

	// Soak lists the sizes, besides the default, at which a long campaign plays random events.
	Soak []map[string]int
}

// SizedCase is a directed case, without its "directed/", at a size.
type SizedCase struct {
	Size Size
	Case string
}

// Campaign returns the words that the Makefile builds its campaigns from: block=NAME and, for each size of Soak,
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

// Bench says how to measure a block's speed.
type Bench struct {
	// Plain marks the one block whose figures have no prefix. The figures of other blocks begin with the block's name.
	Plain bool
	// Light marks a design that costs less than its stimulus and model: no ratio to native speed is demanded.
	Light bool
	// Events is the default number of events. They take at least a third of a second to simulate, so that the first
	// batch hardly counts.
	Events uint64
}

// FaultPlan lists runs of this block against planted faults, besides those that every block gets. A fault that
// survives all of them counts as not found.
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

// FileSources returns the sources of a block that a file of the user completes, such as pcap:FILE. An unknown block has
// none.
func FileSources(name string) []string {
	b, err := Lookup(name)
	if err != nil {
		return nil
	}
	return b.Stimulus.Files()
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
