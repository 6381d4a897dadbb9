package trimmer

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

func countPacket(p *packet, inc []uint32) {
	inc[0]++
	if p.cause > 0 {
		inc[p.cause]++
	}
	inc[11] += uint32(cover.Bit(p.trimmed && !p.side.LastHop))
	inc[12] += uint32(cover.Bit(p.trimmed && p.side.LastHop))
	inc[13] += uint32(cover.Bit(p.marked))
}

func (w *watch) configure(hits cover.Hits) {
	load := -1
	ev := w.Cfg.Issue(trimmer.CfgCredits)
	if ev != nil {
		trimmer.UnpackCfg(ev, &w.cev)
		var data uint64
		load, data = w.Cfg.Look(hits, w.cev.Kind, int(w.cev.Addr))
		w.Cfg.Expect(data)
	}
	w.Cfg.Count(hits, load, w.cev.Data)
	// A write acts from the next cycle on, on packets released later than this one.
	if ev != nil {
		w.write(hits, &w.cev)
	}
}

func (w *watch) write(hits cover.Hits, ev *trimmer.Cfg) {
	a := int(ev.Addr)
	if ev.Kind != trimmer.KindCfgWrite || a >= trimmer.NumRegs || a <= trimmer.RegMinSize && ev.Data > trimmer.MaxTrim {
		return
	}
	if w.Cfg.Write(a, ev.Data) {
		w.Edges.Write(hits, a)
	}
}

func (w *watch) answer(hits cover.Hits, ev, out []uint64) {
	var c trimmer.Cfg
	trimmer.UnpackCfg(ev, &c)
	trimmer.UnpackCfgr(out, &w.crsp)
	a := int(c.Addr)
	want := frame.Refusal(c.Kind, a, trimmer.NumWords, trimmer.NumRegs)
	if want == frame.RefusedNot && c.Kind == trimmer.KindCfgWrite && a <= trimmer.RegMinSize && c.Data > trimmer.MaxTrim {
		want = frame.RefusedOther
	}
	right := w.Cfg.Answer(hits, c.Kind, a, want, w.crsp.Refused, uint64(w.crsp.Data))
	w.DisagreeIf(!right || w.crsp.Kind != c.Kind)
}
