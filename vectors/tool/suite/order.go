package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Block is a block that vectors are made of.
type Block struct {
	Stimulus *stim.Suite
	NewModel func(params map[string]int) (event.Model, error)
}

// Order asks for one vector file.
type Order struct {
	Block  Block
	Source string
	Per    string // format.PerCycle, format.PerTransaction, or "" for DefaultPer of the block
	Level  string // noted in the header
	Events uint64 // directed cases are always whole
	Seed   uint64
	TickNs int            // of the fabric's sources
	Params map[string]int // those that are not the default
}

// directed is the source of directed cases, which are always whole.
const directed = "directed"

// Spec returns what to write, with every argument that matters spelled out in its Args: equal Args give equal bytes on
// every machine. It errors when the parameters do not fit the block.
func (o *Order) Spec() (*record.Spec, error) {
	b := o.Block.Stimulus.Schema
	params, err := b.Values(o.Params)
	if err != nil {
		return nil, err
	}
	model, err := o.Block.NewModel(params)
	if err != nil {
		return nil, err
	}
	per := o.Per
	switch per {
	case "":
		per = DefaultPer(b)
	case format.PerCycle, format.PerTransaction:
	default:
		return nil, fmt.Errorf("kind of record %q: must be %s or %s", per, format.PerTransaction, format.PerCycle)
	}
	events, tickNs := o.Events, 1
	args := []string{"vectors", "gen", "--block", b.Name, "--source", o.Source, "--per", per, "--seed",
		fmt.Sprint(o.Seed)}
	if o.Source == directed || strings.HasPrefix(o.Source, directed+"/") {
		events = 0
	} else {
		args = append(args, "--events", fmt.Sprint(events))
	}
	if o.Level != "" {
		args = append(args, "--level", o.Level)
	}
	if strings.HasPrefix(o.Source, stim.Fabric) {
		tickNs = o.TickNs
		args = append(args, "--tick", fmt.Sprintf("%dns", tickNs))
	}
	var named []string
	for name, v := range params {
		named = append(named, fmt.Sprintf("%s=%d", name, v))
	}
	slices.Sort(named)
	for _, p := range named {
		args = append(args, "--param", p)
	}
	options := stim.Options{Seed: o.Seed, Events: int(events), Params: params, TickNs: tickNs}
	return &record.Spec{Block: b, Model: model, Source: o.Source, Per: per, Level: o.Level, Args: args,
		Options: options,
		Open:    func() (stim.Source, error) { return o.Block.Stimulus.Open(o.Source, options) }}, nil
}

// DefaultPer returns the default kind of record of a block: without time where every event has its answer, since that
// holds for RTL of any latency.
func DefaultPer(b *event.Block) string {
	if record.Pairing(b) == format.PairAnswers {
		return format.PerTransaction
	}
	return format.PerCycle
}

// Levels are named numbers of events, from few to many.
var Levels = []struct {
	Name   string
	Events uint64
}{{"smoke", 2000}, {"full", 100_000}, {"soak", 10_000_000}}

// LevelEvents returns the number of events of a level, false when there is none of that name.
func LevelEvents(name string) (uint64, bool) {
	for _, l := range Levels {
		if l.Name == name {
			return l.Events, true
		}
	}
	return 0, false
}
