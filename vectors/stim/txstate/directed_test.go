package txstate

import (
	"testing"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile/casefiletest"
)

// newApplier returns the functional model of txstate on packed words.
func newApplier(o *stim.Options) func(in, out []uint64) {
	cfg := model.DefaultConfig()
	n, depth := o.Params["NumPdcs"], o.Params["Depth"]
	st := make([]model.State, n*depth)
	return func(in, out []uint64) {
		var ev txstate.Event
		var rsp txstate.Response
		txstate.UnpackEvent(in, &ev)
		var s *model.State
		if int(ev.PDC) < n {
			s = &st[int(ev.PDC)*depth+int(ev.PSN)%depth]
		}
		model.Apply(&cfg, s, &ev, &rsp)
		txstate.PackResponse(&rsp, out)
	}
}

func TestDirectedCasesHold(t *testing.T) {
	casefiletest.Hold(t, txstate.Schema(), text(), place, newApplier)
}
