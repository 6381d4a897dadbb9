package intmd

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// move takes the live counters, the clock and the table to the next cycle.
func (w *watch) move(hits cover.Hits) {
	period := w.Cfg.Regs[intmd.RegPeriod]
	hits[w.periods.At1(int(min(period, 3)))]++
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
	w.time = (w.time + w.Cfg.Regs[intmd.RegStep]) & (1<<40 - 1)
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

func (w *watch) ticks() bool {
	period := w.Cfg.Regs[intmd.RegPeriod]
	return period <= 1 || w.age+1 >= period
}

// longPeriod sorts a cycle of a period that needs more than 16 bits.
func (w *watch) longPeriod(hits cover.Hits, period uint64) {
	over := w.age+1 >= period
	hits.Each(w.periodBits.At1(0), !over && w.age+1 >= period&(1<<16-1), over && w.age >= 1<<16)
}

// rateInTick sorts a RATE_WRITE that issues in the cycle of a tick, which shows what was written to other ports.
func (w *watch) rateInTick(hits cover.Hits) {
	if w.Cfg.Regs[intmd.RegPeriod] <= 1 {
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
func (w *watch) configure(hits cover.Hits) {
	if w.reported && int(w.report.Port) >= w.ports {
		w.Cfg.Inc[intmd.WordBadReports]++
	}
	load := -1
	ev := w.Cfg.Issue(intmd.CfgCredits)
	if ev != nil {
		intmd.UnpackCfg(ev, &w.cev)
		var data uint64
		load, data = w.Cfg.Look(hits, trimmer.Kind(w.cev.Kind), int(w.cev.Addr))
		switch {
		case w.cev.Kind == intmd.KindCfgRead && w.cev.Addr == intmd.RegTime:
			data = w.time >> 16
		case w.cev.Kind == intmd.KindEntryRead && int(w.cev.Port) < w.ports:
			data = w.tableEntry(int(w.cev.Port))
		}
		w.Cfg.Expect(data)
	}
	w.Cfg.Count(hits, load, w.cev.Data)
	if ev != nil && w.cev.Kind == intmd.KindRateWrite && int(w.cev.Port) < w.ports && w.ticks() {
		w.rateInTick(hits)
	}
	w.move(hits)
	if ev != nil {
		w.write(hits, &w.cev)
	}
}

func (w *watch) write(hits cover.Hits, ev *intmd.Cfg) {
	a := int(ev.Addr)
	switch {
	case ev.Kind == intmd.KindRateWrite && int(ev.Port) < w.ports:
		w.rate[ev.Port] = uint8(ev.Data & 15)
	case ev.Kind == intmd.KindCfgWrite && a == intmd.RegTime:
		w.time = uint64(ev.Data&(1<<24-1)) << 16
	case ev.Kind == intmd.KindCfgWrite && a < intmd.NumRegs:
		if w.Cfg.Write(a, ev.Data) {
			w.Edges.Write(hits, a)
		}
	}
}

func (w *watch) answer(hits cover.Hits, ev, out []uint64) {
	var c intmd.Cfg
	intmd.UnpackCfg(ev, &c)
	intmd.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	kind := trimmer.Kind(c.Kind)
	want := frame.Refusal(kind, a, intmd.NumWords, intmd.NumRegs)
	if c.Kind == intmd.KindRateWrite || c.Kind == intmd.KindEntryRead {
		if want = frame.RefusedNot; int(c.Port) >= w.ports {
			want = frame.RefusedOther
		}
	}
	right := w.Cfg.Answer(hits, kind, a, want, w.crsp.Refused, w.crsp.Data)
	w.DisagreeIf(!right || w.crsp.Kind != c.Kind || w.crsp.Port != c.Port)
}
