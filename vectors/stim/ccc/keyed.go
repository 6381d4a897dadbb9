package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/timing"
)

// keyed writes events of ccc, whose keys are contexts.
type keyed struct {
	s               *stim.Script
	contexts, slots int
	turn            int
}

func newKeyed(s *stim.Script) timing.Keyed {
	return &keyed{s: s, contexts: s.Params["NumContexts"], slots: s.Params["NumPdcs"]}
}

func (b *keyed) Keys() int  { return b.contexts }
func (b *keyed) Kinds() int { return 13 }

// Put appends event kind k of a context; the last kind is an unknown one.
func (b *keyed) Put(k, key int) {
	key %= b.contexts
	b.turn++
	now := uint64(casefile.Epoch + 10*b.turn)
	switch k {
	case 9: // configuration has no key
		k = int(ccc.KindBind)
	case 10:
		k = int(ccc.KindSample)
	case 11:
		k = int(ccc.KindCredit)
	case 12:
		k = numKinds + b.turn%(16-numKinds)
	}
	b.pack(&ccc.Event{
		Kind: ccc.Kind(k), Ctx: uint16(key), PDC: uint8(b.turn % b.slots), Now: now, Size: uint32(100 + b.turn),
		Addr:      uint8(b.turn % ccc.NumWords),
		RcvdBytes: uint32(b.turn), TxValid: true, TxTime: now - 128 - 15000, ServiceTime: 1, M: b.turn%3 == 0,
		Reason: ccc.Reason(b.turn % 4), Entropy: uint16(b.turn), Data: uint64(b.turn) << 12, AckedPkts: 1,
	})
}

func (b *keyed) pack(ev *ccc.Event) { ccc.PackEvent(ev, b.s.Put(0, 0)) }

func (b *keyed) Work(key int) { b.Put(4+b.turn%7, key) }

func (b *keyed) Exclusive() {
	b.turn++
	b.pack(&ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegTargetQDelay, Data: uint64(9000 + b.turn)})
}

func (b *keyed) Open(keys int) {
	for k := range min(keys, b.contexts) {
		b.Put(int(ccc.KindOpen), k)
	}
}

func (b *keyed) Read(keys int) {
	keys = min(keys, b.contexts)
	for i := range ccc.StateLen(b.slots) {
		a, slot := ccc.StateAt(i, b.slots)
		for k := range keys {
			b.pack(&ccc.Event{Kind: ccc.KindRead, Ctx: uint16(k), Addr: uint8(a), PDC: uint8(slot)})
		}
	}
}

func (b *keyed) Configured() {
	b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: ccc.RegTargetQDelay})
}
