package play

import "github.com/goldwire/goldwire/vectors/stim"

// Observer is called with what happens at the ports. The records are valid only during the call.
type Observer interface {
	// Begin is the start of an episode before cycle n.
	Begin(n uint64, ep *stim.Episode)
	// Reset is a cycle with rst_n low.
	Reset(n uint64)
}

// Clocked is an Observer that is also called in every cycle.
type Clocked interface {
	// Cycle is one clock cycle, after the handshakes in it were reported.
	Cycle(n uint64, in, out []uint64)
}

// Listener is an Observer that is also called for every transfer.
type Listener interface {
	// Accept is a transfer on input stream s in cycle n, Respond one on output stream s; ends is set where it
	// completes an event or a response. An event lost by a reset gives no response.
	Accept(n uint64, s int, in []uint64, ends bool)
	Respond(n uint64, s int, out []uint64, ends bool)
}

// Ender is an Observer that is also called when an episode was played to its end; one that breaks off has none.
type Ender interface {
	// End is called once, after the last cycle.
	End()
}

// Still is an Observer that ignores everything; others embed it and override what they need.
type Still struct{}

// Begin does nothing.
func (Still) Begin(uint64, *stim.Episode) {}

// Reset does nothing.
func (Still) Reset(uint64) {}

// Idle ignores transfers, too.
type Idle struct{ Still }

// Accept does nothing.
func (Idle) Accept(uint64, int, []uint64, bool) {}

// Respond does nothing.
func (Idle) Respond(uint64, int, []uint64, bool) {}
