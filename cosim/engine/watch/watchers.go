package watch

import (
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/engine/packets"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

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
