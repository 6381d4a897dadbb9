package fields

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// EgressRules returns the values of all registers of egress, by address, with which it behaves as the switches of a
// simulation. Thresholds are bytes on both sides, and the simulation itself rounds its multiples of the BDP down to
// whole bytes, so the conversion loses nothing. It errors when the simulation has rules that egress lacks, or a size
// that a register does not hold.
func EgressRules(spec settings.Spec) ([]uint32, error) {
	lack := ""
	switch {
	case spec.WholePackets || spec.QueueBytes+spec.LastHopQueueBytes+spec.CtlQueueBytes+spec.KMinBytes+spec.KMaxBytes > 0:
		lack = "queues in bytes or whole packets; give multiples of the BDP"
	case spec.TierGbps != [2]units.Gbps{}:
		lack = "links of several rates, whose ports have thresholds of their own; give one rate"
	case spec.TrimRule == settings.TrimEither:
		lack = "trimming at the tail of the queue; trim what arrives"
	case spec.PFC || spec.DRR != [3]int{}:
		lack = "PFC or DRR of its own; turn them off"
	case spec.ElephantClass == "medium" || spec.Recovery == settings.RecoverSLEEK:
		lack = "data or probes whose class has another limit; take them out"
	}
	if lack != "" {
		return nil, fmt.Errorf("egress rules: the simulation has %s", lack)
	}
	bdp := float64(spec.BDP())
	low := spec.DropAt
	out := make([]uint32, egress.NumRegs)
	for a := range out {
		out[a] = uint32(egress.RegInfo[a].Reset)
	}
	out[egress.RegTrimEn] = 0
	if spec.Trim {
		low = max(spec.TrimAt, spec.TrimAtLastHop)
		out[egress.RegTrimEn] = 1
	}
	for _, x := range []struct {
		reg  int
		bdps float64
	}{
		{egress.RegTrim, spec.TrimAt}, {egress.RegTrimLasthop, spec.TrimAtLastHop}, {egress.RegDropLow, low},
		{egress.RegDropMed, spec.CtlDropAt}, {egress.RegDropHigh, spec.CtlDropAt},
		{egress.RegKDet, spec.KDet}, {egress.RegKMin, spec.KMin}, {egress.RegKMax, spec.KMax},
	} {
		if x.bdps*bdp > math.MaxUint32 {
			return nil, fmt.Errorf("egress rules: %s = %v BDP of %v bytes: the register holds 32 bits",
				egress.RegInfo[x.reg].Name, x.bdps, bdp)
		}
		out[x.reg] = uint32(x.bdps * bdp)
	}
	out[egress.RegSched] = uint32(egress.SchedStrict) // the simulation's, without DRR
	out[egress.RegShared] = math.MaxUint32            // ports of the simulation share nothing
	out[egress.RegSeed] = uint32(spec.Seed)
	switch spec.ECN {
	case settings.ECNDeterministic:
		out[egress.RegECNMode] = uint32(egress.ECNModeDeterministic)
	case settings.ECNProbabilistic:
		out[egress.RegECNMode] = uint32(egress.ECNModeProbabilistic)
	default:
		out[egress.RegECNMode] = uint32(egress.ECNModeOff)
	}
	return out, nil
}
