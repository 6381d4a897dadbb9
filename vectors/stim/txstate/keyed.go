package txstate

import (
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/timing"
)

// keyed writes events of txstate, whose keys are the entries of all tables.
type keyed struct {
	s        *stim.Script
	n, depth int // entries; of one table
	turn     int
}

func newKeyed(s *stim.Script) timing.Keyed {
	depth := s.Params["Depth"]
	return &keyed{s: s, n: s.Params["NumPdcs"] * depth, depth: depth}
}

func (b *keyed) Keys() int  { return b.n }
func (b *keyed) Kinds() int { return 6 }

// Put appends event kind k of an entry; the last kind is an unknown one.
func (b *keyed) Put(k, key int) {
	key %= b.n
	b.turn++
	if k == 5 {
		k = 6 + b.turn%2
	}
	b.pack(&txstate.Event{
		Kind: txstate.Kind(k), PDC: uint16(key / b.depth), PSN: uint32(key % b.depth),
		Now: uint64(casefile.Epoch + 10*b.turn), ServiceTime: 1,
		LoadValid: true, LoadRtxCount: uint8(b.turn & 3), IsRtx: b.turn%4 == 0, Retx: b.turn%2 == 0,
	})
}

func (b *keyed) pack(ev *txstate.Event) { txstate.PackEvent(ev, b.s.Put(0, 0)) }

func (b *keyed) Work(key int) { b.Put([]int{0, 2, 0, 1}[b.turn%4], key) }

func (b *keyed) Exclusive() {
	b.turn++
	b.pack(&txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: uint8(b.turn & 7)})
}

// Open has nothing to do: every entry is usable.
func (b *keyed) Open(int) {}

func (b *keyed) Read(keys int) {
	for k := range min(keys, b.n) {
		b.Put(int(txstate.KindRead), k)
	}
}

func (b *keyed) Configured() {
	b.pack(&txstate.Event{Kind: txstate.KindSend, Now: casefile.Epoch})
	b.pack(&txstate.Event{Kind: txstate.KindAck, Now: casefile.Epoch + 15000, ServiceTime: 1})
}
