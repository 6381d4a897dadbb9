package ackgen

import (
	"bytes"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Streams of ackgen in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cfgStream
	txStream
	indStream
	cfgrStream
)

// pdcWords is the number of words that each PDC has.
const pdcWords = ackgen.WordFrames

// flow are the bins of jobs.
type flow struct {
	waiting, inds, answers cover.Cross
	at                     struct {
		BackToBack, AccessFirst, HeldByInd, HeldByTx, HeldByBoth, ResetInJob, ResetWithAnswers, TwoBeats int
	}
}

func (f *flow) define(p *cover.Plan) {
	f.waiting = p.Add("packets_waiting_for_a_job", cover.Labels("0 1 2_to_15 16"))
	f.inds = p.Add("inds_in_use", cover.Numbers(0, ackgen.Inds))
	f.answers = p.Add("answers_in_use", cover.Numbers(0, ackgen.Answers))
	p.Places("jobs", cover.Labels(`back_to_back access_before_packet held_by_ind held_by_tx held_by_both reset_in_job
		reset_with_answers answer_of_two_beats`), &f.at)
}

// watch follows beats, jobs, PDCs and registers.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	flow
	in  edge.Intake
	cfg frame.Registers

	pdcs        []pdc
	tick, phase uint32
	requests    cover.Queue[packet]
	end         int64 // cycle in which the job under way ends
	last        int64 // cycle in which the one before ended
	access      []uint64
	packet      packet // whose job runs
	runs        bool
	inds, used  int // credits
	owed        cover.Owed[ackgen.Ind]
	job         job
	answers     cover.Queue[answer]

	rx   ackgen.Rx
	tx   ackgen.Tx
	cev  ackgen.Cfg
	crsp ackgen.Cfgr
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.pdcs = make([]pdc, params["Pdcs"])
	w.Streams.Define(p, b, len(w.pdcs))
	w.bins.define(p)
	w.flow.define(p)
	w.in.Define(p, b.Registers[:ackgen.RegControl+1])
	w.cfg.State = pdcWords
	w.cfg.Define(p, b.Registers, ackgen.NumWords, "value pdc")
	w.clear()
}

// clear is what rst_n low does.
func (w *watch) clear() {
	w.cfg.Clear()
	w.in.Clear()
	clear(w.pdcs)
	w.requests.Clear()
	w.owed.Clear()
	w.answers.Clear()
	w.tick, w.phase, w.access, w.runs = 0, 0, nil, false
	w.end, w.last, w.inds, w.used = w.in.Now(), w.in.Now(), 0, 0
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		w.in.Reset(hits)
		hits.If(w.runs, w.flow.at.ResetInJob)
		hits.If(len(w.answers) > 0, w.flow.at.ResetWithAnswers)
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
	if counted > 0 {
		w.cfg.Inc[ackgen.WordFrames]++
		if counted != ackgen.WordFrames { // passed on, else
			w.cfg.Inc[counted]++
			w.in.Dropped()
		}
	}
	w.jobs(hits)
	if w.phase++; uint64(w.phase) >= w.cfg.Regs[ackgen.RegTick] {
		w.phase = 0
		w.tick++
	}
	w.write(hits)
	if w.Moved(indStream) {
		w.inds--
		w.owed.Meet(&w.Disagreement, "indication", out, ackgen.UnpackInd)
	}
	if w.Moved(txStream) {
		w.sent(hits, out)
	}
	if w.Moved(rxStream) {
		ackgen.UnpackRx(in, &w.rx)
		w.in.Accept(hits, &edge.Beat{Data: w.rx.Data, Keep: w.rx.Keep, Last: w.rx.Last, Tag: w.rx.Tag})
	} else {
		w.in.Idle()
	}
	if ev := w.cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answered(hits, ev, out)
	}
}

// judge decides on the packet that ends, by the registers of this cycle.
func (w *watch) judge(hits cover.Hits, data []byte) {
	p := judge(data, w.cfg.Regs)
	w.DisagreeIf(!w.bins.Sort(hits, &p.Packet, data))
	if p.Reason != edge.Passed {
		w.in.Ended(hits, false, ackgen.WordFrames+p.Reason)
		return
	}
	w.in.Ended(hits, true, ackgen.WordFrames)
	p.tag, p.tick, p.phase, p.ready = w.in.Tag, w.tick, w.phase, w.in.Now()+ackgen.Latency
	w.requests.Push(p)
}

// jobs ends the job under way, or starts the next. The counters go to the next cycle.
func (w *watch) jobs(hits cover.Hits) {
	now := w.in.Now()
	load := -1
	switch {
	case now < w.end:
	case now == w.end && w.access != nil:
		load = w.touch(hits)
	case now == w.end && w.runs:
		w.run(hits)
	default:
		w.start(hits)
	}
	w.cfg.Count(hits, load, w.cev.Data)
}

// start starts the next job, if there is one that may.
func (w *watch) start(hits cover.Hits) {
	now := w.in.Now()
	waiting := 0
	for waiting < len(w.requests) && w.requests[waiting].ready <= now {
		waiting++
	}
	hits[w.waiting.At1(cover.Band(waiting, 1, 2, 16))]++
	hits[w.flow.inds.At1(w.inds)]++
	hits[w.flow.answers.At1(w.used)]++
	if ev := w.cfg.Issue(ackgen.CfgCredits); ev != nil {
		w.access, w.end = ev, now+ackgen.CfgBusy-1
		hits.If(waiting > 0, w.flow.at.AccessFirst)
		return
	}
	if waiting == 0 {
		return
	}
	if w.inds == ackgen.Inds || w.used == ackgen.Answers {
		hits.If(w.used < ackgen.Answers, w.flow.at.HeldByInd)
		hits.If(w.inds < ackgen.Inds, w.flow.at.HeldByTx)
		hits.If(w.inds == ackgen.Inds && w.used == ackgen.Answers, w.flow.at.HeldByBoth)
		return
	}
	hits.If(w.last == now-1, w.flow.at.BackToBack)
	w.packet, w.runs = w.requests.Pop(), true
	w.in.Credits--
	w.inds++
	w.used++
	if w.end = now + ackgen.Busy - 1; w.packet.syn {
		w.end += int64(len(w.pdcs)+ackgen.Lanes-1) / ackgen.Lanes
	}
}

// run plays the job of a packet, which ends in this cycle.
func (w *watch) run(hits cover.Hits) {
	p, j := &w.packet, &w.job
	w.runs, w.last = false, w.in.Now()
	*j = run(p, w.pdcs, w.cfg.Regs, w.tick, w.phase)
	var c *pdc
	if j.k >= 0 {
		c = &w.pdcs[j.k]
	}
	w.DisagreeIf(!w.bins.job(hits, p, j, c, w.cfg.Regs, len(w.pdcs)))
	for _, a := range j.counts[:j.n] {
		w.cfg.Inc[a]++
	}
	w.owed.Push(j.ind)
	if j.answer.n == 0 {
		w.used--
		return
	}
	w.answers.Push(j.answer)
}

// touch plays an access, which ends in this cycle, and returns the counter that it loads, or -1.
func (w *watch) touch(hits cover.Hits) (load int) {
	ackgen.UnpackCfg(w.access, &w.cev)
	w.access, w.last = nil, w.in.Now()
	e := &w.cev
	a, why := int(e.Addr), w.refused(e)
	load, data := -1, uint64(0)
	switch {
	case why != frame.RefusedNot:
	case a < pdcWords && e.Kind == ackgen.KindLoad:
		w.pdcs[e.PDC].load(a, e.Data)
	case a < pdcWords && e.Kind == ackgen.KindRead:
		data = uint64(w.pdcs[e.PDC].word(a))
	default:
		load, data = w.cfg.Look(hits, trimmer.Kind(e.Kind), a)
	}
	w.cfg.Expect(data)
	return load
}

// write writes the register of an access that ended in this cycle: it is in force from the next one on.
func (w *watch) write(hits cover.Hits) {
	if w.last != w.in.Now() || w.cev.Kind != ackgen.KindCfgWrite {
		return
	}
	e := w.cev
	w.cev.Kind = 0 // once
	if a := int(e.Addr); w.refused(&e) == frame.RefusedNot && w.cfg.Write(a, e.Data) && a <= ackgen.RegControl {
		w.in.Wrote(hits, a)
	}
}

// refusedPDC is a refusal that no other block has.
const refusedPDC = frame.RefusedOther + 1

// refused returns why an access is refused.
func (w *watch) refused(c *ackgen.Cfg) int {
	why := frame.Refusal(trimmer.Kind(c.Kind), int(c.Addr), ackgen.NumWords, ackgen.NumRegs)
	switch {
	case why != frame.RefusedNot:
		return why
	case c.Kind == ackgen.KindCfgWrite:
		if c.Addr == ackgen.RegMpr && c.Data&0xff == 0 || c.Addr == ackgen.RegTick && c.Data&0xffff == 0 {
			return frame.RefusedOther
		}
	case c.Kind != ackgen.KindCfgRead && c.Addr < pdcWords && int(c.PDC) >= len(w.pdcs):
		return refusedPDC
	}
	return why
}

func (w *watch) answered(hits cover.Hits, ev, out []uint64) {
	var c ackgen.Cfg
	ackgen.UnpackCfg(ev, &c)
	ackgen.UnpackCfgr(out, &w.crsp)
	right := w.cfg.Answer(hits, trimmer.Kind(c.Kind), int(c.Addr), w.refused(&c), w.crsp.Refused, uint64(w.crsp.Data))
	w.DisagreeIf(!right || w.crsp.Kind != c.Kind)
}

// sent compares a beat of an answer.
func (w *watch) sent(hits cover.Hits, out []uint64) {
	ackgen.UnpackTx(out, &w.tx)
	if len(w.answers) == 0 {
		w.Differ("beat of tag %d: nothing is answered", w.tx.Tag)
		return
	}
	a := &w.answers[0]
	n := min(a.n-a.sent, 64)
	var got, want [64]byte
	for i, x := range w.tx.Data {
		for k := range 8 {
			got[8*i+k] = byte(x >> (8 * k))
		}
	}
	copy(want[:], a.data[a.sent:a.sent+n])
	last := a.sent+n == a.n
	if keep := ^uint64(0) >> (64 - n); !bytes.Equal(got[:], want[:]) || w.tx.Keep != keep || w.tx.Last != last ||
		w.tx.Tag != a.tag {
		w.Differ("beat: want % x, keep %x, last %v, tag %d; got % x, keep %x, last %v, tag %d", want, keep, last, a.tag,
			got, w.tx.Keep, w.tx.Last, w.tx.Tag)
	}
	if last {
		w.used--
		w.answers.Pop()
		return
	}
	hits[w.flow.at.TwoBeats]++
	a.sent += n
}
