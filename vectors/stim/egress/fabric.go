package egress

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/traffic"
)

// openFabric feeds egress with the arrivals and departures at a switch of the fabric.
func openFabric(o *stim.Options, name string) (stim.Source, error) {
	spec, err := traffic.Switch.Spec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	return ofSimulation(spec, name, o)
}

// OfSimulation returns a source whose one episode feeds egress with what a switch of the given simulation sees: every
// arrival before admission, and a grant where a packet departs. The registers hold that switch's rules, so block and
// switch must treat every packet alike: only the order of events matters, and the episode keeps it as long as the
// responses are taken at once (DriveSpec.Calm). Marks are the exception: each side draws its own, unless the
// simulation's ECN is deterministic. Options.Events ends it. It errors when the rules do not fit into the registers.
func OfSimulation(spec settings.Spec, o stim.Options) (stim.Source, error) {
	o, err := o.Filled(egress.Schema())
	if err != nil {
		return nil, err
	}
	return ofSimulation(spec, "spec", &o)
}

func ofSimulation(spec settings.Spec, name string, o *stim.Options) (stim.Source, error) {
	rules, err := fields.EgressRules(spec)
	if err != nil {
		return nil, err
	}
	return traffic.NewFeed(egress.BlockName, name, egress.InWords, o, func(f *traffic.Feed) error {
		for addr, v := range rules {
			if w := f.Put(laneEnq, 0, false); w != nil {
				egress.PackEnq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, w)
			}
		}
		id := uint32(0)
		grants, granted := 0, -1 // in a row, of that port
		return traffic.Ports(f.Context, spec, o.Params["NumPorts"], func(e *traffic.PortEvent) bool {
			if e.Kind == net.PortTrim || e.Kind == net.PortDrop {
				return true // the block decides that itself
			}
			if e.Kind == net.PortDepart {
				if e.Port != granted {
					grants = 0
				}
				grants, granted = grants+1, e.Port
				if w := f.Put(laneDeq, 1<<laneEnq, false); w != nil {
					egress.PackDeq(&egress.Deq{Port: uint8(e.Port)}, w)
				}
				return !f.Enough()
			}
			id++
			if w := f.Put(laneEnq, 1<<laneDeq, false); w != nil {
				egress.PackEnq(&egress.Enq{Port: uint8(e.Port), Cls: e.Class, Len: uint16(e.Size), Trimmable: e.Data,
					TrimSize: uint16(min(e.Size, spec.TrimBytes)), Ect: e.Data, LastHop: e.LastHop, Id: id}, w)
				switch {
				case id == 1:
					// Register writes issue one by one; a grant must not overtake a packet that follows them.
					f.Gap(egress.Stall * (egress.InFIFODepth + 1))
				case grants > 1:
					// Grants of one port issue every other cycle; the arrival must not overtake them.
					f.Gap(egress.DeqGap * egress.InFIFODepth)
				}
			}
			grants, granted = 0, -1
			return !f.Enough()
		})
	})
}
