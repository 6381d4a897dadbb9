package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Kinds of events of ccc by which a view decides.
const (
	viewSend     = uint8(ccc.KindSend)
	viewCfgWrite = uint8(ccc.KindCfgWrite)
	viewCfgRead  = uint8(ccc.KindCfgRead)
	viewUnknown  = ccc.NumKinds // and what is above it
)

// View executes the job of a view. Source: contract.md, "View".
func (s *Source) View(v *port.View) {
	switch {
	case v.Kind == viewCfgWrite, v.Kind == viewCfgRead, v.Kind >= viewUnknown, v.Refused, int(v.Ctx) >= s.spec.Contexts:
		return
	}
	c := s.contexts.Row(int(v.Ctx))
	c.canSend = v.CanSend
	if v.Kind == viewSend {
		c.waits = false
	}
	s.list(int(v.Ctx))
}
