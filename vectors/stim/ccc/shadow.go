package ccc

import (
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// numKinds is the number of defined event kinds; the codes from here to 15 are refused.
const numKinds = ccc.NumKinds

// shadow is the state that the events given so far leave, as the functional
// model has it. It serves to aim the next event, never to judge one.
type shadow struct {
	spec model.Spec
	cfg  model.Config
	file [ccc.MaxNumProfiles]regs // the registers by profile, as cfg holds them
	st   []model.State
	mir  mirror
}

func newShadow(p map[string]int) *shadow {
	spec := model.Spec{NumContexts: p["NumContexts"], NumPdcs: p["NumPdcs"], NumProfiles: p["NumProfiles"]}
	s := &shadow{spec: spec, st: make([]model.State, spec.NumContexts)}
	s.reset()
	return s
}

// reset is what rst_n low does.
func (s *shadow) reset() {
	s.cfg = s.spec.Config()
	s.keep()
	for i := range s.st {
		s.st[i].Valid, s.st[i].Profile = false, 0
	}
}

// keep copies the registers of the model.
func (s *shadow) keep() {
	for p := range s.spec.NumProfiles {
		s.file[p] = regs(s.cfg.Profile(uint8(p)))
	}
}

// regs returns the registers of a profile; of profile 0 when there is none of that number.
func (s *shadow) regs(profile uint8) *regs {
	if int(profile) >= s.spec.NumProfiles {
		profile = 0
	}
	return &s.file[profile]
}

// profile returns the profile of a context.
func (s *shadow) profile(c uint16) uint8 { return s.st[c].Profile }

// look returns the state of a context, wide enough to calculate with; the result is overwritten by the next call.
func (s *shadow) look(c uint16) *mirror {
	s.mir.set(&s.st[c].Words, &s.st[c].LastRcvd)
	return &s.mir
}

func (s *shadow) apply(ev *ccc.Event, rsp *ccc.Response) {
	var st *model.State
	if int(ev.Ctx) < len(s.st) {
		st = &s.st[ev.Ctx]
	}
	model.Apply(&s.cfg, st, ev, rsp)
	if ev.Kind == ccc.KindCfgWrite && !rsp.Refused {
		s.keep()
	}
}
