package ackgen

import (
	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	pa "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// plainBlock implements the timing by its recurrences: every count is a number, and every list is a slice.
type plainBlock struct {
	*plainReceiver
	t                 int // cycles with rst_n high since the reset
	q, o, qc, c, i, x int
	tick, p           int
	rx                []port.Rx // in the FIFO
	cfg               []port.Cfg
	packet            []port.Rx // beats issued of the current packet
	ended             []plainEnd
	requests          []plainEnd // not yet started
	job               *plainJob
	next              int // first cycle in which a job may start
	inds              []port.Ind
	cfgrs             []port.Cfgr
	tx                []plainBeat
}

// plainEnd is a packet that ended at a cycle.
type plainEnd struct {
	at     int
	reason string
	tag    uint32
	plainRequest
}

type plainJob struct {
	end    int // its last cycle
	packet *plainEnd
	cfg    port.Cfg
}

// plainBeat is a beat that is visible from a cycle on.
type plainBeat struct {
	from int
	port.Tx
}

func (b *plainBlock) reset(pdcs int) { *b = plainBlock{plainReceiver: newPlain(pdcs)} }

type plainIn struct {
	rstN, rxValid, cfgValid, txReady, indReady, cfgrReady bool
	rx                                                    port.Rx
	cfg                                                   port.Cfg
}

type plainOut struct {
	rxReady, cfgReady, txValid, indValid, cfgrValid bool
	tx                                              port.Tx
	ind                                             port.Ind
	cfgr                                            port.Cfgr
}

func (b *plainBlock) cycle(in plainIn) (out plainOut) {
	if !in.rstN {
		b.reset(len(b.pdc))
		return out
	}
	t, up := b.t, b.t >= len(b.pdc)
	out.rxReady, out.cfgReady = up && b.q < 2, up && b.qc < 2
	if len(b.tx) > 0 && b.tx[0].from <= t {
		out.txValid, out.tx = true, b.tx[0].Tx
	}
	if len(b.inds) > 0 {
		out.indValid, out.ind = true, b.inds[0]
	}
	if len(b.cfgrs) > 0 {
		out.cfgrValid, out.cfgr = true, b.cfgrs[0]
	}

	accept, acceptC := in.rxValid && out.rxReady, in.cfgValid && out.cfgReady
	takeTx, takeInd, takeCfgr := out.txValid && in.txReady, out.indValid && in.indReady, out.cfgrValid && in.cfgrReady
	issue := b.q > 0 && b.o < 16
	idle := t >= b.next
	startC := idle && b.qc > 0 && b.c < 4
	start := idle && !startC && len(b.requests) > 0 && b.requests[0].at+8 <= t && b.i < 4 && b.x < 4
	if takeTx {
		b.tx = b.tx[1:]
	}
	if takeInd {
		b.inds = b.inds[1:]
	}
	if takeCfgr {
		b.cfgrs = b.cfgrs[1:]
	}

	end := issue && b.rx[0].Last
	if issue {
		b.packet = append(b.packet, b.rx[0])
		b.rx = b.rx[1:]
	}
	if end {
		b.judge()
	}
	if startC {
		b.job = &plainJob{end: t + 3 - 1, cfg: b.cfg[0]}
		b.cfg = b.cfg[1:]
		b.next = t + 3
	}
	if start {
		e := b.requests[0]
		b.requests = b.requests[1:]
		busy := 6
		if e.syn {
			busy += (len(b.pdc) + 15) / 16
		}
		b.job = &plainJob{end: t + busy - 1, packet: &e}
		b.next = t + busy
	}
	period := int(b.reg[10])
	silent := false // a job without an answer ends
	if b.job != nil && b.job.end == t {
		if e := b.job.packet; e != nil {
			silent = b.answered(e)
		} else {
			b.cfgrs = append(b.cfgrs, b.configure(b.job.cfg))
		}
		b.job = nil
	}
	drop := false
	for i := range b.ended {
		if e := &b.ended[i]; e.at == t-7 {
			b.count(e.reason)
			drop = e.reason != "PASSED"
		}
	}
	if accept {
		b.rx = append(b.rx, in.rx)
	}
	if acceptC {
		b.cfg = append(b.cfg, in.cfg)
	}
	n := func(x bool) int { return int(truth[x]) }
	b.q += n(accept) - n(issue)
	b.o += n(end) - n(start) - n(drop)
	b.qc += n(acceptC) - n(startC)
	b.c += n(startC) - n(takeCfgr)
	b.i += n(start) - n(takeInd)
	b.x += n(start) - n(takeTx && out.tx.Last) - n(silent)
	if b.p++; b.p >= period {
		b.p, b.tick = 0, b.tick+1
	}
	b.t++
	return out
}

// judge decides on the packet that is complete.
func (b *plainBlock) judge() {
	var beats []pa.Rx
	for _, x := range b.packet {
		beats = append(beats, pa.Rx(x))
	}
	e := plainEnd{at: b.t, tag: b.packet[0].Tag}
	e.reason, e.plainRequest = b.decide(plain.FrameOf(beats))
	e.tick, e.plainRequest.p = b.tick, b.p
	b.packet = nil
	b.ended = append(b.ended, e)
	if len(b.ended) > 20 {
		b.ended = b.ended[1:]
	}
	if e.reason == "PASSED" {
		b.requests = append(b.requests, e)
	}
}

// answered ends the job of a packet and reports whether there is no answer.
func (b *plainBlock) answered(e *plainEnd) bool {
	x := b.run(&e.plainRequest, b.tick, b.p)
	b.inds = append(b.inds, x.ind(&e.plainRequest, e.tag))
	for from := 0; from < len(x.answer); from += 64 {
		beat := plainBeat{b.t + 1 + 4, port.Tx{Tag: e.tag, Last: from+64 >= len(x.answer)}}
		for i, v := range x.answer[from:min(from+64, len(x.answer))] {
			beat.Data[i/8] |= uint64(v) << (8 * (i % 8))
			beat.Keep |= 1 << i
		}
		b.tx = append(b.tx, beat)
	}
	return x.answer == nil
}
