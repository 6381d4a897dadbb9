package gen

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

//go:embed directed/ccc.txt
var cccCases string

//go:embed directed/txstate.txt
var txCases string

var directedCCC = sync.OnceValue(func() []dcase {
	c, err := parseDirected(ccc.Schema(), cccCases)
	if err != nil {
		panic(err) // the text is part of the program
	}
	return c
})

var directedTx = sync.OnceValue(func() []dcase {
	c, err := parseDirected(txstate.Schema(), txCases)
	if err != nil {
		panic(err)
	}
	return c
})

// cases returns the directed cases of a block, nil when it has none.
func cases(block string) []dcase {
	switch block {
	case BlockCCC:
		return directedCCC()
	case BlockTxstate:
		return directedTx()
	}
	return nil
}

// copies is the number of contexts that play a case side by side.
const copies = 5

// placed is an event of a directed case in its place: which copy plays it and
// what its response, or the state word it reads, must be.
type placed struct {
	words []uint64
	want  []dwant
	line  int
	read  []dwant // expectations on data of a READ of this state word
}

// directedSource plays cases, an episode each.
type directedSource struct {
	block string
	o     *Options
	cases []dcase
	no    int
}

// openDirected returns the source of one case, or of all when name is empty; of
// a group when name is the part of case names before a slash.
func openDirected(block string, o *Options, name string) (Source, bool) {
	s := &directedSource{block: block, o: o}
	for _, c := range cases(block) {
		if name == "" || c.name == name || strings.HasPrefix(c.name, name+"/") {
			s.cases = append(s.cases, c)
		}
	}
	return s, len(s.cases) > 0
}

func (s *directedSource) Err() error { return nil }
func (s *directedSource) Close()     {}

func (s *directedSource) Next() (*Episode, bool) {
	if s.no == len(s.cases) {
		return nil, false
	}
	c := &s.cases[s.no]
	s.no++
	evs := s.place(c)
	r := seeded(s.o.Seed, s.block, c.name, 1)
	i := 0
	return &Episode{
		Name: "directed/" + c.name, Block: s.block, Seed: s.o.Seed, Len: len(evs),
		Drive: DriveSpec{Idle: drawIdle(&r), Stall: drawStall(&r), Resets: []Reset{{Low: 2}}},
		next: func(dst []uint64) bool {
			if i == len(evs) {
				return false
			}
			copy(dst, evs[i].words)
			i++
			return true
		},
	}, true
}

// place lays a case out: side by side over several contexts, then once more over
// a single one, so that every rule is met with the pipeline full of neighbours
// and back to back in one context.
func (s *directedSource) place(c *dcase) []placed {
	if s.block == BlockTxstate {
		n := s.o.Params["NumPdcs"]
		return append(placeTx(c, n, min(copies, n)), placeTx(c, n, 1)...)
	}
	n := s.o.Params["NumContexts"]
	k := min(copies, n)
	ids := make([]int, k)
	for i := range ids {
		ids[i] = i * (n - 1) / max(k-1, 1)
	}
	return append(placeCCC(c, ids), placeCCC(c, ids[k/2:k/2+1])...)
}

func placeCCC(c *dcase, ids []int) (out []placed) {
	put := func(ev ccc.Event, p placed) {
		p.words = make([]uint64, ccc.EventWords)
		ccc.PackEvent(&ev, p.words)
		out = append(out, p)
	}
	for a, r := range ccc.RegInfo {
		put(ccc.Event{Kind: ccc.KindCfgWrite, Addr: uint8(a), Data: r.Reset}, placed{})
	}
	first := ccc.KindOpen
	if c.closed {
		first = ccc.KindClose
	}
	for _, id := range ids {
		put(ccc.Event{Kind: first, Ctx: uint16(id), Now: epoch}, placed{})
	}
	// The registers of a case come first in it and hold before its preload, so
	// that what a LOAD raises to MTU is raised to the case's MTU.
	steps := c.steps
	for len(steps) > 0 && steps[0].global && len(steps[0].want) == 0 {
		out = append(out, placed{words: steps[0].words, line: steps[0].line})
		steps = steps[1:]
	}
	if !c.closed && !c.bare {
		for a, data := range c.load {
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: uint8(a), Data: data}, placed{})
			}
		}
	}
	for _, st := range steps {
		if st.global {
			out = append(out, placed{words: st.words, want: st.want, line: st.line})
			continue
		}
		for i, id := range ids {
			var ev ccc.Event
			ccc.UnpackEvent(st.words, &ev)
			ev.Ctx = uint16(id)
			ev.Entropy ^= uint16(i * 0x1111)
			put(ev, placed{want: st.want, line: st.line})
		}
	}
	for a := range ccc.NumWords {
		var read []dwant
		for _, w := range c.state {
			if w.word == a {
				w.word = 0 // of the response's data
				read = append(read, w)
			}
		}
		for _, id := range ids {
			put(ccc.Event{Kind: ccc.KindRead, Ctx: uint16(id), Addr: uint8(a)}, placed{read: read})
		}
	}
	return out
}

func placeTx(c *dcase, pdcs, k int) (out []placed) {
	put := func(ev txstate.Event, p placed) {
		p.words = make([]uint64, txstate.EventWords)
		txstate.PackEvent(&ev, p.words)
		out = append(out, p)
	}
	put(txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: 7}, placed{})
	used := map[uint32]bool{}
	var psns []uint32
	for _, st := range c.steps {
		var ev txstate.Event
		txstate.UnpackEvent(st.words, &ev)
		if !used[ev.PSN] && !st.global {
			used[ev.PSN] = true
			psns = append(psns, ev.PSN)
		}
	}
	pdc := func(i int) uint16 { return uint16(i * (pdcs - 1) / max(k-1, 1)) }
	// Every row starts empty, whatever the case before left in it.
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindLoad, PDC: pdc(i), PSN: psn}, placed{})
		}
	}
	for _, st := range c.steps {
		if st.global {
			out = append(out, placed{words: st.words, want: st.want, line: st.line})
			continue
		}
		for i := range k {
			var ev txstate.Event
			txstate.UnpackEvent(st.words, &ev)
			ev.PDC = pdc(i)
			put(ev, placed{want: st.want, line: st.line})
		}
	}
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindRead, PDC: pdc(i), PSN: psn}, placed{})
		}
	}
	return out
}

func (c *dcase) String() string { return fmt.Sprintf("%s: %s", c.name, c.doc) }
