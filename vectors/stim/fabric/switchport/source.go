// Package switchport turns the packets that pass simulated switches into the inputs of the block switchport.
package switchport

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of switchport.
var Sources = fabric.Switch.Simulated("N", open)

// Input streams of switchport.
const laneRx, laneGrant, laneCfg = 0, 1, 2

// open feeds a whole port with the packets that pass the switches of the fabric. Thresholds are those of
// a switch whose buffer is that of the block, not that of the fabric; packets that would not find a slot are left out,
// because a block that stops its input has no room for what comes in meanwhile.
func open(o *stim.Options, spec settings.Spec, name, part string) (stim.Source, error) {
	ports, slots := o.Params["NumPorts"], o.Params["Slots"]
	return fabric.NewFeed(fabric.SwitchBlock{Schema: switchport.Schema(), Ports: ports,
		Relief: Relief(nil, ports),
		Begin: func(f *fabric.Feed) func(*fabric.PortEvent) {
			configure(f, slots)
			x := &passage{slots: slots, waiting: make([]int, ports)}
			return func(e *fabric.PortEvent) { x.put(f, e) }
		}}, name, spec, o, part)
}

// configure writes the thresholds of a buffer of that many slots.
func configure(f *fabric.Feed, slots int) {
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
}

// passage turns the events at a switch's ports into packets and grants.
type passage struct {
	slots, inside int
	waiting       []int // by port
	id            uint32
	buf           []byte
	bt            frame.Beat
}

func (x *passage) put(f *fabric.Feed, e *fabric.PortEvent) {
	switch e.Kind {
	case net.PortTrim, net.PortDrop:
		return
	case net.PortDepart:
		if x.waiting[e.Port] > 0 {
			x.waiting[e.Port]--
			x.inside--
		}
		// A grant ahead of its packet would find nothing.
		if w := f.Put(laneGrant, 1<<laneRx, false); w != nil {
			switchport.PackGrant(&switchport.Grant{Port: e.Port}, w)
		}
		return
	}
	if x.inside > x.slots-4 && x.inside > 0 {
		return
	}
	x.inside++
	x.waiting[e.Port]++
	x.id++
	fr := fabric.Frame(&f.Rand, e)
	x.buf = fr.Bytes(&f.Rand, x.buf)
	frame.Beats(&f.Rand, &x.bt, x.buf, false, func(i int, b *frame.Beat) {
		if w := f.Put(laneRx, 0, !b.Last); w != nil {
			switchport.PackRx(&switchport.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Port: e.Port, InPort: e.In,
				Cls: switchport.Cls(e.Class), Trimmable: e.Data, Ect: e.Data, LastHop: e.LastHop, Id: x.id}, w)
		}
	})
}

// Relief appends grants of the first ports of a switch in turn.
func Relief(relief []stim.Item, ports int) []stim.Item {
	for p := range ports {
		w := make([]uint64, switchport.InWords)
		switchport.PackGrant(&switchport.Grant{Port: uint8(p)}, w)
		relief = append(relief, stim.Item{Lane: laneGrant, Words: w})
	}
	return relief
}
