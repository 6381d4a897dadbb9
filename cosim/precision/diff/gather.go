package diff

// Tally gathers errors, for measurements of other blocks.
type Tally struct{ t tally }

// Add takes one comparison: the error, and the exact number.
func (t *Tally) Add(err, exact float64) { t.t.add(err, exact) }

// Result returns the figures; lsb is the size of a step of the value's format, 0 where it has none.
func (t *Tally) Result(lsb float64) Error {
	e := t.t.result(0)
	if e.MaxLSB = 0; lsb > 0 {
		e.MaxLSB = e.Max / lsb
	}
	return e
}
