package traffic

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// places are the places that a block of a switch takes in a simulated network, one after the other. A switch with more
// ports than the block is several places, each with the block's number of its ports, those that face hosts first. Ports
// that do not fill a place are left out. Smaller switches share a block, whose ports are theirs in order; one whose
// ports do not fit goes on at the next place.
type places struct {
	hosts   int32   // number of the first port of a switch
	first   []int32 // by place: the port that is the block's port 0
	of      []int16 // by port of a switch: its place, -1 for none
	lastHop []bool  // by port of a switch: it faces a host
	rev     []int32 // by port of the network: the one of the other direction
	ports   int32   // of the block
}

// placesOf returns the places of a block of that many ports. It errors when the network has fewer ports than the block.
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
	next := hosts // port without a place
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

// inside returns the port of the block at a place by which a packet comes in: the one that faces the same neighbour as
// its link. A port that the block does not have is folded onto one that it has.
func (p *places) inside(place int16, link int32) uint8 {
	return uint8(((p.rev[link]-p.first[place])%p.ports + p.ports) % p.ports)
}
