package fabric

import "github.com/goldwire/goldwire/golden/units"

// path returns the links of the way that a packet of connection 0 and entropy 0
// takes from host a to host b, none when there is no way.
func (s *sim) path(a, b int32) []*port {
	var out []*port
	k := packet{dst: b}
	for at := a; ; {
		p := &s.ports[at]
		out = append(out, p)
		if p.to == b {
			return out
		}
		if int(p.to) < len(s.hosts) || len(out) > 64 {
			return nil
		}
		if at = s.route(&s.switches[int(p.to)-len(s.hosts)], &k); at < 0 {
			return nil
		}
	}
}

// roundTrip returns the unloaded round trip of one MTU and its ACK between two
// hosts, the run's base RTT when there is no way.
func (s *sim) roundTrip(a, b int32) units.Picos {
	sum := units.Picos(0)
	for _, p := range s.path(a, b) {
		sum += 2*p.latency + p.perByte*units.Picos(s.spec.MTU+s.spec.CtlBytes)
	}
	if sum == 0 {
		return s.baseRTT
	}
	return sum
}

// ideal returns the least time from start to the last acknowledgement of flow f:
// alone in the network its packets keep the slowest link busy, the last one
// crosses the others unhindered and so does its ACK; 0 when there is no way.
func (s *sim) ideal(f *flow, src, dst int32) units.Picos {
	full, last := units.Picos(s.spec.MTU), units.Picos(f.last)+units.Picos(s.spec.HeaderBytes)
	sum, ser, slowest, end := units.Picos(0), units.Picos(0), units.Picos(0), units.Picos(0)
	for _, p := range s.path(src, dst) {
		slowest = max(slowest, p.perByte)
		sum += 2*p.latency + p.perByte*units.Picos(s.spec.CtlBytes)
		ser += p.perByte
		end = p.perByte
	}
	// A short last packet may overtake the full one before it, on another path.
	one := ser*last + units.Picos(f.packets-1)*full*slowest
	if f.packets > 1 {
		one = max(one, ser*full+units.Picos(f.packets-2)*full*slowest)
		// All share the last link, which begins when the first full packet or the short
		// one is there and then has all bytes to carry.
		head := ser - end
		short := units.Picos(f.packets-1)*full*s.ports[src].perByte + head*last
		one = max(one, min(head*full, short)+(units.Picos(f.packets-1)*full+last)*end)
	}
	if f.packets > 1 && s.spec.onePath() {
		// In one queue after another none overtakes: the last packet meets the one
		// before it in some queue and waits there.
		before, after, most := units.Picos(0), ser, units.Picos(0)
		for _, p := range s.path(src, dst) {
			before += p.perByte
			most = max(most, p.perByte)
			one = max(one, before*full+units.Picos(f.packets-2)*full*most+after*last)
			after -= p.perByte
		}
	}
	return sum + one
}
