package cover

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// refuses says whether a cfg event is refused, by the port itself or by the block that it goes to.
func (w *switchWatch) refuses(x *switchport.Cfg) bool {
	a, kind := int(x.Addr), trimmer.Kind(x.Kind)
	switch x.Target {
	case switchport.TargetEgress:
		return w.egressRefuses(x)
	case switchport.TargetTrimmer:
		return refusal(kind, a, trimmer.NumWords, trimmer.NumRegs) != refusedNot ||
			kind == trimmer.KindCfgWrite && a <= trimmer.RegMinSize && x.Data > trimmer.MaxTrim
	case switchport.TargetIntmd:
		if k := intmd.Kind(x.Kind); k == intmd.KindRateWrite || k == intmd.KindEntryRead {
			return int(x.Port) >= w.ports
		}
		return refusal(kind, a, intmd.NumWords, intmd.NumRegs) != refusedNot
	}
	return true
}

func (w *switchWatch) egressRefuses(x *switchport.Cfg) bool {
	a, k := int(x.Addr), egress.Kind(x.Kind)
	switch k {
	case egress.KindCfgWrite, egress.KindCfgRead:
		return a >= egress.NumRegs
	case egress.KindLoad, egress.KindRead:
		if int(x.Port) >= w.ports || x.Cls >= egress.Classes || a >= egress.NumWords {
			return true
		}
		readOnly := a < 2 || a == egress.WordPortBytes || a == egress.WordSharedBytes || a == egress.WordDrrPtr && x.Data&3 == 3
		return k == egress.KindLoad && readOnly
	}
	return true // a packet comes in at rx
}
