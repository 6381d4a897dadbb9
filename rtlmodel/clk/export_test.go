package clk

// Structural lets the external tests drive the structural implementation.
type Structural struct{ s *structural }

func NewStructural(t Timing) Structural { return Structural{newStructural(t)} }

func (s Structural) Cycle(rstN, evValid, rspReady bool, key uint32, class Class, id uint32) (bool, bool, uint32) {
	return s.s.cycle(rstN, evValid, rspReady, event{key, class, id})
}
