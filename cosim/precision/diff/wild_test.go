package diff

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// corner are events of one context at the ends of formats that numbers drawn one by one do not reach together.
var corner = []ccc.Event{
	// A penalty of more than 2^30 on a window that is larger still.
	{Kind: ccc.KindLoad, Addr: ccc.WordCwnd, Data: 1<<64 - 1},
	{Kind: ccc.KindAck, Now: 5, RcvdBytes: 1<<23 - 1, Pend: 127, UnmarkBytes: 1<<32 - 1},
	// A proportional increase of 2^76.
	{Kind: ccc.KindCfgWrite, Addr: ccc.RegAlpha, Data: 1 << 31},
	{Kind: ccc.KindCfgWrite, Addr: ccc.RegTargetQDelay, Data: 1 << 31},
	{Kind: ccc.KindCfgWrite, Addr: ccc.RegFastDelay, Data: 0},
	{Kind: ccc.KindOpen, Now: 1 << 20},
	{Kind: ccc.KindLoad, Addr: ccc.WordBaseRTT, Data: 1000},
	{Kind: ccc.KindAck, Now: 1<<20 + 2000, TxTime: 1<<20 + 872, TxValid: true, ServiceTime: 1, RcvdBytes: 1 << 22},
	// A quick adapt below a gate of more than 2^31.
	{Kind: ccc.KindCfgWrite, Addr: ccc.RegQAGate, Data: 0},
	{Kind: ccc.KindLoad, Addr: ccc.WordCwnd, Data: 1<<64 - 1},
	{Kind: ccc.KindLoad, Addr: ccc.WordTriggerQA, Data: 3}, // and qa_valid
	{Kind: ccc.KindLoad, Addr: ccc.WordBaseRTT, Data: 1<<63 | 1000},
	{Kind: ccc.KindLoad, Addr: ccc.WordQAEndtime, Data: 1 << 20},
	{Kind: ccc.KindAck, Now: 1<<20 + 2000, TxTime: 1<<20 + 872, TxValid: true, ServiceTime: 1, RcvdBytes: 1 << 22},
}

// wild plays events on contexts whose registers and words have any value, which the sources seldom bring together. It
// stops at the first difference.
func wild(p *pair, seed uint64, rounds int) (n uint64, err error) {
	r := rand.New(rand.NewPCG(seed, 0x11))
	// wide returns a number of up to so many bits, each length as likely as the others.
	wide := func(bits int) uint64 {
		v := r.Uint64() >> (63 - r.IntN(bits))
		switch r.IntN(8) {
		case 0:
			v = ^uint64(0)
		case 1:
			v = uint64(r.IntN(3))
		}
		return v & (1<<(bits-1)<<1 - 1)
	}
	p.reset()
	do := func(ev ccc.Event) bool {
		n++
		err = p.event(&ev)
		return err == nil
	}
	const ctx = 1
	if !do(ccc.Event{Kind: ccc.KindOpen, Ctx: ctx}) {
		return n, err
	}
	for _, ev := range corner {
		if ev.Ctx = ctx; !do(ev) {
			return n, err
		}
	}
	now := uint64(0)
	for range rounds {
		for range 3 {
			addr := uint8(r.IntN(ccc.NumRegs))
			data := wide(ccc.RegInfo[addr].Width)
			if addr == ccc.RegTimeShift {
				data = uint64(r.IntN(8))
			}
			if !do(ccc.Event{Kind: ccc.KindCfgWrite, Addr: addr, Data: data}) {
				return n, err
			}
		}
		for range 4 {
			addr := uint8(r.IntN(ccc.NumWords))
			data := wide(32) | wide(32)<<32
			if addr == ccc.WordProfile {
				data &^= 15 << ccc.WordProfileLSB
			}
			if !do(ccc.Event{Kind: ccc.KindLoad, Ctx: ctx, Addr: addr, Data: data, PDC: uint8(r.IntN(4))}) {
				return n, err
			}
		}
		if now = (now + wide(48)) & (1<<48 - 1); r.IntN(8) == 0 {
			now = 1<<48 - 1 - wide(30) // just before the clock wraps
		}
		for range 3 {
			now = (now + wide(14)) & (1<<48 - 1)
			raw := wide(31)
			ev := ccc.Event{
				Kind: ccc.KindAck, Ctx: ctx, Now: now, Size: uint32(wide(32)), IsRtx: r.IntN(2) == 0, PDC: uint8(r.IntN(4)),
				RcvdBytes: uint32(wide(24)), AckedPkts: uint16(wide(3)), UnmarkPkts: uint16(wide(3)), UnmarkBytes: uint32(wide(32)),
				M: r.IntN(3) == 0, TxValid: r.IntN(12) > 0, ServiceTime: uint16(wide(16)), RC: r.IntN(3) == 0,
				Reason: ccc.Reason(1 + r.IntN(3)), Data: wide(34),
				NoCredit: r.IntN(4) == 0, Share: uint16(wide(16)), Credit: uint32(wide(24)),
			}
			ev.TxTime = (now - raw - uint64(ev.ServiceTime)<<p.regs()[ccc.RegTimeShift]) & (1<<48 - 1)
			if r.IntN(4) == 0 {
				ev.Pend = uint8(r.IntN(128))
			}
			if r.IntN(4) == 0 {
				ev.Kind = [...]ccc.Kind{ccc.KindNewData, ccc.KindSend, ccc.KindNack, ccc.KindLoss, ccc.KindBind,
					ccc.KindSample, ccc.KindCredit}[r.IntN(7)]
			}
			if !do(ev) {
				return n, err
			}
		}
	}
	return n, nil
}
