// Package ccc follows the contexts of ccc while its model is played, and has each event judged by the float reference
// from the state that the model had before it: in tick inputs on every source, and in picoseconds on those of the
// simulated network.
//
//	var congestion = block.Block{Float: &block.Float{New: ccc.New, Due: ccc.Due}}
package ccc

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	stimulus "github.com/goldwire/goldwire/vectors/stim/fabric/ccc"
)

// Due returns the keys of the sections that a run of a source must have.
func Due(source string) []string {
	if strings.HasPrefix(source, stim.Fabric) {
		return []string{precision.StateKey, precision.FloatKey}
	}
	return []string{precision.StateKey}
}

// New returns the comparison of one pass over a source, whose time ticks last tickPs picoseconds. A simulated network
// has times in picoseconds, against which the window is compared over all of a flow; New errors when there is no
// network of the source's name.
func New(params map[string]int, source string, seed uint64, tickPs int64) (*Watch, error) {
	w := newWatch(params)
	name, ok := strings.CutPrefix(source, stim.Fabric)
	if !ok {
		return w, nil
	}
	spec, err := stimulus.Simulation(name, seed)
	if err != nil {
		return nil, err
	}
	if w.shadow, err = precision.NewShadow(contextSI(spec), tickPs); err != nil {
		return nil, err
	}
	tickUs := float64(tickPs) / 1e6
	w.plots = precision.NewPlots(tickUs, w.shadow.Target()*tickUs)
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
	si.RCCC = spec.CC == fields.Both || spec.CC == fields.RCCC
	return si
}

// Watch follows the contexts of ccc in the order of acceptance and has every event judged by the float reference:
// each from the state that the model had before it.
type Watch struct {
	spec   rtlccc.Spec
	cfg    rtlccc.Config
	states []rtlccc.State
	step   *precision.Step

	shadow *precision.Shadow // nil where the source has no picoseconds
	plots  *precision.Plots

	ep            *stim.Episode
	ev            ccc.Event
	rsp           ccc.Response
	before, after precision.Context
}

func newWatch(params map[string]int) *Watch {
	spec := rtlccc.Spec{NumContexts: params["NumContexts"], NumPdcs: params["NumPdcs"], NumProfiles: params["NumProfiles"]}
	return &Watch{
		spec: spec, cfg: spec.Config(), states: make([]rtlccc.State, spec.NumContexts),
		step: precision.NewStep(spec.NumProfiles),
	}
}

// Begin begins an episode.
func (w *Watch) Begin(n uint64, ep *stim.Episode) {
	w.ep = ep
	w.Reset(n)
}

// Reset forgets all contexts.
func (w *Watch) Reset(uint64) {
	clear(w.states)
	w.cfg = w.spec.Config()
	w.step.Reset()
}

// Accept takes an event.
func (w *Watch) Accept(_ uint64, _ int, words []uint64, _ bool) {
	ccc.UnpackEvent(words, &w.ev)
	ev := &w.ev
	if int(ev.Ctx) >= len(w.states) {
		rtlccc.Apply(&w.cfg, nil, ev, &w.rsp)
		w.before, w.after = precision.Context{}, precision.Context{} // register events have no context
		w.step.Event(&w.before, &w.after, ev, &w.rsp)
		return
	}
	st := &w.states[ev.Ctx]
	contextOf(&w.before, st, ev.PDC)
	rtlccc.Apply(&w.cfg, st, ev, &w.rsp)
	contextOf(&w.after, st, ev.PDC)
	w.step.Event(&w.before, &w.after, ev, &w.rsp)

	if w.shadow == nil {
		return
	}
	// The driver has not asked for the next event yet: the times are still this one's.
	now, tx, timed := w.ep.Picos()
	if !timed {
		return
	}
	if w.before.Valid && !w.rsp.Refused {
		w.shadow.Event(ev, now, tx, &w.before, &w.rsp)
	}
	w.plots.Add(ev, &w.rsp, now)
}

// Respond ignores the answers, because the model's follow from its events.
func (w *Watch) Respond(uint64, int, []uint64, bool) {}

// Sections returns what was found in a run of that many events and that tick.
func (w *Watch) Sections(events uint64, tick string) []report.Section {
	state := w.step.Result()
	out := []report.Section{state.Section(events)}
	if w.shadow != nil {
		out = append(out, w.shadow.Result().Section(tick, state.Windows))
		if series := w.plots.Result(); len(series) > 0 {
			out = append(out, precision.SeriesSection(series))
		}
	}
	return out
}

// contextOf returns a context with the last_rcvd of one slot, if there is one.
func contextOf(c *precision.Context, st *rtlccc.State, slot uint8) {
	c.Valid, c.Words = st.Valid, st.Words
	if int(slot) < len(st.LastRcvd) {
		c.Words.LastRcvd = st.LastRcvd[slot]
	}
}
