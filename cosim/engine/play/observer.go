package play

import "github.com/goldwire/goldwire/vectors/stim"

// Observer is called with what happens at the ports. Records are valid only during the call.
type Observer interface {
	// Begin is called at the start of an episode, before cycle n.
	Begin(n uint64, ep *stim.Episode)
	// Reset is called for a cycle with rst_n low.
	Reset(n uint64)
}

// Clocked is an Observer that is also called in every cycle.
type Clocked interface {
	// Cycle is called for each clock cycle, after its handshakes were reported.
	Cycle(n uint64, in, out []uint64)
}

// Listener is an Observer that is also called for every transfer.
type Listener interface {
	// Accept is called for a transfer on input stream s in cycle n, Respond for one on output stream s. ends is set if the
	// transfer completes an event or a response. An event lost by a reset gets no response.
	Accept(n uint64, s int, in []uint64, ends bool)
	Respond(n uint64, s int, out []uint64, ends bool)
}

// Ender is an Observer that is also called when an episode was played to its end, but not when it breaks off.
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

// Idle also ignores transfers.
type Idle struct{ Still }

// Accept does nothing.
func (Idle) Accept(uint64, int, []uint64, bool) {}

// Respond does nothing.
func (Idle) Respond(uint64, int, []uint64, bool) {}
