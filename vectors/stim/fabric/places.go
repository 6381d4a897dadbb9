package fabric

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// places are the positions in a simulated network at which a block can stand, in order. A switch with at least as many
// ports as the block holds one or more places, filled with ports that face hosts first; ports left over at the end are
// not used. Smaller switches share a place: their ports follow each other, and a switch that does not fit begins in
// one place and continues in the next.
type places struct {
	hosts   int32   // number of the first switch port
	first   []int32 // by place: the port that is the block's port 0
	of      []int16 // by port of a switch: its place, or -1
	lastHop []bool  // by port of a switch: it faces a host
	rev     []int32 // by port of the network: the port of the other direction
	ports   int32   // of the block
}

// placesOf returns the places of a block with that many ports. It errors when the network has fewer ports than the
// block.
func placesOf(spec settings.Spec, numPorts int) (*places, error) {
	layout, err := spec.Layout()
	if err != nil {
		return nil, err
	}
	hosts, all := int32(layout.Hosts), int32(len(layout.Ports))
	if int(all-hosts) < numPorts {
		return nil, fmt.Errorf("NumPorts = %d: the network's switches have %d ports; give a larger network", numPorts,
			all-hosts)
	}
	p := &places{hosts: hosts, of: make([]int16, all-hosts), lastHop: make([]bool, all-hosts), ports: int32(numPorts)}
	for i := range layout.Ports {
		p.rev = append(p.rev, layout.Ports[i].Rev)
	}
	for port := hosts; port < all; port++ {
		p.of[port-hosts] = -1
		p.lastHop[port-hosts] = layout.Ports[port].To < hosts
	}
	take := func(port, n int32) {
		for i := range n {
			p.of[port+i-hosts] = int16(len(p.first))
		}
		p.first = append(p.first, port)
	}
	next := hosts // first port without a place
	for node := layout.Hosts; node < len(layout.First)-1; node++ {
		begin, end := layout.First[node], layout.First[node+1]
		if end-begin >= p.ports {
			for ; end-begin >= p.ports; begin += p.ports {
				take(begin, p.ports)
			}
			next = end
			continue
		}
		for next < end {
			n := min(p.ports, all-next)
			take(next, n)
			next += n
		}
	}
	return p, nil
}

// inside returns the port of the block, at a place, through which a packet on the link comes in: the one that faces the
// sender. Ports that the block lacks are folded onto those that it has.
func (p *places) inside(place int16, link int32) uint8 {
	return uint8(((p.rev[link]-p.first[place])%p.ports + p.ports) % p.ports)
}
