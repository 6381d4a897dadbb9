package gen

import "github.com/goldwire/goldwire/vectors/event/ccc"

// cccKeyed writes events of ccc, whose keys are contexts.
type cccKeyed struct {
	s               *script
	contexts, slots int
	turn            int
}

func newCCCKeyed(s *script) keyed {
	return &cccKeyed{s: s, contexts: s.params["NumContexts"], slots: s.params["NumPdcs"]}
}

func (b *cccKeyed) Keys() int  { return b.contexts }
func (b *cccKeyed) Kinds() int { return 12 }

// Put appends event kind k of a context; the last kind is an unknown one.
func (b *cccKeyed) Put(k, key int) {
	key %= b.contexts
	b.turn++
	now := uint64(epoch + 10*b.turn)
	switch k {
	case 9: // configuration has no key
		k = int(ccc.KindBind)
	case 10:
		k = int(ccc.KindSample)
	case 11:
		k = numCCCKinds + b.turn%(16-numCCCKinds)
	}
	b.pack(&ccc.Event{
		Kind: ccc.Kind(k), Ctx: uint16(key), PDC: uint8(b.turn % b.slots), Now: now, Size: uint32(100 + b.turn), Addr: uint8(b.turn % ccc.NumWords),
		RcvdBytes: uint32(b.turn), TxValid: true, TxTime: now - 128 - 15000, ServiceTime: 1, M: b.turn%3 == 0,
		Reason: ccc.Reason(b.turn % 4), Entropy: uint16(b.turn), Data: uint64(b.turn) << 12, AckedPkts: 1,
	})
}

func (b *cccKeyed) pack(ev *ccc.Event) { ccc.PackEvent(ev, b.s.put(0, 0)) }

func (b *cccKeyed) Work(key int) { b.Put(4+b.turn%7, key) }

func (b *cccKeyed) Exclusive() {
	b.turn++
	b.pack(&ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegTargetQDelay, Data: uint64(9000 + b.turn)})
}

func (b *cccKeyed) Open(keys int) {
	for k := range min(keys, b.contexts) {
		b.Put(int(ccc.KindOpen), k)
	}
}

func (b *cccKeyed) Read(keys int) {
	keys = min(keys, b.contexts)
	for a := range lastRcvd + b.slots {
		for k := range keys {
			b.pack(&ccc.Event{Kind: ccc.KindRead, Ctx: uint16(k), Addr: uint8(min(a, lastRcvd)), PDC: uint8(max(a-lastRcvd, 0))})
		}
	}
}

func (b *cccKeyed) Configured() {
	b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: ccc.RegTargetQDelay})
}
