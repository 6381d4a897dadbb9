package cover

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// countTrimmer adds a packet to the counts of a cycle.
func countTrimmer(p *trimmerPacket, inc *[trimmer.NumWords]uint32) {
	inc[0]++
	if p.cause > 0 {
		inc[p.cause]++
	}
	switch {
	case p.trimmed && p.side.LastHop:
		inc[12]++
	case p.trimmed:
		inc[11]++
	}
	if p.marked {
		inc[13]++
	}
}

// configure issues a cfg event and counts.
func (w *trimmerWatch) configure(hits []uint64, inc *[trimmer.NumWords]uint32) {
	load := -1
	ev := w.cfg.issue(trimmer.CfgCredits)
	if ev != nil {
		trimmer.UnpackCfg(ev, &w.cev)
		a := int(w.cev.Addr)
		var data uint32
		switch w.cev.Kind {
		case trimmer.KindLoad:
			if a < trimmer.NumWords {
				load = a
				hits[w.loadOnCount.at1(b2i(inc[a] > 0))]++
			}
		case trimmer.KindRead:
			if a < trimmer.NumWords {
				data = w.counts[a]
			}
		case trimmer.KindCfgRead:
			if a < trimmer.NumRegs {
				data = uint32(w.regs[a])
			}
		}
		w.reads = append(w.reads, data)
	}
	countOn(hits, &w.wrap, w.counts[:], inc[:], load, w.cev.Data)
	// A write acts from the next cycle on, on packets released later than this one.
	if ev != nil {
		w.write(&w.cev)
	}
}

// write follows CFG_WRITE.
func (w *trimmerWatch) write(ev *trimmer.Cfg) {
	a := int(ev.Addr)
	if ev.Kind != trimmer.KindCfgWrite || a >= trimmer.NumRegs || a <= trimmer.RegMinSize && ev.Data > trimmer.MaxTrim {
		return
	}
	w.regs[a] = uint64(ev.Data) & (1<<trimmer.RegInfo[a].Width - 1)
}

// answer sorts a cfg event and its response.
func (w *trimmerWatch) answer(hits []uint64, ev, out []uint64) {
	var c trimmer.Cfg
	trimmer.UnpackCfg(ev, &c)
	trimmer.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	hits[w.kinds.at1(int(c.Kind))]++
	want := refusal(c.Kind, a, trimmer.NumWords, trimmer.NumRegs)
	if want == refusedNot && c.Kind == trimmer.KindCfgWrite && a <= trimmer.RegMinSize && c.Data > trimmer.MaxTrim {
		want = refusedOther
	}
	data := w.reads[0]
	w.reads = append(w.reads[:0], w.reads[1:]...)
	if w.crsp.Refused != (want != refusedNot) || w.crsp.Data != data || w.crsp.Kind != c.Kind {
		w.disagree()
	}
	if want != refusedNot {
		hits[w.refused.at1(want)]++
		return
	}
	w.access.hit(hits, int(c.Kind)-1, a, 0, 0)
}
