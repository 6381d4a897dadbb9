package clk

// FIFO is a queue with at most one push and one pop per cycle, both taking effect at Tick. A pushed
// element is at the front no earlier than the next cycle. Pushing to a full FIFO or popping from an empty one is a
// programming error and panics.
type FIFO[T any] struct {
	mem        []T
	rd, wr     uint
	push, pop  bool
	depthMask  uint
	depthLimit uint
}

// Init sets the depth of the FIFO, a power of two.
func (f *FIFO[T]) Init(depth int) {
	if depth < 1 || depth&(depth-1) != 0 {
		panic("fifo depth must be a power of two")
	}
	*f = FIFO[T]{mem: make([]T, depth), depthMask: uint(depth - 1), depthLimit: uint(depth)}
}

// Len returns the number of elements held before the clock edge.
func (f *FIFO[T]) Len() int { return int(f.wr - f.rd) }

// Full reports whether no push is allowed in this cycle. A pop in the same cycle makes no difference.
func (f *FIFO[T]) Full() bool { return f.wr-f.rd == f.depthLimit }

// Front returns the oldest element. Call it only when Len is not 0; the result is valid until Tick.
func (f *FIFO[T]) Front() *T { return &f.mem[f.rd&f.depthMask] }

// Push returns the slot of a new element; the caller must write it in this cycle.
func (f *FIFO[T]) Push() *T {
	if f.Full() || f.push {
		panic("push to a full fifo")
	}
	f.push = true
	return &f.mem[f.wr&f.depthMask]
}

// Pop removes the front element at Tick.
func (f *FIFO[T]) Pop() {
	if f.Len() == 0 || f.pop {
		panic("pop from an empty fifo")
	}
	f.pop = true
}

// Reset empties the FIFO at once.
func (f *FIFO[T]) Reset() {
	f.rd, f.wr, f.push, f.pop = 0, 0, false, false
}

// Tick is the clock edge.
func (f *FIFO[T]) Tick() {
	if f.push {
		f.wr++
		f.push = false
	}
	if f.pop {
		f.rd++
		f.pop = false
	}
}
