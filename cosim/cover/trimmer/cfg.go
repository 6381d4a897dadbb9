package trimmer

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// countPacket adds a packet to the counts of a cycle.
func countPacket(p *packet, inc *[trimmer.NumWords]uint32) {
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
func (w *watch) configure(hits []uint64, inc *[trimmer.NumWords]uint32) {
	load := -1
	ev := w.cfg.Issue(trimmer.CfgCredits)
	if ev != nil {
		trimmer.UnpackCfg(ev, &w.cev)
		a := int(w.cev.Addr)
		var data uint32
		switch w.cev.Kind {
		case trimmer.KindLoad:
			if a < trimmer.NumWords {
				load = a
				hits[w.loadOnCount.At1(cover.Bit(inc[a] > 0))]++
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
	frame.CountOn(hits, &w.wrap, w.counts[:], inc[:], load, w.cev.Data)
	// A write acts from the next cycle on, on packets released later than this one.
	if ev != nil {
		w.write(hits, &w.cev)
	}
}

// write follows CFG_WRITE.
func (w *watch) write(hits []uint64, ev *trimmer.Cfg) {
	a := int(ev.Addr)
	if ev.Kind != trimmer.KindCfgWrite || a >= trimmer.NumRegs || a <= trimmer.RegMinSize && ev.Data > trimmer.MaxTrim {
		return
	}
	v := uint64(ev.Data) & (1<<trimmer.RegInfo[a].Width - 1)
	if v != w.regs[a] {
		w.edges.Write(hits, a)
	}
	w.regs[a] = v
}

// answer sorts a cfg event and its response.
func (w *watch) answer(hits []uint64, ev, out []uint64) {
	var c trimmer.Cfg
	trimmer.UnpackCfg(ev, &c)
	trimmer.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	hits[w.kinds.At1(int(c.Kind))]++
	want := frame.Refusal(c.Kind, a, trimmer.NumWords, trimmer.NumRegs)
	if want == frame.RefusedNot && c.Kind == trimmer.KindCfgWrite && a <= trimmer.RegMinSize && c.Data > trimmer.MaxTrim {
		want = frame.RefusedOther
	}
	data := w.reads[0]
	w.reads = append(w.reads[:0], w.reads[1:]...)
	if w.crsp.Refused != (want != frame.RefusedNot) || w.crsp.Data != data || w.crsp.Kind != c.Kind {
		w.Disagree()
	}
	if want != frame.RefusedNot {
		hits[w.refused.At1(want)]++
		return
	}
	w.access.Hit(hits, int(c.Kind)-1, a, 0, 0)
}
