package txpdc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Streams of txpdc in the order of its schema, inputs before outputs.
const (
	cmdStream = iota
	recStream
	viewStream
	actStream
	rspStream
)

// Jobs. The first three take turns.
const (
	jobRec = iota
	jobCmd
	jobTurn
	jobView
	jobTimer
	numJobs
	noJob = -1
)

// watch follows jobs, PDCs, contexts and their list.
type watch struct {
	cover.Streams
	cover.Disagreement
	nic
	bins

	cmds  cover.Queue[txpdc.Cmd]
	recs  cover.Queue[txpdc.Rec]
	views cover.Queue[txpdc.View]

	now, end  int64 // cycle, and the last one of the job under way
	job, next int   // the job under way, and which of three is first
	gap       int
	sweep     int
	part      uint64 // cycles of the tick
	acts      int    // credits in use
	rsps      int
	owedActs  cover.Owed[txpdc.Act]
	owedRsps  cover.Owed[txpdc.Response]
	f         effect
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.contexts = make([]context, params["Contexts"])
	w.pdcs = make([]pdc, txpdc.Slots*len(w.contexts))
	w.list = make([]int, 0, len(w.contexts)+1)
	w.sweep = len(w.pdcs) * txpdc.Window
	w.regs = make([]uint64, txpdc.NumRegs)
	w.Streams.Define(p, b, w.sweep)
	w.bins.define(p, len(w.contexts))
	w.forget()
}

// forget is what rst_n low does.
func (w *watch) forget() {
	if w.SinceReset() > 0 {
		w.nic.clear()
	}
	for i := range w.regs {
		w.regs[i] = txpdc.RegInfo[i].Reset
	}
	w.cmds.Clear()
	w.recs.Clear()
	w.views.Clear()
	w.owedActs.Clear()
	w.owedRsps.Clear()
	w.end, w.job, w.next, w.gap, w.part, w.acts, w.rsps = w.now, noJob, 0, 0, 0, 0, 0
	w.long.Clear()
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		w.bins.reset(hits, w.job, len(w.list))
	}
	w.forget()
	w.Streams.Reset(hits)
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.now++
	length := w.regs[txpdc.RegTick] // in force in this cycle
	up := w.SinceReset() > w.sweep
	switch {
	case w.job != noJob && w.now == w.end:
		w.finish(hits)
	case w.job == noJob && up:
		w.start(hits)
	}
	if up && w.gap < txpdc.TimerGap-1 {
		w.gap++
	}
	if w.part++; w.part >= length {
		hits.If(w.part > length, w.at.ShorterTick)
		w.part, w.tick = 0, (w.tick+1)&(1<<48-1)
	}
	if w.Moved(rspStream) {
		w.rsps--
		w.owedRsps.Meet(&w.Disagreement, "response", out, txpdc.UnpackResponse)
	}
	if w.Moved(actStream) {
		w.acts--
		w.owedActs.Meet(&w.Disagreement, "action", out, txpdc.UnpackAct)
	}
	if w.Moved(cmdStream) {
		w.cmds.Accept(in, txpdc.UnpackCmd)
		w.long.Count(hits)
	}
	if w.Moved(recStream) {
		w.recs.Accept(in, txpdc.UnpackRec)
		w.long.Count(hits)
	}
	if w.Moved(viewStream) {
		w.views.Accept(in, txpdc.UnpackView)
	}
}

// start starts the first job that may.
func (w *watch) start(hits cover.Hits) {
	room := w.acts < txpdc.Acts
	wants := [numJobs]bool{jobRec: len(w.recs) > 0, jobCmd: len(w.cmds) > 0, jobTurn: len(w.list) > 0,
		jobView: len(w.views) > 0, jobTimer: w.gap >= txpdc.TimerGap-1}
	may := wants
	for _, j := range []int{jobRec, jobCmd, jobTurn, jobTimer} {
		may[j] = wants[j] && room
	}
	may[jobCmd] = may[jobCmd] && w.rsps < txpdc.Cmds
	w.job = noJob
	switch {
	case may[jobView]:
		w.job = jobView
	case may[jobTimer]:
		w.job = jobTimer
	default:
		for i := range 3 {
			if j := (w.next + i) % 3; may[j] {
				w.job = j
				break
			}
		}
	}
	w.bins.start(hits, w.job, w.next, &wants, &may, room)
	if w.job == noJob {
		return
	}
	busy := [numJobs]int{jobRec: txpdc.RecBusy, jobCmd: txpdc.CmdBusy, jobTurn: txpdc.SendBusy, jobView: txpdc.ViewBusy,
		jobTimer: txpdc.TimerBusy}[w.job]
	switch w.job {
	case jobRec:
		busy += w.unmarks(&w.recs[0])
	case jobCmd:
		w.rsps++
	case jobTimer:
		busy += w.retires()
		w.gap = -1 // 0 in the next cycle
	}
	if w.job != jobView {
		w.acts++
	}
	if w.job < jobView {
		w.next = (w.job + 1) % 3
	}
	w.end = w.now + int64(busy) - 1
}

// finish ends the job under way.
func (w *watch) finish(hits cover.Hits) {
	f := &w.f
	before := f.before // its storage
	*f = effect{why: -1}
	f.before = before
	job := w.job
	w.job = noJob
	switch job {
	case jobRec:
		r := w.recs.Pop()
		w.nic.record(&r, f)
		w.bins.record(hits, &r, f)
	case jobCmd:
		e := w.cmds.Pop()
		w.nic.command(&e, f)
		w.owedRsps.Push(f.rsp)
		w.bins.command(hits, &e, f, w.regs[txpdc.RegPayload])
	case jobTurn:
		w.bins.listed(hits, len(w.list))
		w.nic.turn(f)
		w.bins.turn(hits, f, w.regs[txpdc.RegPayload])
	case jobView:
		v := w.views.Pop()
		var was context
		if int(v.Ctx) < len(w.contexts) {
			was = w.contexts[v.Ctx]
		}
		w.nic.view(&v, f)
		w.bins.view(hits, &v, &was, f, w.applies(&v))
	case jobTimer:
		w.nic.timer(f)
		w.bins.timer(hits, f)
	}
	if f.joined {
		w.joins.Hit(hits, job, 0, 0, 0)
	}
	for _, a := range []int{f.count, f.more} {
		if a > 0 {
			w.count(hits, a)
		}
	}
	if job == jobTurn && f.act.Kind != 0 {
		w.count(hits, txpdc.WordSent)
	}
	switch {
	case f.act.Kind != 0:
		w.owedActs.Push(f.act)
	case job != jobView:
		w.acts--
	}
}

func (w *watch) count(hits cover.Hits, a int) {
	w.counts[a]++
	hits.If(w.counts[a] == 0, w.wraps.At1(a-txpdc.WordSent))
}
