package kernel

// blockBits is the number of entries of one block of a table, as a power of two.
const blockBits = 12

// Table is a list that grows by blocks: an entry keeps its address, nothing is copied, and no more memory is taken than
// is used, since how much a run will need is not known. The zero value is empty.
type Table[T any] struct {
	blocks []*[1 << blockBits]T
	n      int32
}

// At returns entry i.
func (t *Table[T]) At(i int32) *T { return &t.blocks[uint32(i)>>blockBits][uint32(i)&(1<<blockBits-1)] }

// Len returns the number of entries.
func (t *Table[T]) Len() int { return int(t.n) }

// Add appends an entry and returns its number.
func (t *Table[T]) Add() int32 {
	i := t.n
	if int(i)>>blockBits == len(t.blocks) {
		t.blocks = append(t.blocks, new([1 << blockBits]T))
	}
	t.n++
	return i
}
