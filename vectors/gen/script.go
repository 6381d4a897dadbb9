package gen

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// script is an episode written out before it is played. Its storage is used again for the next one.
type script struct {
	params map[string]int
	seed   uint64
	r      rng
	drive  DriveSpec
	items  []Item
	used   int
	words  int
	events int // items but for those that belong to the one before
	inside [8]bool
	limit  int // events that the run has room for
}

// put appends an item of a stream and returns its words, all 0, for the caller to fill in.
func (s *script) put(lane int, wait uint8) []uint64 {
	if s.used == len(s.items) {
		s.items = append(s.items, Item{Words: make([]uint64, s.words)})
	}
	it := &s.items[s.used]
	s.used++
	clear(it.Words)
	it.Lane, it.Wait, it.Pair, it.Gap, it.More = lane, wait, false, 0, false
	if !s.inside[lane] {
		s.events++
	}
	s.inside[lane] = false
	return it.Words
}

// gap makes the last item wait so many cycles more.
func (s *script) gap(cycles int) { s.items[s.used-1].Gap = uint16(cycles) }

// alike makes the last item wait for the same items as the one before it, which is of another stream, and
// then so many cycles: with equal gaps both are offered in one cycle.
func (s *script) alike(gap int) {
	it, before := &s.items[s.used-1], &s.items[s.used-2]
	it.Wait, it.Pair, it.Gap = before.Wait, true, uint16(gap)
}

// more says that the last item's stream goes on with the same packet.
func (s *script) more() {
	it := &s.items[s.used-1]
	it.More = true
	s.inside[it.Lane] = true
}

// full reports whether the run has no room for more events.
func (s *script) full() bool { return s.events >= s.limit }

func (s *script) begin(words int, o *Options, limit int, r rng) {
	s.params, s.seed, s.r, s.words, s.limit = o.Params, o.Seed, r, words, limit
	s.used, s.events = 0, 0
	s.inside = [8]bool{}
	s.drive = DriveSpec{Resets: append(s.drive.Resets[:0], Reset{Low: 2}),
		IdleMore: s.drive.IdleMore[:0], StallMore: s.drive.StallMore[:0], Relief: s.drive.Relief[:0]}
}

// scriptCase is a directed case: a rule of the contract, and the episode that shows it.
type scriptCase struct {
	name, doc string
	write     func(s *script)
}

// Directed returns the entry of the directed cases of a block.
func Directed(b *event.Block, cases func() []scriptCase) Entry {
	return Entry{
		Name: "directed", About: "every rule of the contract by name, directed/GROUP/CASE for one, directed/GROUP for a group", Part: "CASE",
		Parts: func() (names []string) {
			for _, c := range cases() {
				names = append(names, c.name)
			}
			return names
		},
		Open: func(o *Options, part string) (Source, error) {
			var some []scriptCase
			for _, c := range cases() {
				if part == "" || c.name == part || strings.HasPrefix(c.name, part+"/") {
					some = append(some, c)
				}
			}
			if some == nil {
				return nil, nil
			}
			return newScriptSource(b, o, some, nil, -1), nil
		},
	}
}

// RandomScript returns the entry of a random source whose episodes write draws.
func RandomScript(b *event.Block, write func(s *script)) Entry {
	return Random(func(o *Options, only int) Source { return newScriptSource(b, o, nil, write, only) })
}

// scriptSource plays scripts one after the other: the cases given, or random ones without end.
type scriptSource struct {
	block string
	write func(s *script) // of random
	o     *Options
	cases []scriptCase // nil: random
	no    int
	only  int // random: the one episode to give; -1: all
	left  int // events that the run still has room for
	all   bool
	words int
	s     script
	ep    Episode
}

func newScriptSource(b *event.Block, o *Options, cases []scriptCase, write func(s *script), only int) *scriptSource {
	return &scriptSource{block: b.Name, write: write, o: o, cases: cases, only: only, left: o.Events, all: o.Events == 0,
		words: event.NewLayout(b).In.Words}
}

func (s *scriptSource) Err() error { return nil }
func (s *scriptSource) Close()     {}

func (s *scriptSource) Next() (*Episode, bool) {
	const most = 1 << 40
	if s.cases != nil {
		if s.no == len(s.cases) {
			return nil, false
		}
		c := &s.cases[s.no]
		s.no++
		s.s.begin(s.words, s.o, most, seeded(s.o.Seed, s.block, c.name, 0))
		c.write(&s.s)
		return s.episode("directed/"+c.name, s.o.Seed), true
	}
	if s.only >= 0 {
		if s.no > 0 {
			return nil, false
		}
		s.no = s.only
	}
	if s.left <= 0 && !s.all {
		return nil, false
	}
	limit := most
	if !s.all {
		limit = s.left
	}
	s.s.begin(s.words, s.o, limit, seeded(s.o.Seed, s.block, "random", uint64(s.no)))
	s.write(&s.s)
	s.cut(limit)
	s.left -= s.s.events
	ep := s.episode(fmt.Sprintf("random/%d", s.no), s.o.Seed^uint64(s.no)<<32)
	s.no++
	return ep, true
}

// cut ends the script after so many events. Packets begun by then are finished.
func (s *scriptSource) cut(limit int) {
	sc := &s.s
	if sc.events <= limit {
		return
	}
	var inside [8]bool
	events, kept := 0, 0
	for i := range sc.used {
		it := &sc.items[i]
		if !inside[it.Lane] {
			if events >= limit {
				continue
			}
			events++
		}
		inside[it.Lane] = it.More
		sc.items[kept], sc.items[i] = sc.items[i], sc.items[kept]
		kept++
	}
	sc.used, sc.events = kept, events
}

// episode returns the script as an episode.
func (s *scriptSource) episode(name string, seed uint64) *Episode {
	pos := 0
	sc := &s.s
	s.ep = Episode{Name: name, Block: s.block, Seed: seed, Drive: sc.drive, Len: sc.used, items: func(it *Item) bool {
		if pos == sc.used {
			return false
		}
		*it = sc.items[pos]
		pos++
		return true
	}}
	return &s.ep
}
