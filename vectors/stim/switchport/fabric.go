package switchport

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
	"github.com/goldwire/goldwire/vectors/stim/traffic"
)

// openFabric feeds a whole port with the packets that pass a switch of the fabric. Thresholds are those of
// a switch whose buffer is that of the block, not that of the fabric; packets that would not find a slot are left out,
// because a block that stops its input has no room for what comes in meanwhile.
func openFabric(o *stim.Options, name string) (stim.Source, error) {
	spec, err := traffic.Switch.Spec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	f, err := traffic.NewFeed(switchport.BlockName, name, switchport.InWords, o, func(f *traffic.Feed) error {
		ports, slots := o.Params["NumPorts"], o.Params["Slots"]
		r := stim.Seeded(o.Seed, switchport.BlockName, name, 1)
		var buf []byte
		var bt frame.Beat
		cfg := func(addr int, v uint32) {
			if w := f.Put(laneCfg, 0, false); w != nil {
				switchport.PackCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindCfgWrite),
					Addr: uint8(addr), Data: v}, w)
			}
		}
		const mtu = 4200
		deep := uint32(slots * mtu)
		cfg(egress.RegTrim, deep/16)
		cfg(egress.RegTrimLasthop, deep/8)
		cfg(egress.RegDropLow, deep/4)
		cfg(egress.RegDropMed, deep/64)
		cfg(egress.RegDropHigh, deep/64)
		cfg(egress.RegShared, deep/2)
		cfg(egress.RegKMin, deep/64)
		cfg(egress.RegKMax, deep/16)
		// Data carries telemetry as well as ACKs.
		if w := f.Put(laneCfg, 0, false); w != nil {
			switchport.PackCfg(&switchport.Cfg{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindCfgWrite),
				Addr: intmd.RegMode, Data: 3}, w)
		}
		id := uint32(0)
		inside, waiting := 0, make([]int, ports)
		return traffic.Ports(f.Context, spec, ports, func(e *traffic.PortEvent) bool {
			switch e.Kind {
			case net.PortTrim, net.PortDrop:
				return true
			case net.PortDepart:
				if waiting[e.Port] > 0 {
					waiting[e.Port]--
					inside--
				}
				// A grant ahead of its packet would find nothing.
				if w := f.Put(laneGrant, 1<<laneRx, false); w != nil {
					switchport.PackGrant(&switchport.Grant{Port: uint8(e.Port)}, w)
				}
				return !f.Enough()
			}
			if inside > slots-4 && inside > 0 {
				return !f.Enough()
			}
			inside++
			waiting[e.Port]++
			id++
			fr := traffic.Frame(&r, e)
			buf = fr.Bytes(&r, buf)
			frame.Beats(&r, &bt, buf, false, func(i int, b *frame.Beat) {
				if w := f.Put(laneRx, 0, !b.Last); w != nil {
					switchport.PackRx(&switchport.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Port: uint8(e.Port),
						InPort: uint8(e.In),
						Cls:    switchport.Cls(e.Class), Trimmable: e.Data, Ect: e.Data, LastHop: e.LastHop, Id: id}, w)
				}
			})
			return !f.Enough()
		})
	})
	if err != nil {
		return nil, err
	}
	f.Episode.Drive.Relief = grantRelief(nil, o.Params["NumPorts"])
	return f, nil
}
