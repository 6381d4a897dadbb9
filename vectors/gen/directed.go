package gen

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

//go:embed directed/ccc/*.txt directed/txstate/*.txt
var caseFiles embed.FS

// loadCases compiles the case files of a block in the order of their names.
func loadCases(b *event.Block) []dcase {
	dir := "directed/" + b.Name
	files, err := caseFiles.ReadDir(dir)
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out []dcase
	for _, f := range files {
		text, err := caseFiles.ReadFile(path.Join(dir, f.Name()))
		if err == nil {
			out, err = parseDirected(b, out, f.Name(), string(text))
		}
		if err != nil {
			panic(err)
		}
	}
	return out
}

var (
	directedCCC = sync.OnceValue(func() []dcase { return loadCases(ccc.Schema()) })
	directedTx  = sync.OnceValue(func() []dcase { return loadCases(txstate.Schema()) })
)

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
	at    string  // file and line
	read  []dwant // expectations on data of a READ of this state word
}

// directedSource plays cases, an episode each.
type directedSource struct {
	block string
	o     *Options
	cases []dcase
	timed []tcase
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
	for _, c := range timingCases(block) {
		if name == "" || c.name == name || strings.HasPrefix(c.name, name+"/") {
			s.timed = append(s.timed, c)
		}
	}
	return s, len(s.cases)+len(s.timed) > 0
}

func (s *directedSource) Err() error { return nil }
func (s *directedSource) Close()     {}

func (s *directedSource) Next() (*Episode, bool) {
	if s.no == len(s.cases)+len(s.timed) {
		return nil, false
	}
	no := s.no
	s.no++
	if no >= len(s.cases) {
		c := &s.timed[no-len(s.cases)]
		b := newTBuild(s.block, s.o)
		c.make(b)
		return s.episode(c.name, b.events, b.drive), true
	}
	c := &s.cases[no]
	var events [][]uint64
	for _, p := range s.place(c) {
		events = append(events, p.words)
	}
	r := seeded(s.o.Seed, s.block, c.name, 1)
	return s.episode(c.name, events, DriveSpec{Idle: drawIdle(&r), Stall: drawStall(&r), Resets: []Reset{{Low: 2}}}), true
}

// episode wraps a list of events.
func (s *directedSource) episode(name string, events [][]uint64, drive DriveSpec) *Episode {
	i := 0
	return &Episode{
		Name: "directed/" + name, Block: s.block, Seed: s.o.Seed, Len: len(events), Drive: drive,
		next: func(dst []uint64) bool {
			if i == len(events) {
				return false
			}
			copy(dst, events[i])
			i++
			return true
		},
	}
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
	slots := s.o.Params["NumPdcs"]
	return append(placeCCC(c, ids, slots, false), placeCCC(c, ids[k/2:k/2+1], slots, true)...)
}

// placeCCC lays a case out over the contexts of the given numbers, which have so
// many slots; again says that it has been played before in the same episode.
func placeCCC(c *dcase, ids []int, slots int, again bool) (out []placed) {
	put := func(ev ccc.Event, p placed) {
		p.words = make([]uint64, ccc.EventWords)
		ccc.PackEvent(&ev, p.words)
		out = append(out, p)
	}
	if again {
		// The registers that the case has changed before.
		changed := map[[2]uint8]bool{}
		for _, st := range c.steps {
			var ev ccc.Event
			ccc.UnpackEvent(st.words, &ev)
			at := [2]uint8{ev.Profile, ev.Addr}
			if ev.Kind == ccc.KindCfgWrite && ev.Addr < ccc.NumRegs && !changed[at] {
				changed[at] = true
				put(ccc.Event{Kind: ccc.KindCfgWrite, Profile: ev.Profile, Addr: ev.Addr, Data: ccc.RegInfo[ev.Addr].Reset}, placed{})
			}
		}
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
		out = append(out, placed{words: steps[0].words, at: steps[0].at()})
		steps = steps[1:]
	}
	if !c.closed && !c.bare {
		for a, data := range c.load[:lastRcvd] {
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: uint8(a), Data: data}, placed{})
			}
		}
		for slot, data := range c.slots[:slots] {
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: lastRcvd, PDC: uint8(slot), Data: data}, placed{})
			}
		}
	}
	for _, st := range steps {
		if st.global {
			out = append(out, placed{words: st.words, want: st.want, at: st.at()})
			continue
		}
		for i, id := range ids {
			var ev ccc.Event
			ccc.UnpackEvent(st.words, &ev)
			ev.Ctx = uint16(id)
			ev.Entropy ^= uint16(i * 0x1111)
			put(ev, placed{want: st.want, at: st.at()})
		}
	}
	for i := range lastRcvd + slots {
		a, slot := min(i, lastRcvd), max(i-lastRcvd, 0)
		var read []dwant
		for _, w := range c.state {
			if w.word == a && w.slot == slot {
				w.word = 0 // of the response's data
				read = append(read, w)
			}
		}
		for _, id := range ids {
			put(ccc.Event{Kind: ccc.KindRead, Ctx: uint16(id), Addr: uint8(a), PDC: uint8(slot)}, placed{read: read})
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
			out = append(out, placed{words: st.words, want: st.want, at: st.at()})
			continue
		}
		for i := range k {
			var ev txstate.Event
			txstate.UnpackEvent(st.words, &ev)
			ev.PDC = pdc(i)
			put(ev, placed{want: st.want, at: st.at()})
		}
	}
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindRead, PDC: pdc(i), PSN: psn}, placed{})
		}
	}
	return out
}

func (s *dstep) at() string { return fmt.Sprintf("%s line %d", s.file, s.line) }

func (c *dcase) String() string { return fmt.Sprintf("%s: %s", c.name, c.doc) }
