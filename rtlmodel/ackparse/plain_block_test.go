package ackparse

import (
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// plainBlock implements the timing by its recurrences: every count is a number and every list is a slice that only
// grows.
type plainBlock struct {
	t       int // cycles with rst_n high since the reset
	q, o    int
	reg     []uint32
	counter [22]uint32
	rx      []port.Rx // accepted
	issued  int
	packet  []port.Rx // beats issued of the current packet
	ended   []plainEnd
	taken   int // records
	cfg     []port.Cfg
	cfgr    []port.Cfgr
	cfgAt   []int
	cfgrN   int
}

// plainEnd is a packet that ended at a cycle.
type plainEnd struct {
	at     int
	number int // of its counter
	rec    [port.OutWords]uint64
}

func (e *plainEnd) dropped() bool { return e.number < 16 }

func (b *plainBlock) reset() { *b = plainBlock{reg: []uint32{4793, 253, 0, 16, 8}} }

type plainIn struct {
	rstN, rxValid, cfgValid, recReady, cfgrReady bool
	rx                                           port.Rx
	cfg                                          port.Cfg
}

type plainOut struct {
	rxReady, cfgReady, recValid, cfgrValid bool
	rec                                    [port.OutWords]uint64
	cfgr                                   port.Cfgr
}

func (b *plainBlock) cycle(in plainIn) (out plainOut) {
	if !in.rstN {
		b.reset()
		return out
	}
	t, up := b.t, b.t >= 1
	qc, oc := len(b.cfg)-len(b.cfgr), len(b.cfgr)-b.cfgrN
	out.rxReady, out.cfgReady = up && b.q < 2, up && qc < 2
	number := 0
	for i := range b.ended {
		e := &b.ended[i]
		if e.dropped() || e.at+8 > t {
			continue
		}
		if number == b.taken {
			out.recValid, out.rec = true, e.rec
		}
		number++
	}
	if b.cfgrN < len(b.cfgr) && b.cfgAt[b.cfgrN]+2 <= t {
		out.cfgrValid, out.cfgr = true, b.cfgr[b.cfgrN]
	}

	accept, take := in.rxValid && out.rxReady, out.recValid && in.recReady
	issue := b.q > 0 && b.o < 16
	end := issue && b.rx[b.issued].Last
	var inc [22]uint32
	drop := false
	for i := range b.ended {
		e := &b.ended[i]
		if e.at == t-7 {
			inc[0], inc[e.number] = 1, 1
			drop = e.dropped()
		}
	}
	if issue {
		b.packet = append(b.packet, b.rx[b.issued])
		b.issued++
		if end {
			b.ended = append(b.ended, b.judge(t))
			b.packet = nil
		}
	}
	if qc > 0 && oc < 8 {
		b.cfgr = append(b.cfgr, b.configure(b.cfg[len(b.cfgr)]))
		b.cfgAt = append(b.cfgAt, t)
	}
	for i := range inc {
		b.counter[i] += inc[i]
	}
	if accept {
		b.rx = append(b.rx, in.rx)
	}
	if in.cfgValid && out.cfgReady {
		b.cfg = append(b.cfg, in.cfg)
	}
	if take {
		b.taken++
	}
	if out.cfgrValid && in.cfgrReady {
		b.cfgrN++
	}
	n := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	b.q += n(accept) - n(issue)
	b.o += n(end) - n(take) - n(drop)
	b.t++
	return out
}

// judge decides on the packet that is complete.
func (b *plainBlock) judge(t int) plainEnd {
	frame := plain.FrameOf(b.packet)
	name, x := plainDecide(b.reg, frame)
	e := plainEnd{at: t, number: slices.Index(plainNames, name)}
	if !e.dropped() {
		plainPack(plainRecord(frame, name, x), b.packet[0].Tag, e.rec[:])
	}
	return e
}

func (b *plainBlock) configure(e port.Cfg) port.Cfgr {
	r := port.Cfgr{Kind: e.Kind}
	a, d := e.Addr, e.Data
	switch {
	case e.Kind == 1 && a < 22:
		b.counter[a] = d
	case e.Kind == 2 && a < 22:
		r.Data = b.counter[a]
	case e.Kind == 3 && a == 0:
		b.reg[0] = d % 65536
	case e.Kind == 3 && a == 1:
		b.reg[1] = d % 256
	case e.Kind == 3 && a == 2:
		b.reg[2] = d % 2
	case e.Kind == 3 && a == 3 && d <= 20, e.Kind == 3 && a == 4 && d >= 1 && d <= 16:
		b.reg[a] = d
	case e.Kind == 4 && a < 5:
		r.Data = b.reg[a]
	default:
		r.Refused = true
	}
	return r
}
