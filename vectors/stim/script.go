package stim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Script is an episode written out before it is played. Its storage is reused for the next episode.
type Script struct {
	Params map[string]int
	Seed   uint64
	TickNs int
	Rand   Rand
	Drive  DriveSpec
	Items  []Item
	Used   int
	Judge  Judge // of the script, or nil
	words  int
	events int // items that do not continue a packet
	inside [8]bool
	limit  int // events that still fit into the run
}

// NewScript returns an empty script without resets. Its items have that many words.
func NewScript(words int, params map[string]int) *Script {
	return &Script{Params: params, words: words, limit: math.MaxInt}
}

// Put appends an item of a stream and returns its words, all 0, for the caller to fill in.
func (s *Script) Put(lane int, wait uint8) []uint64 {
	if s.Used == len(s.Items) { // several at once
		for words := range slices.Chunk(make([]uint64, 64*s.words), s.words) {
			s.Items = append(s.Items, Item{Words: words})
		}
	}
	it := &s.Items[s.Used]
	s.Used++
	clear(it.Words)
	it.Lane, it.Wait, it.Pair, it.Gap, it.More = lane, wait, false, 0, false
	if !s.inside[lane] {
		s.events++
	}
	s.inside[lane] = false
	return it.Words
}

// Gap makes the last item wait for that many more cycles.
func (s *Script) Gap(cycles int) { s.Items[s.Used-1].Gap = uint16(cycles) }

// Alike makes the last item wait for the same items as the one before it, which is of another stream, and then for gap
// cycles. With equal gaps both are offered in the same cycle.
func (s *Script) Alike(gap int) {
	it, before := &s.Items[s.Used-1], &s.Items[s.Used-2]
	it.Wait, it.Pair, it.Gap = before.Wait, true, uint16(gap)
}

// Skewed appends what first and then writes, the second beginning as many cycles after the first as skew is below 0, or
// as many before it. Both wait for all before them, and then for gap cycles.
func (s *Script) Skewed(gap, skew int, first, then func()) {
	first()
	s.Gap(gap + max(skew, 0))
	at := s.Used
	then()
	s.Items[at].Pair, s.Items[at].Gap = true, uint16(gap+max(-skew, 0))
}

// More marks that the packet of the last item continues.
func (s *Script) More() {
	it := &s.Items[s.Used-1]
	it.More = true
	s.inside[it.Lane] = true
}

// Full reports whether no more events fit into the run.
func (s *Script) Full() bool { return s.events >= s.limit }

func (s *Script) begin(words int, o *Options, limit int, r Rand) {
	s.Params, s.Seed, s.TickNs, s.Rand, s.words, s.limit = o.Params, o.Seed, o.TickNs, r, words, limit
	s.Used, s.events, s.Judge = 0, 0, nil
	s.inside = [8]bool{}
	s.Drive = DriveSpec{Resets: append(s.Drive.Resets[:0], Reset{Low: 2}),
		IdleMore: s.Drive.IdleMore[:0], StallMore: s.Drive.StallMore[:0], Relief: s.Drive.Relief[:0]}
}

// Case is a directed case: a rule of the contract and an episode that shows it.
type Case struct {
	Name, About string
	Write       func(s *Script)
}

// Directed returns the entry of the directed cases of a block.
func Directed(b *event.Block, cases func() []Case) Entry {
	return Entry{
		Name:  "directed",
		About: "every rule of the contract by name, directed/GROUP/CASE for one, directed/GROUP for a group", Part: "CASE",
		Parts: func() (names []string) {
			for _, c := range cases() {
				names = append(names, c.Name)
			}
			return names
		},
		Open: func(o *Options, part string) (Source, error) {
			var some []Case
			for _, c := range cases() {
				if part == "" || c.Name == part || strings.HasPrefix(c.Name, part+"/") {
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

// RandomScript returns the entry of a random source; write draws each episode.
func RandomScript(b *event.Block, write func(s *Script)) Entry {
	return RandomScripts(b, func() func(s *Script) { return write })
}

// RandomScripts is RandomScript for a source that keeps something from one episode to the next: open returns what draws
// the episodes of one run.
func RandomScripts(b *event.Block, open func() func(s *Script)) Entry {
	return Entry{
		Name: "random", About: "constrained random events in many short episodes; random/N is episode N alone",
		Part: "N",
		Open: func(o *Options, part string) (Source, error) {
			only := -1
			if part != "" {
				n, err := strconv.ParseUint(part, 10, 31)
				if err != nil {
					return nil, fmt.Errorf("source \"random/%s\": episode must be a number, as in random/17", part)
				}
				only = int(n)
			}
			return newScriptSource(b, o, nil, open(), only), nil
		},
	}
}

// scriptSource plays scripts in order: the given cases, or random ones without end.
type scriptSource struct {
	block string
	write func(s *Script) // for random episodes
	o     *Options
	cases []Case // nil: random
	at    int    // the next case
	turns Turns  // for random episodes
	words int
	s     Script
	ep    Episode
}

func newScriptSource(b *event.Block, o *Options, cases []Case, write func(s *Script), only int) *scriptSource {
	return &scriptSource{block: b.Name, write: write, o: o, cases: cases,
		turns: NewTurns(o.Events, only), words: event.NewLayout(b).In.Words}
}

func (s *scriptSource) Err() error { return nil }
func (s *scriptSource) Close()     {}

func (s *scriptSource) Next() (*Episode, bool) {
	if s.cases != nil {
		if s.at == len(s.cases) {
			return nil, false
		}
		c := &s.cases[s.at]
		s.at++
		s.s.begin(s.words, s.o, math.MaxInt, Seeded(s.o.Seed, s.block, c.Name, 0))
		c.Write(&s.s)
		return s.episode("directed/"+c.Name, s.o.Seed), true
	}
	no, ok := s.turns.Next()
	if !ok {
		return nil, false
	}
	limit := s.turns.Room()
	s.s.begin(s.words, s.o, limit, Seeded(s.o.Seed, s.block, "random", uint64(no)))
	s.write(&s.s)
	s.cut(limit)
	s.turns.Take(s.s.events)
	return s.episode(fmt.Sprintf("random/%d", no), s.o.Seed^uint64(no)<<32), true
}

// cut ends the script after limit events, but completes packets that have begun.
func (s *scriptSource) cut(limit int) {
	sc := &s.s
	if sc.events <= limit {
		return
	}
	var inside [8]bool
	events, kept := 0, 0
	for i := range sc.Used {
		it := &sc.Items[i]
		if !inside[it.Lane] {
			if events >= limit {
				continue
			}
			events++
		}
		inside[it.Lane] = it.More
		sc.Items[kept], sc.Items[i] = sc.Items[i], sc.Items[kept]
		kept++
	}
	sc.Used, sc.events = kept, events
}

// episode returns the script as an episode.
func (s *scriptSource) episode(name string, seed uint64) *Episode {
	pos := 0
	sc := &s.s
	s.ep = Episode{Name: name, Block: s.block, Seed: seed, Drive: sc.Drive, Len: sc.Used, Judge: sc.Judge}
	s.ep.Items = func(it *Item) bool {
		if pos == sc.Used {
			return false
		}
		*it = sc.Items[pos]
		pos++
		return true
	}
	return &s.ep
}

// Turns numbers the episodes of a random source, which has no end, and counts the events that still fit into the run.
type Turns struct {
	next int
	last int // if there is only one episode, its number
	left int // events
}

// NewTurns returns the turns of a run of that many events, 0 for no end. It covers all episodes, or only episode number
// only if that is not negative.
func NewTurns(events, only int) Turns {
	t := Turns{last: math.MaxInt, left: events}
	if only >= 0 {
		t.next, t.last = only, only
	}
	if events == 0 {
		t.left = math.MaxInt
	}
	return t
}

// Next returns the number of the next episode, or false at the end of the run.
func (t *Turns) Next() (number int, ok bool) {
	if t.next > t.last || t.left <= 0 {
		return 0, false
	}
	t.next++
	return t.next - 1, true
}

// Room returns the number of events that still fit into the run.
func (t *Turns) Room() int { return t.left }

// Take takes events from the room.
func (t *Turns) Take(events int) {
	if t.left != math.MaxInt {
		t.left -= events
	}
}

// Passages returns a source of episodes name/0, name/1, ... that write writes in order, all of them, whatever number of
// events the options give. write returns false after the last one; its error ends the source. An episode without events
// is left out.
func Passages(b *event.Block, o *Options, name string, write func(s *Script) (more bool, err error)) Source {
	return &passages{scriptSource: scriptSource{block: b.Name, o: o, words: event.NewLayout(b).In.Words}, name: name,
		write: write, more: true}
}

type passages struct {
	scriptSource
	name  string
	write func(s *Script) (bool, error)
	more  bool
	err   error
}

func (p *passages) Err() error { return p.err }

func (p *passages) Next() (*Episode, bool) {
	for p.more {
		no := p.at
		p.at++
		p.s.begin(p.words, p.o, math.MaxInt, Seeded(p.o.Seed, p.block, p.name, uint64(no)))
		if p.more, p.err = p.write(&p.s); p.err != nil {
			break
		}
		if p.s.Used > 0 {
			return p.episode(fmt.Sprintf("%s/%d", p.name, no), p.o.Seed^uint64(no)<<32), true
		}
	}
	return nil, false
}
