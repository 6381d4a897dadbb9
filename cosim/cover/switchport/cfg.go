package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// refuses reports whether a cfg event is refused, by the port itself or by the block that it goes to.
func (w *watch) refuses(x *switchport.Cfg) bool {
	a, kind := int(x.Addr), trimmer.Kind(x.Kind)
	switch x.Target {
	case switchport.TargetEgress:
		return w.egressRefuses(x)
	case switchport.TargetTrimmer:
		return frame.Refusal(kind, a, trimmer.NumWords, trimmer.NumRegs) != frame.RefusedNot ||
			kind == trimmer.KindCfgWrite && a <= trimmer.RegMinSize && x.Data > trimmer.MaxTrim
	case switchport.TargetIntmd:
		if k := intmd.Kind(x.Kind); k == intmd.KindRateWrite || k == intmd.KindEntryRead {
			return int(x.Port) >= w.ports
		}
		return frame.Refusal(kind, a, intmd.NumWords, intmd.NumRegs) != frame.RefusedNot
	}
	return true
}

func (w *watch) egressRefuses(x *switchport.Cfg) bool {
	a, k := int(x.Addr), egress.Kind(x.Kind)
	switch k {
	case egress.KindCfgWrite, egress.KindCfgRead:
		return a >= egress.NumRegs
	case egress.KindLoad, egress.KindRead:
		if int(x.Port) >= w.ports || x.Cls >= egress.Classes || a >= egress.NumWords {
			return true
		}
		readOnly := a < 2 || a == egress.WordPortBytes || a == egress.WordSharedBytes ||
			a == egress.WordDrrPtr && x.Data&3 == 3
		return k == egress.KindLoad && readOnly
	}
	return true // a packet comes in at rx
}
