package ackparse

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Streams of ackparse in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cfgStream
	recStream
	cfgrStream
)

// watch follows beats, packets and registers and judges every packet when it ends.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	in  edge.Intake
	cfg frame.Registers
	at  struct{ RecordEachCycle, ResetWithRecords int }

	records cover.Owed[ackparse.Rec]
	taken   int // records taken in a row

	rx   ackparse.Rx
	cev  ackparse.Cfg
	crsp ackparse.Cfgr
}

func (w *watch) Define(p *cover.Plan, b *event.Block, _ map[string]int) {
	w.Streams.Define(p, b, 1)
	w.bins.define(p)
	w.in.Define(p, b.Registers)
	p.Places("records", cover.Labels("record_in_16_cycles_in_a_row reset_with_records"), &w.at)
	w.cfg.Define(p, b.Registers, ackparse.NumWords, "value")
	w.clear()
}

// clear is what rst_n low does.
func (w *watch) clear() {
	w.cfg.Clear()
	w.in.Clear()
	w.records.Clear()
	w.taken = 0
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		w.in.Reset(hits)
		hits.If(len(w.records.Queue) > 0, w.at.ResetWithRecords)
	}
	w.Streams.Reset(hits)
	w.clear()
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	data, counted := w.in.Step(hits)
	if data != nil {
		w.judge(hits, data)
	}
	if counted > 0 || w.cfg.Waits() {
		if counted > 0 {
			w.cfg.Inc[0]++
			w.cfg.Inc[counted]++
			if counted <= pdcid {
				w.in.Dropped()
			}
		}
		w.access(hits)
	}
	if w.Moved(recStream) {
		w.in.Credits--
		w.taken++
		hits.If(w.taken == 16, w.at.RecordEachCycle)
		w.records.Meet(&w.Disagreement, "record", out, ackparse.UnpackRec)
	} else {
		w.taken = 0
	}
	if w.Moved(rxStream) {
		ackparse.UnpackRx(in, &w.rx)
		w.in.Accept(hits, &edge.Beat{Data: w.rx.Data, Keep: w.rx.Keep, Last: w.rx.Last, Tag: w.rx.Tag})
	} else {
		w.in.Idle()
	}
	if ev := w.cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
}

// judge decides on the packet that ends, by the registers of this cycle.
func (w *watch) judge(hits cover.Hits, data []byte) {
	p := judge(data, w.cfg.Regs)
	w.DisagreeIf(!w.bins.sort(hits, &p, data, w.cfg.Regs))
	if p.Reason != edge.Passed {
		w.in.Ended(hits, false, p.Reason)
		return
	}
	p.rec.Tag = w.in.Tag
	w.records.Push(p.rec)
	w.in.Ended(hits, true, [...]int{16, 17, 18, 19, 21, 20}[p.kind-first])
}

func (w *watch) access(hits cover.Hits) {
	load := -1
	ev := w.cfg.Issue(ackparse.CfgCredits)
	if ev != nil {
		ackparse.UnpackCfg(ev, &w.cev)
		var data uint64
		load, data = w.cfg.Look(hits, trimmer.Kind(w.cev.Kind), int(w.cev.Addr))
		w.cfg.Expect(data)
	}
	w.cfg.Count(hits, load, w.cev.Data)
	if ev == nil || w.cev.Kind != ackparse.KindCfgWrite || refused(&w.cev) != frame.RefusedNot {
		return
	}
	if a := int(w.cev.Addr); w.cfg.Write(a, w.cev.Data) {
		w.in.Wrote(hits, a)
	}
}

// refused returns why an access is refused.
func refused(c *ackparse.Cfg) int {
	why := frame.Refusal(trimmer.Kind(c.Kind), int(c.Addr), ackparse.NumWords, ackparse.NumRegs)
	if why != frame.RefusedNot || c.Kind != ackparse.KindCfgWrite {
		return why
	}
	if c.Addr == ackparse.RegAckState && c.Data > ackparse.MaxAckState ||
		c.Addr == ackparse.RegNackState && (c.Data == 0 || c.Data > ackparse.MaxNackState) {
		return frame.RefusedOther
	}
	return why
}

func (w *watch) answer(hits cover.Hits, ev, out []uint64) {
	var c ackparse.Cfg
	ackparse.UnpackCfg(ev, &c)
	ackparse.UnpackCfgr(out, &w.crsp)
	right := w.cfg.Answer(hits, trimmer.Kind(c.Kind), int(c.Addr), refused(&c), w.crsp.Refused, uint64(w.crsp.Data))
	w.DisagreeIf(!right || w.crsp.Kind != c.Kind)
}
