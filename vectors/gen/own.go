package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Events of an episode of a block that only its schema describes, where the schema does not say.
const ownLeast, ownMost = 20, 400

// own is the random source of a block that only its schema describes.
type own struct {
	block   *event.Block
	seed    uint64
	streams []*ownStream
	weights []int
	total   int
	least   int
	most    int
	resets  bool // in mid-episode too
	left    int  // events wanted; -1: no end
	index   int  // of the next episode
	only    bool
	err     error

	ep Episode
	r  rng
	at int // events of the episode to come
}

// OpenSchema returns the random source, or with random/N its one episode only, of a block that nothing
// describes but its schema: the fields of each input stream are drawn as the schema's stimulus says, and
// idles, back-pressure and resets as in every random source. It errors when the source is unknown, when a
// parameter does not fit, or when the constraints allow no event.
func OpenSchema(b *event.Block, source string, o Options) (Source, error) {
	kind, rest, alone := strings.Cut(source, "/")
	n, err := strconv.ParseUint(rest, 10, 31)
	if kind != "random" || alone && err != nil {
		return nil, fmt.Errorf("source %q of block %s: a block of a schema of your own has random and random/N", source, b.Name)
	}
	s := &own{block: b, seed: o.Seed, least: ownLeast, most: ownMost, resets: true, left: -1, index: int(n), only: alone}
	if o.Events > 0 && !alone {
		s.left = o.Events
	}
	l := event.NewLayout(b)
	for _, in := range b.StreamsOf(event.In) {
		x, err := newOwnStream(b, &l.In, in, o.Params)
		if err != nil {
			return nil, err
		}
		// One event of each now, so that constraints that nothing can satisfy cost no build.
		r := seeded(o.Seed, b.Name, "stimulus", 0)
		if err := x.draw(&r, make([]uint64, l.In.Words)); err != nil {
			return nil, err
		}
		s.streams, s.weights = append(s.streams, x), append(s.weights, 1)
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
	return s, nil
}

// Next returns the next episode.
func (s *own) Next() (*Episode, bool) {
	if s.left == 0 || s.err != nil || s.only && s.ep.Name != "" {
		return nil, false
	}
	name := fmt.Sprintf("random/%d", s.index)
	s.r = seeded(s.seed, s.block.Name, name, 1)
	s.index++
	r := &s.r
	n := s.least + r.n(s.most-s.least+1)
	if s.left > 0 {
		n = min(n, s.left)
		s.left -= n
	}
	s.ep = Episode{Name: name, Block: s.block.Name, Seed: s.seed, Len: n, items: s.next}
	s.at = n
	d := &s.ep.Drive
	d.Idle, d.Stall = drawIdle(r), drawStall(r)
	for range len(s.streams) - 1 {
		d.IdleMore = append(d.IdleMore, drawIdle(r))
	}
	for range len(s.block.StreamsOf(event.Out)) - 1 {
		d.StallMore = append(d.StallMore, drawStall(r))
	}
	d.Resets = append(d.Resets, Reset{Low: 1 + r.n(3)})
	if s.resets && r.one(4) {
		d.Resets = append(d.Resets, Reset{After: 1 + r.n(n), Delay: pick(r, 0, 0, 1, 2, r.n(8), r.n(80)), Low: 1 + r.n(4)})
	}
	if len(s.streams) > 1 {
		s.byLane()
	}
	return &s.ep, true
}

// next draws the next event of the episode.
func (s *own) next(it *Item) bool {
	if s.at == 0 || s.err != nil {
		return false
	}
	s.at--
	at := s.r.n(s.total)
	for it.Lane = 0; at >= s.weights[it.Lane]; it.Lane++ {
		at -= s.weights[it.Lane]
	}
	s.err = s.streams[it.Lane].draw(&s.r, it.Words)
	return s.err == nil
}

// Err returns why no event was found.
func (s *own) Err() error { return s.err }

// Close has nothing to release.
func (s *own) Close() {}
