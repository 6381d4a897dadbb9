package clk

// Store is the path of beats from an input port to the output stage of a packet block: an input FIFO followed by a
// store, which a beat leaves only some cycles after its release. The block decides when a beat issues from the FIFO to
// the store, how many beats that releases, and when a beat leaves the store.
//
// FIFO and store are one ring of elements with three positions, so a beat is written once. Changes made through the
// pointers that Issued returns are visible when the beat leaves.
type Store[T any] struct {
	inDepth, depth, release uint
	ring                    []T
	mask                    uint
	wr, issued, popped      uint // positions before the clock edge
	avail                   int  // beats that may leave
	now                     uint
	rel                     [16]uint8 // beats released, by cycle modulo 16
	accept, issue, pop      bool
}

// Init sets the depths of FIFO and store, in beats, and the number of cycles, 1 to 16, from the issue that releases a
// beat to the first cycle in which it can leave.
func (s *Store[T]) Init(inDepth, depth int, release Cycle) {
	if release < 1 || release > 16 {
		panic("release must be 1 to 16 cycles")
	}
	n := 1
	for n < inDepth+depth {
		n *= 2
	}
	*s = Store[T]{inDepth: uint(inDepth), depth: uint(depth), release: uint(release), ring: make([]T, n),
		mask: uint(n - 1)}
}

// Full reports whether the FIFO accepts nothing in this cycle.
func (s *Store[T]) Full() bool { return s.wr-s.issued >= s.inDepth }

// Accept returns the slot of a beat that is accepted in this cycle. Call it only when not Full.
func (s *Store[T]) Accept() *T {
	s.accept = true
	return &s.ring[s.wr&s.mask]
}

// CanIssue reports whether the FIFO holds a beat and the store has room for it.
func (s *Store[T]) CanIssue() bool { return s.wr != s.issued && s.issued-s.popped < s.depth }

// Issued returns the beat that issues in this cycle (back = 0), or the one that issued back beats before it and has not
// left the store.
func (s *Store[T]) Issued(back int) *T { return &s.ring[(s.issued-uint(back))&s.mask] }

// Issue moves the oldest beat of the FIFO to the store in this cycle and releases the given number of beats. Call it
// only when CanIssue.
func (s *Store[T]) Issue(released int) {
	s.issue = true
	s.rel[s.now&15] = uint8(released)
}

// Avail reports whether a beat may leave the store in this cycle.
func (s *Store[T]) Avail() bool { return s.avail > 0 }

// Front returns the oldest beat in the store. Call it only when Avail.
func (s *Store[T]) Front() *T { return &s.ring[s.popped&s.mask] }

// Pop removes the oldest beat from the store in this cycle. Call it only when Avail.
func (s *Store[T]) Pop() { s.pop = true }

// InUse returns the numbers of beats in FIFO and store before the clock edge.
func (s *Store[T]) InUse() (fifo, store int) { return int(s.wr - s.issued), int(s.issued - s.popped) }

// Reset empties everything at once.
func (s *Store[T]) Reset() {
	s.wr, s.issued, s.popped, s.avail = 0, 0, 0, 0
	s.accept, s.issue, s.pop = false, false, false
	clear(s.rel[:])
}

// Tick is the clock edge.
func (s *Store[T]) Tick() {
	if s.accept {
		s.wr++
		s.accept = false
	}
	if s.issue {
		s.issued++
		s.issue = false
	} else {
		s.rel[s.now&15] = 0
	}
	s.avail += int(s.rel[(s.now+1-s.release)&15])
	if s.pop {
		s.popped++
		s.avail--
		s.pop = false
	}
	s.now++
}

// Emitter is the output stage of a packet block: a FIFO whose elements become visible some cycles after they are
// pushed. Elements that are not yet visible count towards its depth.
type Emitter[T any] struct {
	emit Cycle
	now  Cycle
	fifo FIFO[reply[T]]
}

// Init sets the depth, a power of two, and the number of cycles from push to visibility.
func (e *Emitter[T]) Init(depth int, emit Cycle) {
	*e = Emitter[T]{emit: emit}
	e.fifo.Init(depth)
}

// Full reports whether nothing may be pushed in this cycle.
func (e *Emitter[T]) Full() bool { return e.fifo.Full() }

// Push returns the slot of an element pushed in this cycle. Call it only when not Full.
func (e *Emitter[T]) Push() *T {
	slot := e.fifo.Push()
	slot.due = e.now + e.emit
	return &slot.rsp
}

// Valid reports whether an element is at the port.
func (e *Emitter[T]) Valid() bool { return e.fifo.Len() > 0 && e.fifo.Front().due <= e.now }

// Front returns the element at the port. Call it only when Valid.
func (e *Emitter[T]) Front() *T { return &e.fifo.Front().rsp }

// Take takes the element at the port in this cycle. Call it only when Valid.
func (e *Emitter[T]) Take() { e.fifo.Pop() }

// Len returns the number of elements pushed and not taken before the clock edge.
func (e *Emitter[T]) Len() int { return e.fifo.Len() }

// Skip is n cycles in which the stage is empty.
func (e *Emitter[T]) Skip(n Cycle) { e.now += n }

// Reset empties the stage at once.
func (e *Emitter[T]) Reset() { e.fifo.Reset() }

// Tick is the clock edge.
func (e *Emitter[T]) Tick() {
	e.fifo.Tick()
	e.now++
}
