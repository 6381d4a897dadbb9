// Package clk holds the clocked parts from which cycle-true models are built: FIFOs, RAM with a reset sweep, credits,
// the interlock of a pipeline, and Stream, the timing of a block with one event stream and one response stream. Lane is
// one stream of a block with several streams; the block decides when an event of a Lane issues. Store and Emitter form
// the path of beats through a packet block.
//
// All parts are two-phase. Within a cycle every read returns the value from before the clock edge; calls that change
// something (Push, Pop, Accept, Issue, Take) are recorded, and Tick commits them together. So the order of calls
// within a cycle never affects what is read.
//
//	var s clk.Stream[Event, Response]         // s.Init(timing) once
//	ready, valid := s.Ready(), s.Valid()      // outputs of this cycle
//	if ev, rsp, ok := s.Issue(); ok {         // the head event leaves the input FIFO
//		*rsp = apply(ev)
//	}
//	if ready && evValid { *s.Accept() = clk.Entry[Event]{key, clk.Keyed, event} }
//	if valid && rspReady { s.Take() }
//	s.Tick()
//
// Source: vectors/event/timing.md. Nothing here allocates after Init.
package clk
