package clk

// Lane is the input FIFO, the credits and the response FIFO of one event stream and its response
// stream in a block whose streams look at one another before they issue. The block says when an
// event issues; Lane keeps the counts q and o of vectors/event/timing.md and shows a response from
// Latency cycles after its issue on.
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

// Full tells whether the input FIFO takes nothing in this cycle.
func (l *Lane[E, R]) Full() bool { return l.in.Full() }

// CanIssue tells whether there is a head event and a credit for it.
func (l *Lane[E, R]) CanIssue() bool { return l.in.Len() > 0 && !l.out.Full() }

// Head returns the oldest event in the input FIFO; only when there is one.
func (l *Lane[E, R]) Head() *E { return l.in.Front() }

// Issue moves the head event out of the input FIFO in this cycle and returns the place of its
// response, to be written before Tick; only when CanIssue.
func (l *Lane[E, R]) Issue() *R {
	l.in.Pop()
	slot := l.out.Push()
	slot.due = l.now + l.latency
	return &slot.rsp
}

// Accept returns the place of an event that is taken in this cycle, to be written before Tick; only
// when not Full.
func (l *Lane[E, R]) Accept() *E { return l.in.Push() }

// Valid tells whether there is a response at the port in this cycle.
func (l *Lane[E, R]) Valid() bool { return l.out.Len() > 0 && l.out.Front().due <= l.now }

// Response returns the response at the port; only when Valid.
func (l *Lane[E, R]) Response() *R { return &l.out.Front().rsp }

// Take takes the response at the port in this cycle; only when Valid.
func (l *Lane[E, R]) Take() { l.out.Pop() }

// InUse returns the credits in use and the events in the input FIFO before the clock edge.
func (l *Lane[E, R]) InUse() (credits, queued int) { return l.out.Len(), l.in.Len() }

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
