package clk

// RAM is a table whose rows a sweep overwrites after reset, one per cycle, starting with row 0.
type RAM[T any] struct {
	rows []T
	next int // the row that the sweep writes next; len(rows) when it is done
}

// Init gives the table n zero rows and starts the sweep.
func (r *RAM[T]) Init(n int) { *r = RAM[T]{rows: make([]T, n)} }

// Row returns row i for reading and writing.
func (r *RAM[T]) Row(i int) *T { return &r.rows[i] }

// Len returns the number of rows.
func (r *RAM[T]) Len() int { return len(r.rows) }

// StartSweep restarts the sweep at the first row. Rows not yet reached keep their contents.
func (r *RAM[T]) StartSweep() { r.next = 0 }

// Swept reports whether the sweep has written every row.
func (r *RAM[T]) Swept() bool { return r.next == len(r.rows) }

// Tick is the clock edge: while the sweep runs, it sets one more row to the zero value.
func (r *RAM[T]) Tick() {
	if r.next < len(r.rows) {
		var zero T
		r.rows[r.next] = zero
		r.next++
	}
}
