package transport

import "github.com/goldwire/goldwire/golden/fabric/net"

// AheadOfReceive implements net's Hosts. It reads what the host that receives the packet has, and nothing of the other
// end of its connection, which may belong to another part of a divided run.
func (s *Hosts) AheadOfReceive(k *net.Packet) uint64 {
	switch k.Kind {
	case net.PacketData:
		r := &s.rx[k.PDC]
		sum := uint64(r.cum) + uint64(s.flows[k.Flow].delivered) + uint64(s.tx[k.PDC].ccc)
		if r.seen != nil {
			sum += r.seen[k.PSN&r.mask>>6]
		}
		return sum
	case net.PacketAck, net.PacketNack:
		t := &s.tx[k.PDC]
		sum := uint64(s.ccc[t.ccc].sentAt)
		if t.ring != nil {
			sum += uint64(t.ring[k.PSN&t.mask].time)
		}
		return sum
	}
	return 0
}

// AheadOfTransmit implements net's Hosts.
func (s *Hosts) AheadOfTransmit(h int32) uint64 {
	ci := s.hosts[h].ready
	if ci < 0 {
		return 0
	}
	c := &s.ccc[ci]
	t := &s.tx[c.pdcs[c.rr]]
	sum := uint64(c.sentAt) + uint64(t.unsent)
	if t.ring != nil {
		sum += uint64(t.ring[t.nxt&t.mask].time)
	}
	return sum
}
