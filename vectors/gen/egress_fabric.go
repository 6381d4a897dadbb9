package gen

import "github.com/goldwire/goldwire/vectors/event/egress"

// openEgressFabric feeds egress with the arrivals and departures at a switch of the fabric.
func openEgressFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockEgress, name, o.Seed)
	if err != nil {
		return nil, err
	}
	return newFeed(BlockEgress, name, egress.InWords, o, func(f *feed) error {
		id := uint32(0)
		cfg := func(addr int, v uint32) {
			if w := f.put(laneEnq, 0, false); w != nil {
				egress.PackEnq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, w)
			}
		}
		bdp := uint32(int64(spec.LinkGbps) * int64(spec.EffectiveBaseRTT()) / 8000)
		cfg(egress.RegTrim, bdp)
		cfg(egress.RegTrimLasthop, bdp*3/2)
		cfg(egress.RegKMin, bdp/5)
		cfg(egress.RegKMax, bdp*4/5)
		return portsOfFabric(f.ctx, name, o.Seed, o.Params["NumPorts"], func(e *portEvent) bool {
			if e.depart {
				if w := f.put(laneDeq, 0, false); w != nil {
					egress.PackDeq(&egress.Deq{Port: uint8(e.port)}, w)
				}
				return !f.enough()
			}
			id++
			if w := f.put(laneEnq, 0, false); w != nil {
				egress.PackEnq(&egress.Enq{Port: uint8(e.port), Cls: egress.Cls(e.class), Len: uint16(e.size),
					Trimmable: e.data, Ect: e.ect, LastHop: e.lastHop, Id: id}, w)
			}
			return !f.enough()
		})
	})
}
