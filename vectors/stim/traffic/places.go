package traffic

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// PortEvent is what happens at one port of the simulated switch, in the order of time.
type PortEvent struct {
	Kind    net.PortKind // arrive, trim, drop or depart
	Port    int          // of the block
	In      int          // of the block: where the packet came in
	Class   egress.Cls   // after trimming
	Size    int          // bytes on the link, after trimming
	Data    bool         // data that no switch has cut yet
	Cut     bool         // this port has cut it
	LastHop bool         // the port faces a host
	Packet  *net.PacketInfo
}

// switchPorts is the location of a block's ports in a simulated network.
type switchPorts struct {
	first   int32 // number of port 0 in the network
	ports   []int32
	lastHop []bool
	inside  []int // by port of the network: that of the block which faces the same neighbour
}

// switchPortsOf returns where a block of that many ports is located: on the ports of the network's first switch, those
// that face hosts first, and if it has more than that switch, on those of the next ones. On the side where packets come
// in, a port that the block does not have is folded onto one that it has.
func switchPortsOf(spec settings.Spec, numPorts int) (*switchPorts, error) {
	layout, err := spec.Layout()
	if err != nil {
		return nil, err
	}
	first := layout.Hosts
	if len(layout.Ports)-first < numPorts {
		return nil, fmt.Errorf("NumPorts = %d: the network's switches have %d ports; give a larger network", numPorts,
			len(layout.Ports)-first)
	}
	p := &switchPorts{first: int32(first), inside: make([]int, len(layout.Ports))}
	for i := range numPorts {
		p.ports = append(p.ports, int32(first+i))
		p.lastHop = append(p.lastHop, int(layout.Ports[first+i].To) < layout.Hosts)
	}
	for i := range layout.Ports {
		p.inside[i] = max(int(layout.Ports[i].Rev)-first, 0) % numPorts
	}
	return p, nil
}

// Ports runs a simulation and calls f for the packets that enter and leave the ports of its switch, as the switch sees
// them, until f returns false. A simulation that ends, with all queues empty, is followed by another of the same kind
// with other draws. It errors when the simulation does, or when it shows nothing.
func Ports(ctx context.Context, spec settings.Spec, numPorts int, f func(*PortEvent) bool) error {
	at, err := switchPortsOf(spec, numPorts)
	if err != nil {
		return err
	}
	var ev PortEvent
	seed, shown, ok := spec.Seed, 0, true
	cuts := map[cutKey]int{}
	tap := func(t *net.PortEvent) {
		if !ok || t.Kind > net.PortDepart {
			return
		}
		shown++
		k := &t.Packet
		port := int(t.Port - at.first)
		ev = PortEvent{
			Kind: t.Kind, Port: port, In: at.inside[k.Link], Class: egress.Cls(2 - k.Class), Size: int(k.Size),
			Data: k.Kind == net.PacketData && !k.Trimmed, LastHop: at.lastHop[port], Packet: k,
		}
		if key := (cutKey{port, k.Conn, k.PSN}); t.Kind == net.PortTrim {
			cuts[key]++
			ev.Cut = true
		} else if k.Trimmed && t.Kind != net.PortArrive && cuts[key] > 0 {
			ev.Cut = true
			if cuts[key]--; cuts[key] == 0 {
				delete(cuts, key)
			}
		}
		ok = f(&ev)
	}
	for n := uint64(1); ok; n++ {
		before := shown
		_, err := fabric.Run(ctx, spec, fabric.WithPortTap(tap, at.ports...),
			fabric.WithTap(func(*cc.Event) bool { return ok }))
		if err != nil || !ok {
			return err
		}
		if shown == before {
			return fmt.Errorf("seed %d: no packet comes to the first %d ports of the switches", spec.Seed, numPorts)
		}
		spec.Seed = seed + n*0x9e3779b97f4a7c15
		clear(cuts)
	}
	return nil
}

// cutKey names a packet that waits in a port, cut by it.
type cutKey struct {
	port int
	conn int32
	psn  uint32
}
