package gen

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// openSwitchFabric feeds a whole port with the packets that pass a switch of the fabric. Thresholds are those of
// a switch whose buffer is that of the block, not that of the fabric; packets that would not find a slot are
// left out, as a block that stops its input has no place for what comes in meanwhile.
func openSwitchFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockSwitch, name, o.Seed)
	if err != nil {
		return nil, err
	}
	f, err := newFeed(BlockSwitch, name, switchport.InWords, o, func(f *feed) error {
		ports, slots := o.Params["NumPorts"], o.Params["Slots"]
		r := seeded(o.Seed, BlockSwitch, name, 1)
		var buf []byte
		var bt beat
		cfg := func(addr int, v uint32) {
			if w := f.put(laneSwitchCfg, 0, false); w != nil {
				switchport.PackCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, w)
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
		if w := f.put(laneSwitchCfg, 0, false); w != nil {
			switchport.PackCfg(&switchport.Cfg{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindCfgWrite), Addr: intmd.RegMode, Data: 3}, w)
		}
		id := uint32(0)
		inside, waiting := 0, make([]int, ports)
		return portsOfFabric(f.ctx, spec, ports, func(e *portEvent) bool {
			switch e.kind {
			case net.PortTrim, net.PortDrop:
				return true
			case net.PortDepart:
				if waiting[e.port] > 0 {
					waiting[e.port]--
					inside--
				}
				// A grant ahead of its packet would find nothing.
				if w := f.put(laneGrant, 1<<laneRx, false); w != nil {
					switchport.PackGrant(&switchport.Grant{Port: uint8(e.port)}, w)
				}
				return !f.enough()
			}
			if inside > slots-4 && inside > 0 {
				return !f.enough()
			}
			inside++
			waiting[e.port]++
			id++
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneRx, 0, !b.last); w != nil {
					switchport.PackRx(&switchport.Rx{Data: b.data, Keep: b.keep, Last: b.last, Port: uint8(e.port), InPort: uint8(e.in),
						Cls: switchport.Cls(e.class), Trimmable: e.data, Ect: e.data, LastHop: e.lastHop, Id: id}, w)
				}
			})
			return !f.enough()
		})
	})
	if err != nil {
		return nil, err
	}
	f.ep.Drive.Relief = grantRelief(nil, o.Params["NumPorts"])
	return f, nil
}
