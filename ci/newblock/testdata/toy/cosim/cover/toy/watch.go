// Package toy covers the block toy: every kind, and the count relative to its limit and its maximum.
package toy

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/toy"
)

// Coverage describes the coverage of toy.
var Coverage = cover.Block{Schema: toy.Schema, Watcher: func() cover.Watcher { return &watch{} }}

// Streams as cover.Streams counts them.
const (
	evStream = iota
	rspStream
)

// watch keeps its own account of the count.
type watch struct {
	cover.Streams
	cover.Disagreement
	kind, over, saturated cover.Cross

	count, limit int
	ev           toy.Event
	rsp          toy.Response
}

// Define adds the bins.
func (w *watch) Define(p *cover.Plan, b *event.Block, _ map[string]int) {
	w.Streams.Define(p, b, 0)
	w.kind = p.Add("kind", cover.Labels("ADD READ CLEAR LIMIT 4 5 6 7"))
	w.over = p.Add("count_minus_limit", cover.Labels("below equal one_above above"))
	w.saturated = p.Add("saturated", cover.YesNo)
	w.limit = 1500
}

// Cycle takes a cycle with rst_n high.
func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	if w.Moved(evStream) {
		toy.UnpackEvent(in, &w.ev)
	}
	if !w.Moved(rspStream) {
		return
	}
	toy.UnpackResponse(out, &w.rsp)
	hits[w.kind.At1(int(w.ev.Kind))]++
	sum := w.count
	switch w.ev.Kind {
	case toy.KindAdd:
		sum += int(w.ev.Len)
		hits[w.saturated.At1(cover.Bit(sum > toy.Most))]++
	case toy.KindClear:
		sum = 0
	case toy.KindLimit:
		w.limit = int(w.ev.Len)
	}
	w.count = min(sum, toy.Most)
	d := w.count - w.limit
	hits[w.over.At1(cover.Bit(d >= 0)+cover.Bit(d > 0)+cover.Bit(d > 1))]++
	want := toy.Response{Kind: w.ev.Kind, Count: uint16(w.count), Over: d > 0, Saturated: sum > toy.Most,
		Refused: w.ev.Kind > toy.KindLimit}
	if w.rsp != want {
		w.Differ("after %+v: want %+v, got %+v", w.ev, want, w.rsp)
	}
}

// Reset takes a cycle with rst_n low.
func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	w.Streams.Reset(hits)
	w.count, w.limit = 0, 1500
}
