package run

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	stimccc "github.com/goldwire/goldwire/vectors/stim/ccc"
)

// watchers are the observers of one pass over a source.
type watchers struct {
	cases *caseBook
	cover *coverWatch
	ccc   *cccWatch  // nil for the other blocks
	wire  *wireWatch // nil where the block puts out no packets
}

func newWatchers(e *engine) (*watchers, error) {
	collector, err := block.NewCollector(e.cfg.Block, e.params)
	if err != nil {
		return nil, err
	}
	w := &watchers{cases: newCaseBook(), cover: &coverWatch{c: collector}, wire: newWireWatch(e)}
	if e.cfg.Block != ccc.BlockName || e.cfg.FloatOff {
		return w, nil
	}
	w.ccc = newCCCWatch(e.params)
	name, ok := strings.CutPrefix(e.cfg.Source, "fabric:")
	if !ok {
		return w, nil
	}
	spec, err := stimccc.Simulation(name, e.cfg.Seed)
	if err != nil {
		return nil, err
	}
	if w.ccc.shadow, err = precision.NewShadow(contextSI(spec), e.cfg.tickPs()); err != nil {
		return nil, err
	}
	tickUs := float64(e.cfg.tickPs()) / 1e6
	w.ccc.plots = &plotBook{tickUs: tickUs, target: w.ccc.shadow.Target() * tickUs}
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

func (w *watchers) observers() []observer {
	out := []observer{w.cases, w.cover}
	if w.ccc != nil {
		out = append(out, w.ccc)
	}
	if w.wire != nil {
		out = append(out, w.wire)
	}
	return out
}

// fill adds what the observers found to a result. Here is the list of the sections that comparisons supply.
func (w *watchers) fill(res *report.Result) {
	res.Coverage = w.cover.coverage()
	if w.ccc == nil {
		return
	}
	state := w.ccc.step.Result()
	res.Sections = append(res.Sections, state.Section(res.Events))
	if w.ccc.shadow != nil {
		res.Sections = append(res.Sections, w.ccc.shadow.Result().Section(res.Tick, state.Windows))
		if series := w.ccc.plots.series(); len(series) > 0 {
			res.Sections = append(res.Sections, precision.SeriesSection(series))
		}
	}
}
