package credit

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

// Streams of credit in the order of its schema, inputs before outputs.
const (
	evStream = iota
	rspStream
	pullStream
)

// watch follows events, jobs, senders, lists and the pace.
type watch struct {
	cover.Streams
	cover.Disagreement
	pacer
	bins

	now        int64
	queue      cover.Queue[credit.Event]
	end        int64 // cycle in which the job under way ends
	event      *credit.Event
	pulls      bool // the job under way is that of a pull
	turn       bool
	wait       uint64 // in 2^-16 cycles
	late       int
	used, held int // credits of responses and pulls
	owed       cover.Owed[credit.Response]
	granted    cover.Owed[credit.Pull]
	regs       []uint64
	info       []event.Register
	counts     []uint32
	inc        []uint32

	ev credit.Event
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.senders = make([]sender, params["Senders"])
	w.info, w.regs = b.Registers, make([]uint64, len(b.Registers))
	w.counts, w.inc = make([]uint32, credit.NumWords), make([]uint32, credit.NumWords)
	w.Streams.Define(p, b, len(w.senders))
	w.bins.define(p, len(w.senders))
	w.forget()
}

// forget is what rst_n low does.
func (w *watch) forget() {
	w.pacer.clear()
	for i := range w.regs {
		w.regs[i] = w.info[i].Reset
	}
	clear(w.counts)
	w.queue.Clear()
	w.owed.Clear()
	w.granted.Clear()
	w.end, w.event, w.pulls, w.turn, w.wait, w.late, w.used, w.held = w.now, nil, false, false, 0, 0, 0, 0
	w.long.Clear()
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		hits.If(w.pulls, w.at.ResetInPull)
		hits.If(w.event != nil, w.at.ResetInEvent)
		hits.If(len(w.pacer.active) > 0 && len(w.pacer.idle) > 0, w.at.ResetWithLists)
	}
	w.Streams.Reset(hits)
	w.forget()
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.now++
	load, data := -1, uint32(0)
	switch {
	case w.now < w.end:
		w.pace(w.pulls)
	case w.now == w.end && w.event != nil:
		load, data = w.finish(hits)
		w.pace(false)
	case w.now == w.end && w.pulls:
		w.grant(hits)
	default:
		w.pace(w.start(hits))
	}
	for i, n := range w.inc {
		base := w.counts[i]
		if i == load {
			base = data
		}
		w.counts[i] = base + n
		hits.If(w.counts[i] < base, w.wraps.At1(max(i-credit.WordEvents, 0)))
	}
	clear(w.inc)
	if w.Moved(rspStream) {
		w.used--
		w.owed.Meet(&w.Disagreement, "response", out, credit.UnpackResponse)
	}
	if w.Moved(pullStream) {
		w.held--
		w.granted.Meet(&w.Disagreement, "pull", out, credit.UnpackPull)
	}
	if w.Moved(evStream) {
		w.queue.Accept(in, credit.UnpackEvent)
	}
}

// pace takes wait and late to the next cycle.
func (w *watch) pace(holds bool) {
	switch {
	case holds:
	case w.wait >= 1<<credit.Frac:
		w.wait -= 1 << credit.Frac
	default:
		w.late = min(w.late+1, credit.Slack)
	}
}

// start starts a job if one may, and reports whether it is a pull's.
func (w *watch) start(hits cover.Hits) bool {
	waits := len(w.queue) > 0 && w.used < credit.Credits
	listed := len(w.pacer.active)+len(w.pacer.idle) > 0
	due := w.wait < 1<<credit.Frac && listed
	hits.If(due && w.held == credit.Pulls, w.at.HeldByPull)
	hits.If(len(w.queue) > 0 && w.used == credit.Credits, w.at.HeldByRsp)
	due = due && w.held < credit.Pulls
	hits.If(due && waits && w.turn, w.at.PullFirst)
	hits.If(due && waits && !w.turn, w.at.EventFirst)
	if due && (!waits || w.turn) {
		hits[w.lates.At1(cover.Band(w.late, 1, 2, credit.Slack-1, credit.Slack))]++
		w.pulls, w.turn, w.end = true, false, w.now+credit.PullBusy-1
		w.held++
		return true
	}
	if waits {
		w.ev = w.queue.Pop()
		w.event, w.turn, w.end = &w.ev, true, w.now+credit.EvBusy-1
		w.used++
	}
	return false
}

// finish ends the job of an event; it returns the counter that it loads, or -1.
func (w *watch) finish(hits cover.Hits) (load int, data uint32) {
	e := w.event
	w.event = nil
	f := w.pacer.event(e, w.regs, w.counts)
	w.bins.event(hits, e, &f, &w.pacer)
	w.inc[credit.WordEvents]++
	w.owed.Push(f.Response)
	if e.Kind == credit.KindCfgWrite && !f.Refused {
		w.regs[e.Addr] = uint64(e.Data) & (1<<w.info[e.Addr].Width - 1)
	}
	return f.load, e.Data
}

// grant ends the job of a pull.
func (w *watch) grant(hits cover.Hits) {
	w.pulls = false
	g := w.pacer.pull(w.regs)
	w.bins.grant(hits, &g, w.regs)
	if g.stale {
		w.inc[credit.WordStale]++
		w.held--
		return
	}
	w.inc[credit.WordPulls]++
	w.inc[credit.WordQuanta] += uint32(g.Quanta)
	if g.Slow {
		w.inc[credit.WordSlowPulls]++
	}
	n := uint64(g.Quanta)
	if n == 0 {
		n = credit.Empty
		w.inc[credit.WordEmptyPulls]++
	}
	back := credit.PullBusy
	if w.late < credit.Slack {
		back += w.late
	}
	w.wait += n * w.regs[credit.RegGap]
	if owed := uint64(back) << credit.Frac; w.wait > owed {
		w.wait -= owed
	} else {
		hits.If(w.wait < owed, w.at.FasterThanJobs)
		w.wait = 0
	}
	w.late = 0
	w.granted.Push(g.Pull)
}
