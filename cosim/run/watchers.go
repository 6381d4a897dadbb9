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
}

func newWatchers(e *engine) (*watchers, error) {
	collector, err := cover.New(e.cfg.Block, e.params)
	if err != nil {
		return nil, err
	}
	w := &watchers{cases: newCaseBook(), cover: &coverWatch{c: collector}}
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

// coverWatch feeds the coverage collector, which works the handshakes out by itself.
type coverWatch struct {
	idle
	c *cover.Collector
}

func (w *coverWatch) cycle(_ uint64, in, out []uint64) { w.c.Cycle(in, out) }

// coverage returns the bins hit so far; the unreachable ones are not counted among them.
func (w *coverWatch) coverage() report.Coverage {
	r := w.c.Report()
	out := report.Coverage{Bins: r.Bins - r.Unreachable, Hit: r.Hit, Missed: r.Missed}
	for _, u := range w.c.Unreachable() {
		out.Unreachable = append(out.Unreachable, report.Unreachable{Bin: u.Bin, Proof: u.Why})
	}
	for _, g := range r.Groups {
		out.Groups = append(out.Groups, report.CoverageGroup{Name: g.Name, Bins: g.Bins - g.Unreachable, Hit: g.Hit})
	}
	return out
}
