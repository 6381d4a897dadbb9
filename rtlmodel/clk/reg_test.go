package clk

// Reg is a register: Get reads the old value, Set the next one, Tick loads it. Without a Set the
// value stays.
type Reg[T any] struct {
	q, d T
}

// Get returns the value from before the clock edge.
func (r *Reg[T]) Get() T { return r.q }

// Set sets the value that the register takes at the next Tick; the last Set of a cycle wins.
func (r *Reg[T]) Set(v T) { r.d = v }

// Reset loads v at once, as an asynchronous reset does.
func (r *Reg[T]) Reset(v T) { r.q, r.d = v, v }

// Tick is the clock edge.
func (r *Reg[T]) Tick() { r.q = r.d }

// Delay is a pipeline of n registers: what goes in at Tick comes out n cycles later.
type Delay[T any] struct {
	stage []T
	head  int
	in    T
}

// Init sets the depth of the line, n >= 1 cycles, with all stages zero.
func (d *Delay[T]) Init(n int) {
	*d = Delay[T]{stage: make([]T, n)}
}

// In sets the value that enters the first stage at the next Tick; in a cycle without In the zero value enters.
func (d *Delay[T]) In(v T) { d.in = v }

// Out returns the value that entered n Ticks ago.
func (d *Delay[T]) Out() T { return d.stage[d.head] }

// Reset clears all stages.
func (d *Delay[T]) Reset() {
	clear(d.stage)
	var zero T
	d.in = zero
}

// Tick is the clock edge.
func (d *Delay[T]) Tick() {
	d.stage[d.head] = d.in
	d.head++
	if d.head == len(d.stage) {
		d.head = 0
	}
	var zero T
	d.in = zero
}
