package clk

// Stream is the timing of a block with one event stream and one response stream: input FIFO, issue
// rule, credits and response FIFO of vectors/event/timing.md. The block computes a response when its event issues;
// Stream shows it at the port in the cycle in which the pipeline would.
//
// The responses in flight and the response FIFO are one ring of D slots: a slot is in use from
// issue to take, which is what a credit counts, and it is in the response FIFO once its due cycle
// has come.
type Stream[E, R any] struct {
	timing Timing
	now    Cycle
	in     FIFO[Entry[E]]
	out    FIFO[reply[R]]
	lock   Interlock

	headAt    Cycle // first cycle in which the front event may issue
	headKnown bool  // headAt belongs to the current front event
	sweep     int   // sweep cycles left
}

// Entry is an event in the input FIFO, with the key and class that decide when it may issue.
type Entry[E any] struct {
	Key     uint32
	Class   Class
	Payload E
}

type reply[R any] struct {
	due Cycle
	rsp R
}

// Init sets the constants and leaves the stream in reset. Cycles are counted from 0.
func (s *Stream[E, R]) Init(t Timing) {
	*s = Stream[E, R]{timing: t}
	s.in.Init(t.InDepth)
	s.out.Init(t.Credits)
	s.lock.Init(t.Stall)
	s.Reset()
}

// Now returns the current cycle.
func (s *Stream[E, R]) Now() Cycle { return s.now }

// Ready returns ev_ready in this cycle.
func (s *Stream[E, R]) Ready() bool { return s.sweep == 0 && !s.in.Full() }

// Valid returns rsp_valid in this cycle.
func (s *Stream[E, R]) Valid() bool { return s.out.Len() > 0 && s.out.Front().due <= s.now }

// Response returns the response at the port. Call it only when Valid.
func (s *Stream[E, R]) Response() *R { return &s.out.Front().rsp }

// InUse returns the number of credits in use and of events in the input FIFO before the clock edge.
func (s *Stream[E, R]) InUse() (credits, queued int) { return s.out.Len(), s.in.Len() }

// Issue decides whether the front event issues in this cycle. If so, it returns the event and the slot of its response;
// both may be used only before Tick. Call it once per cycle.
func (s *Stream[E, R]) Issue() (ev *E, rsp *R, ok bool) {
	if s.in.Len() == 0 {
		return nil, nil, false
	}
	head := s.in.Front()
	if !s.headKnown {
		s.headAt = s.lock.Earliest(s.now, head.Key, head.Class)
		s.headKnown = true
	}
	if s.headAt > s.now || s.out.Full() {
		return nil, nil, false
	}
	s.headKnown = false
	s.in.Pop()
	s.lock.Issue(s.now, head.Key, head.Class)
	slot := s.out.Push()
	slot.due = s.now + s.timing.Latency
	return &head.Payload, &slot.rsp, true
}

// Accept accepts an event in this cycle and returns its entry; the caller must write all of it before Tick. Call it
// only when Ready.
func (s *Stream[E, R]) Accept() *Entry[E] { return s.in.Push() }

// Take takes the response at the port in this cycle. Call it only when Valid.
func (s *Stream[E, R]) Take() { s.out.Pop() }

// Skip is n cycles in which the stream is empty, after the sweep.
func (s *Stream[E, R]) Skip(n Cycle) { s.now += n }

// Reset is a cycle with rst_n low, without the clock edge: everything is empty at once and the sweep restarts.
func (s *Stream[E, R]) Reset() {
	s.in.Reset()
	s.out.Reset()
	s.lock.Reset()
	s.headKnown = false
	s.sweep = s.timing.Sweep
}

// Tick is the clock edge at the end of a cycle with rst_n high.
func (s *Stream[E, R]) Tick() {
	s.in.Tick()
	s.out.Tick()
	if s.sweep > 0 {
		s.sweep--
	}
	s.now++
}

// TickReset is the clock edge at the end of a cycle with rst_n low.
func (s *Stream[E, R]) TickReset() {
	s.Reset()
	s.now++
}
