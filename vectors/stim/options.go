package stim

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
)

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
