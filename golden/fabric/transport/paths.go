package transport

import "github.com/goldwire/goldwire/golden/units"

// ideal returns the least time from start to the last acknowledgement of flow f:
// alone in the network its packets keep the slowest link busy, the last one
// crosses the others unhindered and so does its ACK; 0 if there is no path.
func (s *Sim) ideal(f *flow, src, dst int32) units.Picos {
	full, last := units.Picos(s.spec.MTU), units.Picos(f.last)+units.Picos(s.spec.HeaderBytes)
	sum, ser, slowest, end := units.Picos(0), units.Picos(0), units.Picos(0), units.Picos(0)
	for _, p := range s.net.Path(src, dst) {
		slowest = max(slowest, p.PerByte)
		sum += 2*p.Latency + p.PerByte*units.Picos(s.spec.CtlBytes)
		ser += p.PerByte
		end = p.PerByte
	}
	// A short last packet may overtake the full one before it, on another path.
	one := ser*last + units.Picos(f.packets-1)*full*slowest
	if f.packets > 1 {
		one = max(one, ser*full+units.Picos(f.packets-2)*full*slowest)
		// All share the last link, which begins when the first full packet or the short
		// one is there and then has all bytes to carry.
		head := ser - end
		short := units.Picos(f.packets-1)*full*s.net.Ports[src].PerByte + head*last
		one = max(one, min(head*full, short)+(units.Picos(f.packets-1)*full+last)*end)
	}
	if f.packets > 1 && s.spec.OnePath() {
		// In one queue after another none overtakes: the last packet meets the one
		// before it in some queue and waits there.
		before, after, most := units.Picos(0), ser, units.Picos(0)
		for _, p := range s.net.Path(src, dst) {
			before += p.PerByte
			most = max(most, p.PerByte)
			one = max(one, before*full+units.Picos(f.packets-2)*full*most+after*last)
			after -= p.PerByte
		}
	}
	return sum + one
}
