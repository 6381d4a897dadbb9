package gen

import (
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// numCCCKinds is the number of defined event kinds; the codes from here to 15
// are refused.
const numCCCKinds = 11

// cccShadow is the state that the events given so far leave, as the functional
// model has it. It serves to aim the next event, never to judge one.
type cccShadow struct {
	cfg model.Config
	st  []model.State
	mir mirror
}

func newCCCShadow(n int) *cccShadow {
	return &cccShadow{cfg: model.DefaultConfig(), st: make([]model.State, n)}
}

// reset is what rst_n low does.
func (s *cccShadow) reset() {
	s.cfg = model.DefaultConfig()
	for i := range s.st {
		s.st[i].Valid = false
	}
}

func (s *cccShadow) regs() *regs { return (*regs)(&s.cfg) }

// look returns the state of a context, wide enough to calculate with; the
// result is overwritten by the next call.
func (s *cccShadow) look(c uint16) *mirror {
	s.mir.set(&s.st[c].Words)
	return &s.mir
}

func (s *cccShadow) apply(ev *ccc.Event, rsp *ccc.Response) {
	var st *model.State
	if int(ev.Ctx) < len(s.st) {
		st = &s.st[ev.Ctx]
	}
	model.Apply(&s.cfg, st, ev, rsp)
}
