package event

// Stateful is a Model that shows its state in the words of the schema.
type Stateful interface {
	Model
	// StateOf fills words, one for each of the schema's state words, with the state that an event concerns, given by its
	// input stream and its record, and returns a name for whose state it is, such as ctx=31. It returns "" where the event
	// concerns none.
	StateOf(lane int, in, words []uint64) string
}

// Model is the cycle-true model of a block on packed records: Cycle is one clock cycle, Reset is power-on.
type Model interface {
	Reset()
	Cycle(in, out []uint64)
}
