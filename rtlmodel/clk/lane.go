package clk

// Lane is the input FIFO, the credits and the response FIFO of one event stream and its response stream, for a block in
// which the issue of one stream depends on the others. The block decides when an event issues; Lane keeps the counts q
// and o of vectors/event/timing.md and shows a response starting Latency cycles after its issue.
//
// As in Stream, the responses in flight and the response FIFO are one ring of D slots.
type Lane[E, R any] struct {
	latency Cycle
	now     Cycle
	in      FIFO[E]
	out     FIFO[reply[R]]
}

// Init sets the depth of the input FIFO and the credits, powers of two, and the latency in cycles,
// and leaves the lane empty.
func (l *Lane[E, R]) Init(inDepth, credits int, latency Cycle) {
	*l = Lane[E, R]{latency: latency}
	l.in.Init(inDepth)
	l.out.Init(credits)
}

// Full reports whether the input FIFO accepts nothing in this cycle.
func (l *Lane[E, R]) Full() bool { return l.in.Full() }

// CanIssue reports whether the input FIFO holds an event and a credit is free for it.
func (l *Lane[E, R]) CanIssue() bool { return l.in.Len() > 0 && !l.out.Full() }

// Head returns the oldest event in the input FIFO. Call it only when there is one.
func (l *Lane[E, R]) Head() *E { return l.in.Front() }

// Issue removes the head event from the input FIFO in this cycle and returns the slot of its response, which the caller
// must write before Tick. Call it only when CanIssue.
func (l *Lane[E, R]) Issue() *R {
	l.in.Pop()
	slot := l.out.Push()
	slot.due = l.now + l.latency
	return &slot.rsp
}

// Accept returns the slot of an event that is accepted in this cycle; the caller must write it before Tick. Call it
// only when not Full.
func (l *Lane[E, R]) Accept() *E { return l.in.Push() }

// Valid reports whether there is a response at the port in this cycle.
func (l *Lane[E, R]) Valid() bool { return l.out.Len() > 0 && l.out.Front().due <= l.now }

// Response returns the response at the port. Call it only when Valid.
func (l *Lane[E, R]) Response() *R { return &l.out.Front().rsp }

// Take takes the response at the port in this cycle. Call it only when Valid.
func (l *Lane[E, R]) Take() { l.out.Pop() }

// InUse returns the number of credits in use and of events in the input FIFO before the clock edge.
func (l *Lane[E, R]) InUse() (credits, queued int) { return l.out.Len(), l.in.Len() }

// Rests reports whether cycles only count until an event is accepted.
func (l *Lane[E, R]) Rests() bool { return l.in.Len() == 0 && l.out.Len() == 0 }

// Skip is n cycles of a rest.
func (l *Lane[E, R]) Skip(n Cycle) { l.now += n }

// Reset empties the lane at once.
func (l *Lane[E, R]) Reset() {
	l.in.Reset()
	l.out.Reset()
}

// Tick is the clock edge.
func (l *Lane[E, R]) Tick() {
	l.in.Tick()
	l.out.Tick()
	l.now++
}
