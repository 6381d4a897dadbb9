package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// Kinds of events of ccc, as far as a view tells them apart.
const (
	viewSend     = 5
	viewCfgWrite = 9
	viewCfgRead  = 10
	viewUnknown  = 14 // and what is above it
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
