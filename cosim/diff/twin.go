package diff

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fixed"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// twin is the cycle-true model's function of one event, beside fixed point at the contract's formats.
type twin struct {
	spec   model.Spec
	cfg    model.Config
	states []model.State
}

func newTwin(params map[string]int) *twin {
	w := &twin{spec: model.Spec{NumContexts: params["NumContexts"], NumPdcs: params["NumPdcs"],
		NumProfiles: params["NumProfiles"]}}
	w.reset()
	return w
}

func (w *twin) reset() {
	w.cfg = w.spec.Config()
	w.states = make([]model.State, w.spec.NumContexts)
}

// event applies an event that fixed point has just executed and returns how its state differs then, or "".
func (w *twin) event(ev *ccc.Event, got *Party[fixed.Num]) string {
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
