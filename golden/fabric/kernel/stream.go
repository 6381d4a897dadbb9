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
