package run

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/gen"
)

// watchers are the observers of one pass over a source.
type watchers struct {
	cases *caseBook
	cover *coverWatch
	float *floatWatch // nil where the source has no picoseconds
	wire  *wireWatch  // nil where the block puts out no packets
}

func newWatchers(e *engine) (*watchers, error) {
	collector, err := cover.New(e.cfg.Block, e.params)
	if err != nil {
		return nil, err
	}
	w := &watchers{cases: newCaseBook(), cover: &coverWatch{c: collector}, wire: newWireWatch(e)}
	name, ok := strings.CutPrefix(e.cfg.Source, "fabric:")
	if !ok || e.cfg.Block != ccc.BlockName || e.cfg.FloatOff {
		return w, nil
	}
	spec, err := gen.FabricSpec(e.cfg.Block, name, e.cfg.Seed)
	if err != nil {
		return nil, err
	}
	shadow, err := newFloatShadow(spec, e.cfg.tickPs(), e.params["NumContexts"])
	if err != nil {
		return nil, err
	}
	tickUs := float64(e.cfg.tickPs()) / 1e6
	w.float = &floatWatch{shadow: shadow, plots: &plotBook{tickUs: tickUs, target: shadow.tick.Target * tickUs}}
	return w, nil
}

func (w *watchers) observers() []observer {
	out := []observer{w.cases, w.cover}
	if w.float != nil {
		out = append(out, w.float)
	}
	if w.wire != nil {
		out = append(out, w.wire)
	}
	return out
}

// fill adds what the observers found to a result.
func (w *watchers) fill(res *report.Result) {
	res.Coverage = w.cover.coverage()
	if w.float != nil {
		res.Float = w.float.shadow.result()
		res.Plots = w.float.plots.plots()
	}
}
