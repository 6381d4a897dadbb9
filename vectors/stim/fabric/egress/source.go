// Package egress turns what enters and leaves the ports of simulated switches into the events of the block egress.
package egress

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// Sources lists the sources fabric:NAME of egress.
var Sources = fabric.Switch.Simulated("N", open)

// Input streams of egress.
const laneEnq, laneDeq = 0, 1

// open feeds egress with the arrivals and departures at the switches of the fabric.
func open(o *stim.Options, spec settings.Spec, name, part string) (stim.Source, error) {
	b, err := ofSwitch(spec, o)
	if err != nil {
		return nil, err
	}
	return fabric.NewFeed(b, name, spec, o, part)
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
	b, err := ofSwitch(spec, &o)
	if err != nil {
		return nil, err
	}
	return fabric.NewLong(b, "spec", spec, &o)
}

func ofSwitch(spec settings.Spec, o *stim.Options) (fabric.SwitchBlock, error) {
	rules, err := fields.EgressRules(spec)
	if err != nil {
		return fabric.SwitchBlock{}, err
	}
	return fabric.SwitchBlock{Schema: egress.Schema(), Ports: o.Params["NumPorts"],
		Begin: func(f *fabric.Feed) func(*fabric.PortEvent) {
			for addr, v := range rules {
				if w := f.Put(laneEnq, 0, false); w != nil {
					egress.PackEnq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, w)
				}
			}
			x := &crossing{trimBytes: spec.TrimBytes, granted: -1}
			return func(e *fabric.PortEvent) { x.put(f, e) }
		}}, nil
}

// crossing turns the events at a switch's ports into items.
type crossing struct {
	trimBytes int
	id        uint32
	grants    int // in a row, of port granted
	granted   int
}

func (x *crossing) put(f *fabric.Feed, e *fabric.PortEvent) {
	switch e.Kind {
	case net.PortTrim, net.PortDrop:
		return // the block decides that itself
	case net.PortDepart:
		if int(e.Port) != x.granted {
			x.grants = 0
		}
		x.grants, x.granted = x.grants+1, int(e.Port)
		if w := f.Put(laneDeq, 1<<laneEnq, false); w != nil {
			egress.PackDeq(&egress.Deq{Port: e.Port}, w)
		}
		return
	}
	x.id++
	if w := f.Put(laneEnq, 1<<laneDeq, false); w != nil {
		egress.PackEnq(&egress.Enq{Port: e.Port, Cls: e.Class, Len: e.Size, Trimmable: e.Data,
			TrimSize: min(e.Size, uint16(x.trimBytes)), Ect: e.Data, LastHop: e.LastHop, Id: x.id}, w)
		switch {
		case x.id == 1:
			// Register writes issue one by one; a grant must not overtake a packet that follows them.
			f.Gap(egress.Stall * (egress.InFIFODepth + 1))
		case x.grants > 1:
			// Grants of one port issue every other cycle; the arrival must not overtake them.
			f.Gap(egress.DeqGap * egress.InFIFODepth)
		}
	}
	x.grants, x.granted = 0, -1
}
