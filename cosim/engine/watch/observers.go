package watch

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/engine/packets"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Cases keeps one row per directed case, or one for all episodes of a source.
type Cases struct {
	play.Still
	rows  []report.Case
	byRow map[string]int
	at    *report.Case

	of             *play.Player // its cycles and events are counted; nil if the caller counts
	cycles, events uint64       // of it that are counted
}

// NewCases returns a table without rows.
func NewCases() *Cases { return &Cases{byRow: map[string]int{}} }

// rowOf returns the row an episode counts in.
func rowOf(episode string) string {
	if strings.HasPrefix(episode, "directed/") {
		return strings.TrimPrefix(episode, "directed/")
	}
	name, _, _ := strings.Cut(episode, "/")
	return name
}

// Begin begins an episode.
func (b *Cases) Begin(_ uint64, ep *stim.Episode) {
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
func (b *Cases) settle() {
	if b.of == nil || b.at == nil {
		return
	}
	b.at.Cycles += b.of.Cycles - b.cycles
	b.at.Events += b.of.Events - b.events
	b.cycles, b.events = b.of.Cycles, b.of.Events
}

// Count counts cycles and events of the episode begun.
func (b *Cases) Count(cycles, events uint64) {
	b.at.Cycles += cycles
	b.at.Events += events
}

// Fail marks the row of an episode, with the message of the first of its episodes that fails.
func (b *Cases) Fail(episode string, message func() string) {
	i, ok := b.byRow[rowOf(episode)]
	if ok && !b.rows[i].Failed {
		b.rows[i].Failed, b.rows[i].Message = true, message()
	}
}

// Table returns the rows.
func (b *Cases) Table() []report.Case {
	b.settle()
	return b.rows
}

// Cover feeds the coverage collector, which follows the handshakes itself.
type Cover struct {
	play.Still
	C       *cover.Collector
	episode string
	found   *Finding // nil: no difference so far
}

// NewCover returns the observer of a collector.
func NewCover(c *cover.Collector) *Cover { return &Cover{C: c} }

// Begin begins an episode.
func (w *Cover) Begin(_ uint64, ep *stim.Episode) {
	w.note()
	w.episode = ep.Name
}

// Cycle takes one cycle.
func (w *Cover) Cycle(_ uint64, in, out []uint64) { w.C.Cycle(in, out) }

// Check returns an error if a bin was hit that was proved unreachable. Then the proof or the collector is wrong or, if
// the collector found no difference, the model.
func (w *Cover) Check() error {
	if r := w.C.Report(); len(r.Impossible) > 0 {
		return fmt.Errorf("coverage follower: it contradicts its proofs, which rule out the bins %s; "+
			"compare proof and follower in cosim/cover with the contract", strings.Join(r.Impossible, ", "))
	}
	return nil
}

// Coverage returns the bins hit so far, without the unreachable ones.
func (w *Cover) Coverage() report.Coverage { return CoverageOf(w.C.Report(), w.C.Unreachable()) }

// CoverageOf returns a collector's report as that of a run.
func CoverageOf(r *cover.Report, unreachable []cover.Unreachable) report.Coverage {
	out := report.Coverage{Bins: r.Bins - r.Unreachable, Hit: r.Hit, Missed: r.Missed}
	for _, u := range unreachable {
		out.Unreachable = append(out.Unreachable, report.Unreachable{Bin: u.Bin, Proof: u.Why})
	}
	for _, g := range r.Groups {
		out.Groups = append(out.Groups, report.CoverageGroup{Name: g.Name, Bins: g.Bins - g.Unreachable, Hit: g.Hit})
	}
	return out
}

// Spec configures the observers of a pass.
type Spec struct {
	Block  *event.Block
	Layout *event.Layout
	Params map[string]int
	Source string // a fabric source has times, so the window of ccc is compared over whole flows
	Seed   uint64
	TickPs int64 // length of a time tick in ps
	Float  bool  // compare with float64, if the block has such a reference

	Frames func(packets.Frame) error // takes the packets that the device put out; nil for none
	Played uint64                    // cycles of passes before this one, for Frames
}

// All are the observers of one pass over a source.
type All struct {
	Cases   *Cases
	Cover   *Cover
	Packets *packets.Judge   // nil if the block does not put out packets
	float   block.FloatWatch // nil if the block has no such comparison
	// Outcomes judges directed cases; nil for another source.
	Outcomes *Outcomes
}

// New returns the observers of a pass.
func New(s Spec) (*All, error) {
	kind, err := block.Lookup(s.Block.Name)
	if err != nil {
		return nil, err
	}
	w := &All{Cases: NewCases(), Cover: NewCover(cover.New(kind.Coverage, s.Params)),
		Packets: packets.New(s.Block, s.Layout, s.Frames, s.Played)}
	if s.Source == "directed" {
		w.Outcomes = NewOutcomes(s.Params)
	}
	if kind.Float == nil || !s.Float {
		return w, nil
	}
	w.float, err = kind.Float.New(s.Params, s.Source, s.Seed, s.TickPs)
	return w, err
}

// Watch adds the observers to a player, whose cycles and events the cases count from now on.
func (w *All) Watch(p *play.Player) {
	w.Cases.of = p
	p.Watch(w.Cases)
	p.Watch(w.Cover)
	if w.float != nil {
		p.Watch(w.float)
	}
	if w.Packets != nil {
		p.Watch(w.Packets)
	}
	if w.Outcomes != nil {
		p.Watch(w.Outcomes)
	}
}

// Fill adds what the observers found to a result.
func (w *All) Fill(res *report.Result) {
	res.Coverage = w.Cover.Coverage()
	if w.Outcomes != nil {
		res.Sections = append(res.Sections, w.Outcomes.Section())
	}
	if w.float != nil {
		res.Sections = append(res.Sections, w.float.Sections(res.Events, res.Tick)...)
	}
}
