package ccc

import (
	"testing"

	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile/casefiletest"
)

// newApplier returns the functional model of ccc on packed words.
func newApplier(o *stim.Options) func(in, out []uint64) {
	spec := model.Spec{NumContexts: o.Params["NumContexts"], NumPdcs: o.Params["NumPdcs"],
		NumProfiles: o.Params["NumProfiles"]}
	cfg := spec.Config()
	st := make([]model.State, spec.NumContexts)
	return func(in, out []uint64) {
		var ev ccc.Event
		var rsp ccc.Response
		ccc.UnpackEvent(in, &ev)
		var s *model.State
		if int(ev.Ctx) < len(st) {
			s = &st[ev.Ctx]
		}
		model.Apply(&cfg, s, &ev, &rsp)
		ccc.PackResponse(&rsp, out)
	}
}

func TestDirectedCasesHold(t *testing.T) {
	casefiletest.Hold(t, ccc.Schema(), text(), place, newApplier)
}
