package run

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// still is an observer that ignores everything but transfers; others embed it and take what they need.
type still struct{}

func (still) begin(*stim.Episode) {}
func (still) reset(uint64)        {}

// idle ignores transfers, too.
type idle struct{ still }

func (idle) accept(uint64, int, []uint64, bool)  {}
func (idle) respond(uint64, int, []uint64, bool) {}

// caseBook keeps one row per directed case, or one for all episodes of a source.
type caseBook struct {
	still
	rows  []report.Case
	byRow map[string]int
	at    *report.Case

	of             *player // whose cycles and events are counted; nil where the caller counts
	cycles, events uint64  // of it that are counted
}

func newCaseBook() *caseBook { return &caseBook{byRow: map[string]int{}} }

// rowOf returns the row an episode counts in.
func rowOf(episode string) string {
	if strings.HasPrefix(episode, "directed/") {
		return strings.TrimPrefix(episode, "directed/")
	}
	name, _, _ := strings.Cut(episode, "/")
	return name
}

func (b *caseBook) begin(ep *stim.Episode) {
	b.settle()
	name := rowOf(ep.Name)
	i, ok := b.byRow[name]
	if !ok {
		i = len(b.rows)
		b.byRow[name] = i
		b.rows = append(b.rows, report.Case{Name: name})
	}
	b.at = &b.rows[i]
}

// settle counts what the player has played since the last call to the episode begun.
func (b *caseBook) settle() {
	if b.of == nil || b.at == nil {
		return
	}
	b.at.Cycles += b.of.cycles - b.cycles
	b.at.Events += b.of.events - b.events
	b.cycles, b.events = b.of.cycles, b.of.events
}

// table returns the rows.
func (b *caseBook) table() []report.Case {
	b.settle()
	return b.rows
}

// coverWatch feeds the coverage collector, which follows the handshakes itself.
type coverWatch struct {
	still
	c       *cover.Collector
	episode string
	found   *finding // nil: no difference so far
}

func (w *coverWatch) begin(ep *stim.Episode) {
	w.note()
	w.episode = ep.Name
}

func (w *coverWatch) cycle(_ uint64, in, out []uint64) { w.c.Cycle(in, out) }

// check returns an error when a bin was hit that was proved unreachable: the proof or the collector is wrong then,
// or the model where the collector found no difference.
func (w *coverWatch) check() error {
	if r := w.c.Report(); len(r.Impossible) > 0 {
		return fmt.Errorf("coverage follower: it contradicts its proofs, which rule out the bins %s; "+
			"compare proof and follower in cosim/cover with the contract", strings.Join(r.Impossible, ", "))
	}
	return nil
}

// coverage returns the bins hit so far; the unreachable ones are not counted among them.
func (w *coverWatch) coverage() report.Coverage { return coverageOf(w.c.Report(), w.c.Unreachable()) }

// coverageOf returns a collector's report as that of a run.
func coverageOf(r *cover.Report, unreachable []cover.Unreachable) report.Coverage {
	out := report.Coverage{Bins: r.Bins - r.Unreachable, Hit: r.Hit, Missed: r.Missed}
	for _, u := range unreachable {
		out.Unreachable = append(out.Unreachable, report.Unreachable{Bin: u.Bin, Proof: u.Why})
	}
	for _, g := range r.Groups {
		out.Groups = append(out.Groups, report.CoverageGroup{Name: g.Name, Bins: g.Bins - g.Unreachable, Hit: g.Hit})
	}
	return out
}
