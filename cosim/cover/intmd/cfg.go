package intmd

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// move takes the live counters, the clock and the table to the next cycle.
func (w *watch) move(hits []uint64) {
	period := w.regs[intmd.RegPeriod]
	switch {
	case period <= 2:
		hits[w.periods.At1(int(period))]++
	default:
		hits[w.periods.At1(3)]++
	}
	if period >= 1<<16 {
		w.longPeriod(hits, period)
	}
	if w.ticks() {
		n := w.ports
		copy(w.entryTx[:n], w.tx[:n])
		copy(w.entryQl[:n], w.ql[:n])
		copy(w.entryRate[:n], w.rate[:n])
		w.entryTime, w.filled = w.time, true
		w.age, w.stale = 0, 0
	} else {
		w.age++
		w.stale++
	}
	w.time = (w.time + w.regs[intmd.RegStep]) & (1<<40 - 1)
	if !w.reported {
		return
	}
	r := &w.report
	p := int(r.Port)
	hits[w.reports.At2(int(r.Op), portClass(p, w.ports))]++
	switch {
	case p >= w.ports:
	case r.Op == intmd.OpSet:
		w.tx[p], w.ql[p] = r.TxBytes, r.Qlen
	default:
		hits[w.saturates.At1(cover.Bit(w.tx[p]+r.TxBytes < w.tx[p]))]++
		hits[w.saturates.At1(2+cover.Bit(w.ql[p]+r.Qlen < w.ql[p]))]++
		w.tx[p] += r.TxBytes
		w.ql[p] += r.Qlen
	}
}

// ticks reports whether this cycle ends a period.
func (w *watch) ticks() bool {
	period := w.regs[intmd.RegPeriod]
	return period <= 1 || w.age+1 >= period
}

// longPeriod sorts a cycle of a period that needs more than 16 bits.
func (w *watch) longPeriod(hits []uint64, period uint64) {
	switch over := w.age+1 >= period; {
	case over && w.age >= 1<<16:
		hits[w.periodBits.At1(1)]++
	case !over && w.age+1 >= period&(1<<16-1):
		hits[w.periodBits.At1(0)]++
	}
}

// rateInTick sorts a RATE_WRITE that issues in the cycle of a tick, which shows what was written to other ports.
func (w *watch) rateInTick(hits []uint64) {
	if w.regs[intmd.RegPeriod] <= 1 {
		hits[w.bins.rateInTick.At1(0)]++
		return
	}
	for p := range w.ports {
		if p != int(w.cev.Port) && w.rate[p] != w.entryRate[p] {
			hits[w.bins.rateInTick.At1(1)]++
			return
		}
	}
}

// configure issues a cfg event, which sees clock, table and counters as they are in this cycle, and counts.
// move takes clock and table to the next cycle between the two: a write of this cycle comes after it.
func (w *watch) configure(hits []uint64, inc *[intmd.NumWords]uint32) {
	if w.reported && int(w.report.Port) >= w.ports {
		inc[intmd.WordBadReports]++
	}
	load := -1
	ev := w.cfg.Issue(intmd.CfgCredits)
	if ev != nil {
		intmd.UnpackCfg(ev, &w.cev)
		a := int(w.cev.Addr)
		var data uint64
		switch w.cev.Kind {
		case intmd.KindLoad:
			if a < intmd.NumWords {
				load = a
				hits[w.loadOnCount.At1(cover.Bit(inc[a] > 0))]++
			}
		case intmd.KindRead:
			if a < intmd.NumWords {
				data = uint64(w.counts[a])
			}
		case intmd.KindCfgRead:
			switch {
			case a == intmd.RegTime:
				data = w.time >> 16
			case a < intmd.NumRegs:
				data = w.regs[a]
			}
		case intmd.KindEntryRead:
			if int(w.cev.Port) < w.ports {
				data = w.tableEntry(int(w.cev.Port))
			}
		}
		w.reads = append(w.reads, data)
	}
	frame.CountOn(hits, &w.wrap, w.counts[:], inc[:], load, w.cev.Data)
	if ev != nil && w.cev.Kind == intmd.KindRateWrite && int(w.cev.Port) < w.ports && w.ticks() {
		w.rateInTick(hits)
	}
	w.move(hits)
	if ev != nil {
		w.write(hits, &w.cev)
	}
}

// write follows CFG_WRITE and RATE_WRITE.
func (w *watch) write(hits []uint64, ev *intmd.Cfg) {
	a := int(ev.Addr)
	switch {
	case ev.Kind == intmd.KindRateWrite && int(ev.Port) < w.ports:
		w.rate[ev.Port] = uint8(ev.Data & 15)
	case ev.Kind == intmd.KindCfgWrite && a == intmd.RegTime:
		w.time = uint64(ev.Data&(1<<24-1)) << 16
	case ev.Kind == intmd.KindCfgWrite && a < intmd.NumRegs:
		v := uint64(ev.Data) & (1<<intmd.RegInfo[a].Width - 1)
		if v != w.regs[a] {
			w.edges.Write(hits, a)
		}
		w.regs[a] = v
	}
}

// answer sorts a cfg event and its response.
func (w *watch) answer(hits []uint64, ev, out []uint64) {
	var c intmd.Cfg
	intmd.UnpackCfg(ev, &c)
	intmd.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	hits[w.kinds.At1(int(c.Kind))]++
	want := frame.Refusal(trimmer.Kind(c.Kind), a, intmd.NumWords, intmd.NumRegs)
	if c.Kind == intmd.KindRateWrite || c.Kind == intmd.KindEntryRead {
		if want = frame.RefusedNot; int(c.Port) >= w.ports {
			want = frame.RefusedOther
		}
	}
	data := w.reads[0]
	w.reads = append(w.reads[:0], w.reads[1:]...)
	if w.crsp.Refused != (want != frame.RefusedNot) || w.crsp.Data != data ||
		w.crsp.Kind != c.Kind || w.crsp.Port != c.Port {
		w.Disagree()
	}
	switch {
	case want != frame.RefusedNot:
		hits[w.refused.At1(want)]++
	case c.Kind <= intmd.KindCfgRead:
		w.access.Hit(hits, int(c.Kind)-1, a, 0, 0)
	}
}
