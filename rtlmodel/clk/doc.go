// Package clk holds the clocked parts that cycle-true models are made of: registers, delay lines,
// FIFOs, RAM with a reset sweep, credits, the interlock of a pipeline, and Stream, the timing of a
// block with one event and one response stream. Lane is a stream of a block with several, whose
// issue the block decides; Store and Emitter are the way of beats through a packet block.
//
// All parts are two-phase. Within a cycle every read gives the value from before the clock edge;
// the calls that change something (Set, Push, Pop, Accept, Issue, Take) are noted, and Tick commits
// them together. The order of calls within a cycle therefore never matters for what is read.
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
