package watch

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/packets"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	stimccc "github.com/goldwire/goldwire/vectors/stim/ccc"
)

// Spec is what a pass is watched for.
type Spec struct {
	Block  *event.Block
	Layout *event.Layout
	Params map[string]int
	Source string // a fabric's has times, against which the window of ccc is compared over all of a flow
	Seed   uint64
	TickPs int64 // length of a time tick in ps
	Float  bool  // compare with float64, where the block has such a reference

	Frames func(packets.Frame) error // takes the packets that the device put out; nil for none
	Played uint64                    // cycles of passes before this one, for Frames
}

// All are the observers of one pass over a source.
type All struct {
	Cases   *Cases
	Cover   *Cover
	Packets *packets.Judge // nil where the block puts out no packets
	ccc     *cccWatch      // nil for the other blocks
}

// New returns the observers of a pass.
func New(s Spec) (*All, error) {
	collector, err := block.NewCollector(s.Block.Name, s.Params)
	if err != nil {
		return nil, err
	}
	w := &All{Cases: NewCases(), Cover: NewCover(collector), Packets: packets.New(s.Block, s.Layout, s.Frames, s.Played)}
	if s.Block.Name != ccc.BlockName || !s.Float {
		return w, nil
	}
	w.ccc = newCCCWatch(s.Params)
	name, ok := strings.CutPrefix(s.Source, "fabric:")
	if !ok {
		return w, nil
	}
	spec, err := stimccc.Simulation(name, s.Seed)
	if err != nil {
		return nil, err
	}
	if w.ccc.shadow, err = precision.NewShadow(contextSI(spec), s.TickPs); err != nil {
		return nil, err
	}
	tickUs := float64(s.TickPs) / 1e6
	w.ccc.plots = precision.NewPlots(tickUs, w.ccc.shadow.Target()*tickUs)
	return w, nil
}

// contextSI returns the congestion control's configuration of the contexts of a simulation in SI units.
func contextSI(spec settings.Spec) nscc.Spec {
	si := nscc.DefaultSpec()
	si.SenderGbps = float64(spec.LinkGbps)
	si.ConfigBaseRTTPs = float64(spec.EffectiveBaseRTT())
	si.Trimming = spec.Trim
	si.MTU = float64(spec.MTU)
	si.AckGenTrigger = float64(spec.AckTrigger)
	return si
}

// Watch adds the observers to a player, whose cycles and events the cases count from now on.
func (w *All) Watch(p *play.Player) {
	w.Cases.of = p
	p.Watch(w.Cases)
	p.Watch(w.Cover)
	if w.ccc != nil {
		p.Watch(w.ccc)
	}
	if w.Packets != nil {
		p.Watch(w.Packets)
	}
}

// Fill adds what the observers found to a result.
func (w *All) Fill(res *report.Result) {
	res.Coverage = w.Cover.Coverage()
	if w.ccc == nil {
		return
	}
	state := w.ccc.step.Result()
	res.Sections = append(res.Sections, state.Section(res.Events))
	if w.ccc.shadow != nil {
		res.Sections = append(res.Sections, w.ccc.shadow.Result().Section(res.Tick, state.Windows))
		if series := w.ccc.plots.Result(); len(series) > 0 {
			res.Sections = append(res.Sections, precision.SeriesSection(series))
		}
	}
}
