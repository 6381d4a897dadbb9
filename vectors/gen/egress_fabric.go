package gen

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// openEgressFabric feeds egress with the arrivals and departures at a switch of the fabric.
func openEgressFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockEgress, name, o.Seed)
	if err != nil {
		return nil, err
	}
	return egressOfSpec(spec, name, o)
}

// EgressOfFabric returns a source whose one episode feeds egress with what a switch of the given simulation sees: every
// arrival before admission, and a grant where a packet departs. The registers hold that switch's rules, so that block
// and switch must do the same with every packet: the order of events alone decides, and the episode keeps it while the
// responses are taken at once (DriveSpec.Calm). Marks are the exception: each draws its own, unless the simulation's
// ECN is deterministic. Options.Events ends it. It errors when the rules do not fit into the registers.
func EgressOfFabric(spec settings.Spec, o Options) (Source, error) {
	if err := o.fill(BlockEgress); err != nil {
		return nil, err
	}
	return egressOfSpec(spec, "spec", &o)
}

func egressOfSpec(spec settings.Spec, name string, o *Options) (Source, error) {
	rules, err := EgressRules(spec)
	if err != nil {
		return nil, err
	}
	return newFeed(BlockEgress, name, egress.InWords, o, func(f *feed) error {
		for addr, v := range rules {
			if w := f.put(laneEnq, 0, false); w != nil {
				egress.PackEnq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, w)
			}
		}
		id := uint32(0)
		grants, granted := 0, -1 // in a row, of that port
		return portsOfFabric(f.ctx, spec, o.Params["NumPorts"], func(e *portEvent) bool {
			if e.kind == net.PortTrim || e.kind == net.PortDrop {
				return true // the block's own business
			}
			if e.kind == net.PortDepart {
				if e.port != granted {
					grants = 0
				}
				grants, granted = grants+1, e.port
				if w := f.put(laneDeq, 1<<laneEnq, false); w != nil {
					egress.PackDeq(&egress.Deq{Port: uint8(e.port)}, w)
				}
				return !f.enough()
			}
			id++
			if w := f.put(laneEnq, 1<<laneDeq, false); w != nil {
				egress.PackEnq(&egress.Enq{Port: uint8(e.port), Cls: e.class, Len: uint16(e.size), Trimmable: e.data,
					TrimSize: uint16(min(e.size, spec.TrimBytes)), Ect: e.data, LastHop: e.lastHop, Id: id}, w)
				switch {
				case id == 1:
					// Register writes issue one by one; a grant must not overtake a packet behind them.
					f.gap(egress.Stall * (egress.InFIFODepth + 1))
				case grants > 1:
					// Grants of one port issue every other cycle; the arrival must not overtake them.
					f.gap(egress.DeqGap * egress.InFIFODepth)
				}
			}
			grants, granted = 0, -1
			return !f.enough()
		})
	})
}

// EgressRules returns the values of all registers of egress, by address, with which it does what the switches of a
// simulation do. Thresholds are bytes on both sides, and the simulation itself rounds its multiples of the BDP down to
// whole bytes, so that nothing is lost on the way. It errors when the simulation has rules that egress lacks, or a size
// that a register does not hold.
func EgressRules(spec settings.Spec) ([]uint32, error) {
	lack := ""
	switch {
	case spec.WholePackets || spec.QueueBytes+spec.LastHopQueueBytes+spec.CtlQueueBytes+spec.KMinBytes+spec.KMaxBytes > 0:
		lack = "queues in bytes or whole packets; give multiples of the BDP"
	case spec.TierGbps != [2]int{}:
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
	for a, f := range map[int]float64{
		egress.RegTrim: spec.TrimAt, egress.RegTrimLasthop: spec.TrimAtLastHop, egress.RegDropLow: low,
		egress.RegDropMed: spec.CtlDropAt, egress.RegDropHigh: spec.CtlDropAt,
		egress.RegKDet: spec.KDet, egress.RegKMin: spec.KMin, egress.RegKMax: spec.KMax,
	} {
		if f*bdp > math.MaxUint32 {
			return nil, fmt.Errorf("egress rules: %s = %v BDP of %v bytes: the register holds 32 bits", egress.RegInfo[a].Name, f, bdp)
		}
		out[a] = uint32(f * bdp)
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
