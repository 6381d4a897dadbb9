package schema

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/vectors/stim"
)

// byLane lets each input stream of the episode proceed independently. A stream's draws depend only on its own earlier
// draws, so they are the same whatever the design accepts meanwhile. Streams with a lower weight wait before each item,
// so that a design that accepts everything sees the streams in the ratio of their weights.
func (s *random) byLane() {
	most := 0
	rs := make([]stim.Rand, len(s.streams))
	for i := range rs {
		rs[i] = stim.Seeded(s.seed, s.block.Name, fmt.Sprintf("%s lane %d", s.ep.Name, i), 1)
		most = max(most, s.weights[i])
	}
	s.ep.Drive.ByLane = true
	s.ep.Lanes = func(lane int, _ bool, it *stim.Item) bool {
		w, r := s.weights[lane], &rs[lane]
		if w == 0 || s.err != nil {
			return false
		}
		for it.Gap < math.MaxUint16 && r.N(most) >= w {
			it.Gap++
		}
		if s.err = s.streams[lane].draw(r, it.Words); s.err != nil {
			s.ep.Len = 0 // the episode ends here
		}
		return s.err == nil
	}
}
