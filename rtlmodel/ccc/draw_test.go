package ccc

import (
	"math/rand/v2"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// stimulus draws events. A wild stimulus takes registers, state words and fields from the ends of their formats; a tame
// one stays near the defaults, where the thresholds of the rules lie.
type stimulus struct {
	spec Spec // contexts, slots and profiles to draw from; a few events name one out of range
	wild bool
	now  uint64
	pull uint32 // number of the newest pull
}

// drawSpec returns a spec with the given number of contexts and random numbers of slots and profiles, often the ends of
// their ranges.
func drawSpec(r *rand.Rand, contexts int) Spec {
	sizes := []int{1, 2, 15, 16, 1 + r.IntN(16)}
	return Spec{NumContexts: contexts, NumPdcs: sizes[r.IntN(5)], NumProfiles: sizes[r.IntN(5)]}
}

// below returns a random slot or profile below n; in one of 40 cases it is n, just past the last, and in another any
// 4-bit number.
func below(r *rand.Rand, n int) uint8 {
	switch r.IntN(40) {
	case 0:
		return uint8(n & 15)
	case 1:
		return uint8(r.IntN(16))
	}
	return uint8(r.IntN(n))
}

// edge returns a random number of the given width, often near the ends of its range.
func edge(r *rand.Rand, width int) uint64 {
	m := uint64(1)<<width - 1
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return m
	case 2:
		return (m>>1 + uint64(r.IntN(3)) - 1) & m
	case 3:
		return r.Uint64() & m >> r.IntN(width)
	case 4:
		return uint64(r.IntN(4)) & m
	}
	return r.Uint64() & m
}

// Each kind is listed as often as its share of the draw.
var (
	tameKinds = []port.Kind{0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 10, 11, 12, 13, 13, 14}
	wildKinds = []port.Kind{0, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 7, 7, 8, 9, 9, 10, 11, 12, 13, 13, 15}
)

func (s *stimulus) next(r *rand.Rand) port.Event {
	s.now += r.Uint64N(4000)
	switch r.IntN(400) {
	case 0, 1:
		s.now = r.Uint64()
	case 2: // idle for about half or all of the range
		s.now += uint64(1+r.IntN(2))<<47 - 20000 + r.Uint64N(40000)
	}
	s.now &= 1<<48 - 1
	if s.wild {
		return s.wildEvent(r)
	}
	ev := port.Event{
		Kind:    tameKinds[r.IntN(len(tameKinds))],
		Ctx:     uint16(r.IntN(s.spec.NumContexts)),
		Now:     s.now,
		Size:    uint32(r.IntN(9000)),
		IsRtx:   r.IntN(5) == 0,
		M:       r.IntN(3) == 0,
		Entropy: uint16(r.Uint32()),
		TxValid: r.IntN(20) > 0,
		Pend:    uint8(max(0, r.IntN(400)-272)),
		RC:      r.IntN(4) == 0,
		Reason:  port.Reason(r.IntN(4)),
	}
	if ev.Kind == port.KindClose && r.IntN(4) > 0 {
		ev.Kind = port.KindAck
	}
	if r.IntN(40) == 0 {
		ev.Ctx = uint16(r.Uint32())
	}
	ev.PDC, ev.Profile = below(r, s.spec.NumPdcs), below(r, s.spec.NumProfiles)
	ev.RcvdBytes = uint32(s.now/20/256) + uint32(r.IntN(40))
	if r.IntN(30) == 0 {
		ev.RcvdBytes = r.Uint32()
	}
	ev.RcvdBytes &= 1<<24 - 1
	ev.AckedPkts = uint16(r.IntN(3))
	if r.IntN(6) == 0 {
		ev.UnmarkPkts, ev.UnmarkBytes = uint16(r.IntN(3)), uint32(r.IntN(9000))
	}
	ev.ServiceTime = uint16(r.IntN(5))
	if r.IntN(20) == 0 {
		ev.ServiceTime = 0xFFFF
	}
	ev.TxTime = (s.now - uint64(r.IntN(40000))) & (1<<48 - 1)
	if r.IntN(8) == 0 {
		ev.RtxCount, ev.Retx = uint8(r.IntN(4)), r.IntN(2) == 0
	}
	ev.Addr = uint8(r.IntN(32))
	switch {
	case ev.Kind == port.KindCfgWrite:
		ev.Addr = cfgAddr(r)
	case ev.Kind == port.KindLoad || ev.Kind == port.KindRead:
		if r.IntN(4) == 0 {
			ev.Addr = port.WordLastRcvd
		}
	}
	ev.Data = s.data(r, &ev)
	s.pull += uint32(r.IntN(20))
	ev.NoCredit, ev.Credit = r.IntN(4) == 0, s.pull
	if r.IntN(10) == 0 { // overtaken, repeated or far ahead
		ev.Credit = r.Uint32()
	}
	ev.Credit &= 1<<24 - 1
	if r.IntN(2) == 0 {
		ev.Share = uint16(edge(r, 16))
	}
	return ev
}

// cfgAddr returns the register of a CFG_WRITE: often one that decides what other events do.
func cfgAddr(r *rand.Rand) uint8 {
	switch r.IntN(8) {
	case 0, 1:
		return port.RegMTU
	case 2, 3:
		return port.RegCtrl
	}
	return uint8(r.IntN(32))
}

// data returns a value for a LOAD, CFG_WRITE or SAMPLE near the thresholds of the rules.
func (s *stimulus) data(r *rand.Rand, ev *port.Event) uint64 {
	scale := func(v uint64) uint64 { return v*uint64(r.IntN(9))/4 + uint64(r.IntN(2)) }
	if ev.Kind == port.KindSample {
		return []uint64{0, scale(12000), scale(12000), 1 << 32, r.Uint64()}[r.IntN(5)]
	}
	if ev.Kind == port.KindCfgWrite && ev.Addr == port.RegCtrl {
		return r.Uint64() & r.Uint64()
	}
	if ev.Kind == port.KindCfgWrite && ev.Addr < port.NumRegs {
		return scale(port.RegInfo[ev.Addr].Reset)
	}
	switch ev.Addr {
	case port.WordQAEndtime, port.WordLastAdjustTime, port.WordLastDecTime:
		return s.now - uint64(r.IntN(30000))
	case port.WordIncBytes:
		return r.Uint64N(1 << 34)
	case port.WordAvgDelay:
		return scale(9000 << 16)
	case port.WordTriggerQA, port.WordInflightPkts:
		return r.Uint64()
	}
	return scale(60000)<<32 | scale(60000)
}

func (s *stimulus) wildEvent(r *rand.Rand) port.Event {
	ev := port.Event{
		Kind:        wildKinds[r.IntN(len(wildKinds))],
		Ctx:         uint16(r.IntN(s.spec.NumContexts)),
		PDC:         below(r, s.spec.NumPdcs),
		Profile:     below(r, s.spec.NumProfiles),
		Now:         edge(r, 48),
		Size:        uint32(edge(r, 32)),
		IsRtx:       r.IntN(2) == 0,
		RcvdBytes:   uint32(edge(r, 24)),
		AckedPkts:   uint16(edge(r, 16)),
		UnmarkPkts:  uint16(edge(r, 16)),
		UnmarkBytes: uint32(edge(r, 32)),
		M:           r.IntN(2) == 0,
		Entropy:     uint16(r.Uint32()),
		TxValid:     r.IntN(20) > 0,
		RtxCount:    uint8(max(0, r.IntN(9)-5)),
		ServiceTime: uint16(edge(r, 16)),
		Retx:        r.IntN(8) == 0,
		Pend:        uint8(edge(r, 7)),
		RC:          r.IntN(2) == 0,
		Reason:      port.Reason(r.IntN(4)),
		Addr:        uint8(r.IntN(32)),
		Data:        edge(r, 32)<<32 | edge(r, 32),
		NoCredit:    r.IntN(4) == 0,
		Share:       uint16(edge(r, 16)),
		Credit:      uint32(edge(r, 24)),
	}
	if r.IntN(2) == 0 {
		ev.Pend = 0
	}
	if r.IntN(4) > 0 {
		ev.Now = s.now
		ev.TxTime = (s.now - edge(r, 31)) & (1<<48 - 1)
	} else {
		ev.TxTime = edge(r, 48)
	}
	switch {
	case ev.Kind == port.KindSample && r.IntN(2) == 0:
		ev.Data &= 1<<33 - 1
	case ev.Kind == port.KindCfgWrite:
		ev.Addr = cfgAddr(r)
	}
	if ev.Kind == port.KindLoad {
		ev.Addr %= port.NumWords
		if r.IntN(2) == 0 {
			ev.Data = edge(r, 48)
		}
	}
	return ev
}
