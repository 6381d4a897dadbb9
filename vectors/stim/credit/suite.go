package credit

import (
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/credit"
)

// Suite lists the sources of credit.
var Suite = stim.Suite{Schema: credit.Schema(), Sources: append([]stim.Entry{
	stim.Directed(credit.Schema(), cases),
	stim.RandomScript(credit.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources...)}

// script writes an episode of credit.
type script struct{ *stim.Script }

func on(s *stim.Script) *script { return &script{s} }

func (s *script) event(k credit.Kind, sender, addr int, data uint32) {
	credit.PackEvent(&credit.Event{Kind: k, Sender: uint16(sender), Addr: uint8(addr), Data: data}, s.Put(0, 0))
}

func (s *script) reg(addr int, data uint32) { s.event(credit.KindCfgWrite, 0, addr, data) }

// rest lets that many cycles pass.
func (s *script) rest(cycles int) {
	s.event(credit.KindRead, 0, credit.WordGranted, 0)
	s.Gap(cycles)
}

// readBack reads everything, of many senders the first and the last.
func (s *script) readBack() {
	s.event(credit.KindRead, 0, credit.WordActives, 0)
	s.Gap(40)
	for a := credit.WordActives; a < credit.NumWords; a++ {
		s.event(credit.KindRead, 0, a, 0)
	}
	for a := range credit.NumRegs {
		s.event(credit.KindCfgRead, 0, a, 0)
	}
	n := s.Params["Senders"]
	for k := 0; k < n; k++ {
		if k == 34 && n > 40 {
			k = n - 4
		}
		for a := range credit.WordActives {
			s.event(credit.KindRead, k, a, 0)
		}
	}
}
