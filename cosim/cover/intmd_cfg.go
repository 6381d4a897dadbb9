package cover

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// move takes the live counters, the clock and the table to the next cycle.
func (w *intmdWatch) move(hits []uint64) {
	period := w.regs[intmd.RegPeriod]
	switch {
	case period <= 2:
		hits[w.periods.at1(int(period))]++
	default:
		hits[w.periods.at1(3)]++
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
	hits[w.reports.at2(int(r.Op), portClass(p, w.ports))]++
	switch {
	case p >= w.ports:
	case r.Op == intmd.OpSet:
		w.tx[p], w.ql[p] = r.TxBytes, r.Qlen
	default:
		hits[w.saturates.at1(b2i(w.tx[p]+r.TxBytes < w.tx[p]))]++
		hits[w.saturates.at1(2+b2i(w.ql[p]+r.Qlen < w.ql[p]))]++
		w.tx[p] += r.TxBytes
		w.ql[p] += r.Qlen
	}
}

// ticks reports whether this cycle ends a period.
func (w *intmdWatch) ticks() bool {
	period := w.regs[intmd.RegPeriod]
	return period <= 1 || w.age+1 >= period
}

// longPeriod sorts a cycle of a period that needs more than 16 bits.
func (w *intmdWatch) longPeriod(hits []uint64, period uint64) {
	switch over := w.age+1 >= period; {
	case over && w.age >= 1<<16:
		hits[w.periodBits.at1(1)]++
	case !over && w.age+1 >= period&(1<<16-1):
		hits[w.periodBits.at1(0)]++
	}
}

// rateInTick sorts a RATE_WRITE that issues in the cycle of a tick, which shows what was written to other ports.
func (w *intmdWatch) rateInTick(hits []uint64) {
	if w.regs[intmd.RegPeriod] <= 1 {
		hits[w.intmdBins.rateInTick.at1(0)]++
		return
	}
	for p := range w.ports {
		if p != int(w.cev.Port) && w.rate[p] != w.entryRate[p] {
			hits[w.intmdBins.rateInTick.at1(1)]++
			return
		}
	}
}

// configure issues a cfg event, which sees clock, table and counters as they are in this cycle, and counts.
// move takes clock and table to the next cycle between the two: a write of this cycle comes after it.
func (w *intmdWatch) configure(hits []uint64, inc *[intmd.NumWords]uint32) {
	if w.reported && int(w.report.Port) >= w.ports {
		inc[intmd.WordBadReports]++
	}
	load := -1
	ev := w.cfg.issue(intmd.CfgCredits)
	if ev != nil {
		intmd.UnpackCfg(ev, &w.cev)
		a := int(w.cev.Addr)
		var data uint64
		switch w.cev.Kind {
		case intmd.KindLoad:
			if a < intmd.NumWords {
				load = a
				hits[w.loadOnCount.at1(b2i(inc[a] > 0))]++
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
	countOn(hits, &w.wrap, w.counts[:], inc[:], load, w.cev.Data)
	if ev != nil && w.cev.Kind == intmd.KindRateWrite && int(w.cev.Port) < w.ports && w.ticks() {
		w.rateInTick(hits)
	}
	w.move(hits)
	if ev != nil {
		w.write(&w.cev)
	}
}

// write follows CFG_WRITE and RATE_WRITE.
func (w *intmdWatch) write(ev *intmd.Cfg) {
	a := int(ev.Addr)
	switch {
	case ev.Kind == intmd.KindRateWrite && int(ev.Port) < w.ports:
		w.rate[ev.Port] = uint8(ev.Data & 15)
	case ev.Kind == intmd.KindCfgWrite && a == intmd.RegTime:
		w.time = uint64(ev.Data&(1<<24-1)) << 16
	case ev.Kind == intmd.KindCfgWrite && a < intmd.NumRegs:
		w.regs[a] = uint64(ev.Data) & (1<<intmd.RegInfo[a].Width - 1)
	}
}

// answer sorts a cfg event and its response.
func (w *intmdWatch) answer(hits []uint64, ev, out []uint64) {
	var c intmd.Cfg
	intmd.UnpackCfg(ev, &c)
	intmd.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	hits[w.kinds.at1(int(c.Kind))]++
	want := refusal(trimmer.Kind(c.Kind), a, intmd.NumWords, intmd.NumRegs)
	if c.Kind == intmd.KindRateWrite || c.Kind == intmd.KindEntryRead {
		if want = refusedNot; int(c.Port) >= w.ports {
			want = refusedOther
		}
	}
	data := w.reads[0]
	w.reads = append(w.reads[:0], w.reads[1:]...)
	if w.crsp.Refused != (want != refusedNot) || w.crsp.Data != data || w.crsp.Kind != c.Kind || w.crsp.Port != c.Port {
		w.disagree()
	}
	switch {
	case want != refusedNot:
		hits[w.refused.at1(want)]++
	case c.Kind <= intmd.KindCfgRead:
		w.access.hit(hits, int(c.Kind)-1, a, 0, 0)
	}
}
