package fabric

// hopsLongest is the number of links between hosts in different pods.
const hopsLongest = 6

// swtch is a switch. It reaches hosts lo to hi-1 through its down ports, one
// port for each per hosts, and all others through any of its up ports. Port
// numbers are contiguous, so routing needs no table.
type swtch struct {
	lo, hi, per int32
	down        int32 // first down port
	up, ups     int32 // first up port and their number
	salt        uint64
}

// route returns the port on which switch w forwards packet k: the only way
// down, or an up port chosen by the hash of connection and entropy.
func (s *sim) route(w *swtch, k *packet) int32 {
	if d := k.dst; d >= w.lo && d < w.hi {
		return w.down + (d-w.lo)/w.per
	}
	h := (uint64(uint32(k.pdc))<<16 | uint64(k.entropy)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ w.salt) * 0xd6e8feb86659fd93
	return w.up + int32(h>>32*uint64(w.ups)>>32)
}

// buildFatTree lays out the three-tier fat tree: K pods of K/2 top-of-rack
// switches with K/2 hosts each, K/2/Oversub aggregation switches per pod with
// K/2 up-links each, and a core group of K/2 switches for each of them.
func (s *sim) buildFatTree() {
	k := int32(s.spec.K)
	half := k / 2
	aggs := half / int32(s.spec.Oversub) // per pod
	hosts := int32(s.spec.Hosts())
	tors := k * half
	allAggs := k * aggs
	cores := aggs * half

	tor := func(pod, t int32) int32 { return pod*half + t }
	agg := func(pod, a int32) int32 { return tors + pod*aggs + a }
	core := func(a, c int32) int32 { return tors + allAggs + a*half + c }

	s.hosts = make([]host, hosts)
	s.switches = make([]swtch, tors+allAggs+cores)
	s.ports = make([]port, 0, hosts+tors*(half+aggs)+allAggs*k+cores*k)

	for h := range hosts {
		s.addPort(hosts + h/half)
	}
	add := func(sw int32, w swtch) {
		w.salt = s.rngTopo.Uint64()
		s.switches[sw] = w
	}
	for pod := range k {
		for t := range half {
			first := (pod*half + t) * half
			w := swtch{lo: first, hi: first + half, per: 1, down: s.nextPort()}
			for h := range half {
				s.addPort(first + h)
			}
			w.up, w.ups = s.nextPort(), aggs
			for a := range aggs {
				s.addPort(hosts + agg(pod, a))
			}
			add(tor(pod, t), w)
		}
		for a := range aggs {
			w := swtch{lo: pod * half * half, hi: (pod + 1) * half * half, per: half, down: s.nextPort()}
			for t := range half {
				s.addPort(hosts + tor(pod, t))
			}
			w.up, w.ups = s.nextPort(), half
			for c := range half {
				s.addPort(hosts + core(a, c))
			}
			add(agg(pod, a), w)
		}
	}
	for a := range aggs {
		for c := range half {
			w := swtch{lo: 0, hi: hosts, per: half * half, down: s.nextPort()}
			for pod := range k {
				s.addPort(hosts + agg(pod, a))
			}
			add(core(a, c), w)
		}
	}
}

func (s *sim) nextPort() int32 { return int32(len(s.ports)) }

// addPort appends a port whose link leads to node to (a host, or hosts + switch)
// and sets its limits from the BDP of its own rate.
func (s *sim) addPort(to int32) {
	spec := &s.spec
	perByte := psPerByte(spec.LinkGbps)
	bdp := int64(s.baseRTT) / perByte
	p := port{to: to, perByte: Picos(perByte), latency: spec.LinkLatency, lastHop: int(to) < len(s.hosts)}
	for c := range p.q {
		p.q[c] = fifo{head: -1, tail: -1}
		p.limit[c] = scaled(spec.CtlDropAt, bdp)
	}
	switch {
	case !spec.Trim:
		p.limit[classLow] = scaled(spec.DropAt, bdp)
	case p.lastHop:
		p.limit[classLow] = scaled(spec.TrimAtLastHop, bdp)
	default:
		p.limit[classLow] = scaled(spec.TrimAt, bdp)
	}
	switch spec.ECN {
	case ECNProbabilistic:
		p.kmin = scaled(spec.KMin, bdp)
		p.kin = scaled(spec.KMax, bdp) - p.kmin
	case ECNDeterministic:
		p.kmin = scaled(spec.KDet, bdp)
	default:
		p.kmin = 1 << 62
	}
	s.ports = append(s.ports, p)
}
