package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// words describes an item; its stream is named where there are several.
func (e *engine) words(it *stim.Item) string {
	return itemWords(e.kind.Schema, e.judge, it.Lane, it.Words)
}

// itemWords describes a packed event of an input stream.
func itemWords(b *event.Block, j *score.Judge, lane int, words []uint64) string {
	streams := b.StreamsOf(event.In)
	s := streams[lane].Name
	text := j.Describe(&j.Layout().In, s, words)
	if len(streams) > 1 {
		text = s + ": " + text
	}
	return text
}

// cause returns the input stream whose events the transfers of an output stream answer one by one, or -1.
func (p *ports) cause(out int) int {
	var ins, outs []string
	for i := range p.ins {
		ins = append(ins, p.ins[i].name)
	}
	for i := range p.outs {
		outs = append(outs, p.outs[i].name)
	}
	return elastic.Cause(ins, outs, out)
}

// follower keeps what was accepted since the last reset and how much of it was answered.
type follower struct {
	idle
	p        *player
	events   [][][]uint64 // by input stream: the first transfer of each event
	inside   []bool       // by input stream: the event goes on
	answered []int        // by output stream
}

func (f *follower) begin(*stim.Episode) { f.reset(0) }

func (f *follower) reset(uint64) {
	f.events, f.inside = make([][][]uint64, len(f.p.ins)), make([]bool, len(f.p.ins))
	f.answered = make([]int, len(f.p.outs))
}

func (f *follower) accept(_ uint64, s int, in []uint64, ends bool) {
	if !f.inside[s] {
		f.events[s] = append(f.events[s], append([]uint64(nil), in...))
	}
	f.inside[s] = !ends
}

func (f *follower) respond(_ uint64, s int, _ []uint64, ends bool) {
	if ends {
		f.answered[s]++
	}
}

// eventAt returns the events whose responses are at the ports in a failing cycle, in words, or "". Where
// several streams show one, those that differ count; all of them where res is nil.
func (e *engine) eventAt(rec *recording, at uint64, res *outcome) string {
	f := &follower{}
	p, err := e.playerOf(rec.episode(e.cfg.Block))
	if err != nil {
		return ""
	}
	f.p = p
	f.begin(nil)
	p.watch(f)
	in, out := make([]uint64, p.inWords), make([]uint64, p.outWords)
	for p.cycles < at && p.more(in) {
		p.cycle(in, out)
	}
	if p.cycles < at || !p.more(in) {
		return ""
	}
	events, answered := f.events, append([]int(nil), f.answered...)
	p.cycle(in, out)
	if in[0]&p.rstN == 0 {
		return ""
	}
	differs := func(string) bool { return true }
	if len(p.outs) > 1 && res != nil && res.rtl == nil {
		w := res.Mismatch
		n := int(w.Cycle-w.From) * p.outWords
		diff := e.judge.Diff(w.Want[n:n+p.outWords], w.Got[n:n+p.outWords])
		differs = func(stream string) bool {
			return slices.ContainsFunc(diff, func(d score.Difference) bool { return strings.HasPrefix(d.Name, stream+"_") })
		}
	}
	var texts []string
	for i := range p.outs {
		s, from := &p.outs[i], p.cause(i)
		if out[0]&s.valid == 0 || from < 0 || answered[i] >= len(events[from]) || !differs(s.name) {
			continue
		}
		it := stim.Item{Lane: from, Words: events[from][answered[i]]}
		text := e.words(&it)
		if s.last != nil {
			text = fmt.Sprintf("packet %d of %s", answered[i], text)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}
