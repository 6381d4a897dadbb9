package event

// Model is the cycle-true model of a block on packed records: Cycle is one clock cycle, Reset is power-on.
type Model interface {
	Reset()
	Cycle(in, out []uint64)
}
