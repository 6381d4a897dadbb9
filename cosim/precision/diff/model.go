package diff

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fixed"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// cycleModel is the cycle-true model's function of one event, beside fixed point at the contract's formats.
type cycleModel struct {
	spec   model.Spec
	cfg    model.Config
	states []model.State

	compared uint64 // events
}

func newCycleModel(params map[string]int) *cycleModel {
	w := &cycleModel{spec: model.Spec{NumContexts: params["NumContexts"], NumPdcs: params["NumPdcs"],
		NumProfiles: params["NumProfiles"]}}
	w.reset()
	return w
}

func (w *cycleModel) reset() {
	w.cfg = w.spec.Config()
	w.states = make([]model.State, w.spec.NumContexts)
}

// event applies an event that fixed point has just executed and returns how its state differs then, or "".
func (w *cycleModel) event(ev *ccc.Event, got *Party[fixed.Num]) string {
	var rsp ccc.Response
	var st *model.State
	if int(ev.Ctx) < len(w.states) {
		st = &w.states[ev.Ctx]
	}
	model.Apply(&w.cfg, st, ev, &rsp)
	if rsp != got.Last {
		return fmt.Sprintf("response: want %+v (model), got %+v (fixed)", rsp, got.Last)
	}
	if st == nil {
		return ""
	}
	c := got.Context(ev.Ctx)
	if c.Valid != st.Valid {
		return fmt.Sprintf("context valid: want %v (model), got %v (fixed)", st.Valid, c.Valid)
	}
	if !st.Valid {
		return ""
	}
	want, have := st.Words, got.Words(c, ev.PDC)
	if int(ev.PDC) < w.spec.NumPdcs {
		want.LastRcvd = st.LastRcvd[ev.PDC]
	}
	if want != have {
		return fmt.Sprintf("state: want %+v (model), got %+v (fixed)", want, have)
	}
	return ""
}
