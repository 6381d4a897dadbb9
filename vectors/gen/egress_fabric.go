package gen

import (
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// openEgressFabric feeds egress with the arrivals and departures at a switch of the fabric.
func openEgressFabric(o *Options, name string) (Source, error) {
	spec, err := SwitchSpec(name, o.Seed)
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
func EgressOfFabric(spec fabric.Spec, o Options) (Source, error) {
	o, err := o.Filled(egress.Schema())
	if err != nil {
		return nil, err
	}
	return egressOfSpec(spec, "spec", &o)
}

func egressOfSpec(spec fabric.Spec, name string, o *Options) (Source, error) {
	rules, err := units.EgressRules(spec)
	if err != nil {
		return nil, err
	}
	return newFeed(egress.BlockName, name, egress.InWords, o, func(f *feed) error {
		for addr, v := range rules {
			if w := f.put(laneEnq, 0, false); w != nil {
				egress.PackEnq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, w)
			}
		}
		id := uint32(0)
		grants, granted := 0, -1 // in a row, of that port
		return portsOfFabric(f.ctx, spec, o.Params["NumPorts"], func(e *portEvent) bool {
			if e.kind == fabric.PortTrim || e.kind == fabric.PortDrop {
				return true // the block's own business
			}
			if e.kind == fabric.PortDepart {
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
