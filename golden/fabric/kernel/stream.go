package kernel

import "math/rand/v2"

// Stream is a purpose of random numbers. Each has its own generator, so that turning on one disturbance leaves every
// other draw unchanged.
type Stream uint64

// Streams of random numbers.
const (
	StreamTopo Stream = iota + 1
	StreamECN
	StreamSpray
	StreamLoss
	StreamHost
	StreamTrim
	StreamFail
	StreamRoute
	StreamCtlLoss
	StreamCopy
	StreamDelay
)

// Streams makes the generators of a seed, each on first use. Parts of a divided run, counted from 1, have their own.
type Streams struct {
	Seed uint64
	Part int
	made map[Stream]*rand.PCG
}

// Of returns the generator of a purpose, the same each time.
func (s *Streams) Of(purpose Stream) *rand.PCG {
	if s.made[purpose] == nil {
		if s.made == nil {
			s.made = map[Stream]*rand.PCG{}
		}
		s.made[purpose] = rand.NewPCG(s.Seed, uint64(s.Part)<<32|uint64(purpose))
	}
	return s.made[purpose]
}

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
