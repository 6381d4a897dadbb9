package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Events in an episode of a user-defined block, unless the schema sets them.
const leastEvents, mostEvents = 20, 400

// random is the random source of a user-defined block.
type random struct {
	block   *event.Block
	seed    uint64
	streams []*stream
	weights []int
	total   int
	least   int
	most    int
	resets  bool // also in mid-episode
	turns   stim.Turns
	err     error
	memory  *memory
	across  []bool // by stream: it waits for the events before it
	restart []int  // numbers of the events before which a reset comes
	taken   int    // events drawn in the episode

	ep stim.Episode
	r  stim.Rand
	at int // events left in the episode
}

// Open returns the random source of a user-defined block or, with random/N, only that episode. The fields of each input
// stream are drawn as the schema's stimulus specifies; idles, back-pressure and resets as in every random source. It
// errors when the source is unknown, when a parameter does not fit, or when the constraints allow no event.
func Open(b *event.Block, source string, o stim.Options) (stim.Source, error) {
	kind, rest, alone := strings.Cut(source, "/")
	n, err := strconv.ParseUint(rest, 10, 31)
	if kind != "random" || alone && err != nil {
		return nil, fmt.Errorf("source %q of block %s: a user-defined block has only random and random/N", source,
			b.Name)
	}
	s := &random{block: b, seed: o.Seed, least: leastEvents, most: mostEvents, resets: true,
		turns: stim.NewTurns(o.Events, -1)}
	if alone {
		s.turns = stim.NewTurns(0, int(n))
	}
	g, err := NewLegal(b, o.Params)
	if err != nil {
		return nil, err
	}
	s.streams, s.memory = g.streams, g.memory
	words := event.NewLayout(b).In.Words
	for lane, x := range s.streams {
		if s.memory == nil {
			// Draw one event of each stream now, so that unsatisfiable constraints are found before a build.
			r := stim.Seeded(o.Seed, b.Name, "stimulus", 0)
			if err := x.draw(&r, make([]uint64, words)); err != nil {
				return nil, err
			}
		}
		s.across = append(s.across, s.memory != nil && s.memory.across(lane, x))
		s.weights = append(s.weights, 1)
	}
	if st := b.Stimulus; st != nil {
		if len(st.Events) == 2 {
			s.least, s.most = st.Events[0], st.Events[1]
		}
		s.resets = st.Resets != "start"
		for i := range st.Streams {
			for k := range s.streams {
				if w := st.Streams[i].Weight; s.streams[k].name == st.Streams[i].Name && w != nil {
					s.weights[k] = *w
				}
			}
		}
	}
	for _, w := range s.weights {
		s.total += w
	}
	if s.memory == nil {
		return s, nil
	}
	// A reset clears the states, and with several streams it is unknown which events come before it.
	s.resets = s.resets && len(s.streams) == 1
	// With states a single event shows little, so draw one episode now.
	try := *s
	ep, _ := try.Next()
	for it := (stim.Item{Words: make([]uint64, words)}); ep != nil && ep.NextItem(&it); {
	}
	return s, try.err
}

// Next returns the next episode.
func (s *random) Next() (*stim.Episode, bool) {
	if s.err != nil {
		return nil, false
	}
	no, ok := s.turns.Next()
	if !ok {
		return nil, false
	}
	name := fmt.Sprintf("random/%d", no)
	s.r = stim.Seeded(s.seed, s.block.Name, name, 1)
	r := &s.r
	n := min(s.least+r.N(s.most-s.least+1), s.turns.Room())
	s.turns.Take(n)
	s.ep = stim.Episode{Name: name, Block: s.block.Name, Seed: s.seed, Len: n, Items: s.next}
	s.at, s.taken, s.restart = n, 0, nil
	s.memory.begin()
	d := &s.ep.Drive
	d.Idle, d.Stall = stim.DrawIdle(r), stim.DrawStall(r)
	for range len(s.streams) - 1 {
		d.IdleMore = append(d.IdleMore, stim.DrawIdle(r))
	}
	for range len(s.block.StreamsOf(event.Out)) - 1 {
		d.StallMore = append(d.StallMore, stim.DrawStall(r))
	}
	d.Resets = append(d.Resets, stim.Reset{Low: 1 + r.N(3)})
	if s.resets && r.One(4) {
		d.Resets = append(d.Resets, stim.Reset{After: 1 + r.N(n), Delay: stim.Pick(r, 0, 0, 1, 2, r.N(8), r.N(80)),
			Low: 1 + r.N(4)})
		s.restart = append(s.restart, d.Resets[len(d.Resets)-1].After)
	}
	if len(s.streams) > 1 {
		s.byLane()
	}
	return &s.ep, true
}

// next draws the next event of the episode.
func (s *random) next(it *stim.Item) bool {
	if s.at == 0 || s.err != nil {
		return false
	}
	if len(s.restart) > 0 && s.taken == s.restart[0] {
		s.restart = s.restart[1:]
		s.memory.begin()
	}
	s.at--
	s.taken++
	lane, ok := s.choose()
	if !ok {
		return false
	}
	it.Lane = lane
	if s.across[lane] {
		it.Wait = stim.WaitAll
	}
	if s.err = s.streams[lane].draw(&s.r, it.Words); s.err == nil {
		s.err = s.memory.take(lane, it.Words)
	}
	return s.err == nil
}

// choose draws a stream that can have an event in the current states.
func (s *random) choose() (lane int, ok bool) {
	total, weights := s.total, s.weights
	for total > 0 {
		at := s.r.N(total)
		for lane = 0; at >= weights[lane]; lane++ {
			at -= weights[lane]
		}
		if s.memory == nil {
			return lane, true
		}
		if s.memory.draw(&s.r); s.streams[lane].ready() {
			return lane, true
		}
		weights = slices.Clone(weights)
		total -= weights[lane]
		weights[lane] = 0
	}
	s.err = s.streams[lane].contradiction()
	return 0, false
}

// Err returns why no event was found.
func (s *random) Err() error { return s.err }

// Close does nothing.
func (s *random) Close() {}

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
