package watch

import (
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/precision"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// cccWatch follows the contexts of ccc in the order of acceptance and has every event judged by the float reference:
// each from the state that the model had before it.
type cccWatch struct {
	play.Idle
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

func newCCCWatch(params map[string]int) *cccWatch {
	spec := rtlccc.Spec{NumContexts: params["NumContexts"], NumPdcs: params["NumPdcs"], NumProfiles: params["NumProfiles"]}
	return &cccWatch{
		spec: spec, cfg: spec.Config(), states: make([]rtlccc.State, spec.NumContexts),
		step: precision.NewStep(spec.NumProfiles),
	}
}

// Begin begins an episode.
func (w *cccWatch) Begin(n uint64, ep *stim.Episode) {
	w.ep = ep
	w.Reset(n)
}

// Reset forgets all contexts.
func (w *cccWatch) Reset(uint64) {
	clear(w.states)
	w.cfg = w.spec.Config()
	w.step.Reset()
}

// Accept takes an event.
func (w *cccWatch) Accept(_ uint64, _ int, words []uint64, _ bool) {
	ccc.UnpackEvent(words, &w.ev)
	ev := &w.ev
	if int(ev.Ctx) >= len(w.states) {
		rtlccc.Apply(&w.cfg, nil, ev, &w.rsp)
		w.before, w.after = precision.Context{}, precision.Context{} // registers have no context
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

// contextOf shows a context with the last_rcvd of one slot, which may be none.
func contextOf(c *precision.Context, st *rtlccc.State, slot uint8) {
	c.Valid, c.Words = st.Valid, st.Words
	if int(slot) < len(st.LastRcvd) {
		c.Words.LastRcvd = st.LastRcvd[slot]
	}
}
