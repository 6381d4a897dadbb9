// Package kernel is the event queue of the simulator: a two-level timing wheel with a far list,
// which also holds the time of the run and whether it is to end. Events with equal times leave it
// in the order in which they were scheduled. Each layer above has its own kinds of events.
//
//	w := kernel.NewWheel(10)              // slots of 1,024 ps
//	w.Push(w.Now()+5*units.Microsecond, evTimer, connection)
//	e, ok := w.Pop()
//	w.Advance(e.At)
//
// # Rationale
//
// The near wheel spans more than a link's latency, so that nearly every event is linked once and sorted among about
// four, which lie together in memory. With 1,000 to 256,000 events pending it takes 0.1 to 0.3 of the time of a binary
// heap, whose cost grows with their number and, past the cache, with every level that it touches (BenchmarkQueue).
//
// Kinds from IdleKinds on do not keep a run going: samples of queues, and timers that congestion
// controls ask for, which would otherwise schedule themselves for ever.
package kernel
