package ackparse

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
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

// never is a cycle long before any other.
const never = -1 << 40

// ended is a packet between its end and its count.
type ended struct {
	due    bool
	reason int
	kind   int
}

// watch follows beats, packets and registers and judges every packet when it ends.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	flow
	cfg frame.Registers

	now     int64
	fifo    [ackparse.InFIFODepth]ackparse.Rx
	queued  int // beats in the input FIFO
	credits int // in use
	data    []byte
	tag     uint32
	beats   int // of the packet that issues
	pending [ackparse.Decide + 1]ended
	dropped int            // packets that ended, will be dropped and still have a credit
	records []ackparse.Rec // owed, oldest first
	run     int            // beats accepted in a row
	taken   int            // records taken in a row

	changed int   // register that was written last, to another value
	write   int64 // and the cycle of it
	end     int64 // cycle in which a packet ended last

	rx   ackparse.Rx
	rec  ackparse.Rec
	cev  ackparse.Cfg
	crsp ackparse.Cfgr
}

func (w *watch) Define(p *cover.Plan, b *event.Block, _ map[string]int) {
	w.Streams.Define(p, b, 1)
	w.bins.define(p)
	w.flow.define(p, b.Registers)
	w.cfg.Define(p, b.Registers, ackparse.NumWords, "value")
	w.clear()
}

// clear is what rst_n low does.
func (w *watch) clear() {
	w.cfg.Clear()
	w.flow.long.Clear()
	w.queued, w.credits, w.beats, w.dropped, w.data = 0, 0, 0, 0, w.data[:0]
	w.pending, w.records = [ackparse.Decide + 1]ended{}, w.records[:0]
	w.run, w.taken, w.write, w.end = 0, 0, never, never
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		hits.If(w.beats > 0, w.flow.at.ResetInPacket)
		hits.If(len(w.records) > 0, w.flow.at.ResetWithRecords)
	}
	w.Streams.Reset(hits)
	w.clear()
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.now++
	credits := w.credits
	hits[w.level.At1(credits)]++
	if w.queued > 0 {
		if credits < ackparse.Credits {
			w.issue(hits)
		} else {
			hits[w.flow.at.CreditsOut]++
			hits.If(w.dropped > 0, w.flow.at.DropsBetween)
		}
	}
	due := &w.pending[w.now%int64(len(w.pending))]
	if counted := due.due; counted || w.cfg.Waits() {
		if counted {
			w.count(due)
		}
		w.access(hits)
	}
	if w.Moved(recStream) {
		w.take(hits, out)
	} else {
		w.taken = 0
	}
	if w.Moved(rxStream) {
		ackparse.UnpackRx(in, &w.fifo[w.queued])
		w.queued++
		w.run++
		hits.If(w.run == 64, w.flow.at.FullRate)
	} else {
		w.run = 0
	}
	if ev := w.cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
}

// issue takes the oldest beat out of the FIFO.
func (w *watch) issue(hits cover.Hits) {
	b := &w.fifo[0]
	if w.beats == 0 {
		w.tag, w.data = b.Tag, w.data[:0]
	}
	w.beats++
	n := 64
	if b.Last {
		n = frame.LastBytes(b.Keep)
	}
	at := len(w.data)
	for _, x := range b.Data {
		w.data = binary.LittleEndian.AppendUint64(w.data, x)
	}
	w.data = w.data[:at+n]
	if b.Last {
		w.judge(hits, n)
	}
	w.fifo[0] = w.fifo[1]
	w.queued--
}

// judge decides on the packet whose last beat of n bytes issues, by the registers of this cycle.
func (w *watch) judge(hits cover.Hits, n int) {
	p := judge(w.data, w.cfg.Regs)
	w.DisagreeIf(!w.bins.sort(hits, &p, w.data, w.cfg.Regs))
	through := cover.Bit(p.reason == passed)
	hits[w.flow.beats.At2(cover.Band(w.beats, 2, 3, 4, 5, 6, 16), through)]++
	hits[w.flow.last.At2(n, through)]++
	hits.If(n == 0, w.flow.at.EmptyTail)
	w.flow.long.Count(hits)
	w.pending[(w.now+ackparse.Decide)%int64(len(w.pending))] = ended{true, p.reason, p.kind}
	if p.reason == passed {
		p.rec.Tag = w.tag
		w.records = append(w.records, p.rec)
	} else {
		w.dropped++
	}
	w.credits++
	w.beats = 0
	hits.If(w.write == w.now-1, w.flow.write.At2(w.changed, 0))
	w.end = w.now
}

// count counts a packet, and returns the credit of one that is dropped.
func (w *watch) count(p *ended) {
	w.cfg.Inc[0]++
	if p.reason != passed {
		w.cfg.Inc[p.reason]++
		w.credits--
		w.dropped--
	} else {
		w.cfg.Inc[[...]int{16, 17, 18, 19, 21, 20}[p.kind-first]]++
	}
	p.due = false
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
	// A write acts from the next cycle on.
	if a := int(w.cev.Addr); w.cfg.Write(a, w.cev.Data) {
		w.changed, w.write = a, w.now
		if d := w.now - w.end; d <= 1 {
			hits[w.flow.write.At2(a, 1+int(d))]++
		}
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

// take compares a record.
func (w *watch) take(hits cover.Hits, out []uint64) {
	ackparse.UnpackRec(out, &w.rec)
	w.credits--
	w.taken++
	hits.If(w.taken == 16, w.flow.at.RecordEachCycle)
	if len(w.records) == 0 {
		w.Differ("record of type %d: no packet gives one", w.rec.PdsType)
		return
	}
	if want := w.records[0]; w.rec != want {
		w.Differ("record: want %+v, got %+v", want, w.rec)
	}
	w.records = append(w.records[:0], w.records[1:]...)
}
