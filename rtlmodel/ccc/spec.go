package ccc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	NumContexts int // contexts held; the reset sweep takes as many cycles
	NumPdcs     int // slots for PDCs in each context, each with its own last_rcvd
	NumProfiles int // sets of configuration registers
	// Pipeline is the length of another pipeline than that of the contract, in cycles: its latency, and the least distance
	// between two events of one context. 0 is the contract's. The RTL has no other.
	Pipeline int
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec {
	return Spec{
		NumContexts: port.DefaultNumContexts,
		NumPdcs:     port.DefaultNumPdcs,
		NumProfiles: port.DefaultNumProfiles,
	}
}

// Validate returns an error when a parameter is outside the schema's range.
func (s Spec) Validate() error {
	for _, p := range []struct {
		name          string
		value, lo, hi int
	}{
		{"NumContexts", s.NumContexts, port.MinNumContexts, port.MaxNumContexts},
		{"NumPdcs", s.NumPdcs, port.MinNumPdcs, port.MaxNumPdcs},
		{"NumProfiles", s.NumProfiles, port.MinNumProfiles, port.MaxNumProfiles},
	} {
		if p.value < p.lo || p.value > p.hi {
			return fmt.Errorf("%s %d: want %d to %d", p.name, p.value, p.lo, p.hi)
		}
	}
	if s.Pipeline < 0 || s.Pipeline > MaxPipeline {
		return fmt.Errorf("Pipeline %d: want 0 to %d", s.Pipeline, MaxPipeline)
	}
	return nil
}

// MaxPipeline is the longest pipeline of a Spec, in cycles.
const MaxPipeline = 255

// Config returns the registers after reset of a module with these parameters. The spec must be valid.
func (s Spec) Config() Config {
	c := Config{
		numPdcs:     uint8(s.NumPdcs),
		numProfiles: uint8(s.NumProfiles),
		timeShift:   port.RegInfo[port.RegTimeShift].Reset,
	}
	var reset Registers
	for addr := range reset {
		if addr != port.RegTimeShift {
			reset[addr] = port.RegInfo[addr].Reset
		}
	}
	for p := range s.NumProfiles {
		c.sets[p] = reset
	}
	return c
}

func (s Spec) timing() clk.Timing {
	t := clk.Timing{
		Latency: port.Latency,
		Stall:   port.Stall,
		InDepth: port.InFIFODepth,
		Credits: port.Credits,
		Sweep:   s.NumContexts,
	}
	if s.Pipeline > 0 {
		t.Latency, t.Stall = clk.Cycle(s.Pipeline), clk.Cycle(s.Pipeline)
	}
	return t
}
