package gen

import "github.com/goldwire/goldwire/vectors/event/txstate"

// txKeyed writes events of txstate, whose keys are the entries of all tables.
type txKeyed struct {
	s        *script
	n, depth int // entries; of one table
	turn     int
}

func newTxKeyed(s *script) keyed {
	depth := s.params["Depth"]
	return &txKeyed{s: s, n: s.params["NumPdcs"] * depth, depth: depth}
}

func (b *txKeyed) Keys() int  { return b.n }
func (b *txKeyed) Kinds() int { return 6 }

// Put appends event kind k of an entry; the last kind is an unknown one.
func (b *txKeyed) Put(k, key int) {
	key %= b.n
	b.turn++
	if k == 5 {
		k = 6 + b.turn%2
	}
	b.pack(&txstate.Event{
		Kind: txstate.Kind(k), PDC: uint16(key / b.depth), PSN: uint32(key % b.depth), Now: uint64(epoch + 10*b.turn), ServiceTime: 1,
		LoadValid: true, LoadRtxCount: uint8(b.turn & 3), IsRtx: b.turn%4 == 0, Retx: b.turn%2 == 0,
	})
}

func (b *txKeyed) pack(ev *txstate.Event) { txstate.PackEvent(ev, b.s.put(0, 0)) }

func (b *txKeyed) Work(key int) { b.Put([]int{0, 2, 0, 1}[b.turn%4], key) }

func (b *txKeyed) Exclusive() {
	b.turn++
	b.pack(&txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: uint8(b.turn & 7)})
}

// Open has nothing to do: every entry is usable.
func (b *txKeyed) Open(int) {}

func (b *txKeyed) Read(keys int) {
	for k := range min(keys, b.n) {
		b.Put(int(txstate.KindRead), k)
	}
}

func (b *txKeyed) Configured() {
	b.pack(&txstate.Event{Kind: txstate.KindSend, Now: epoch})
	b.pack(&txstate.Event{Kind: txstate.KindAck, Now: epoch + 15000, ServiceTime: 1})
}
