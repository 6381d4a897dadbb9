package fabric

// port is one directed link and the output queues in front of it. Ports 0 to
// hosts-1 are the NICs, whose low queue is the data their contexts hold back.
type port struct {
	freeAt    Picos // end of the transmission under way
	latency   Picos
	perByte   Picos // serialisation time of one byte
	to        int32 // host, or hosts + switch, at the far end
	waking    bool  // an evWake is scheduled
	lastHop   bool  // the far end is a host
	q         [classes]fifo
	limit     [classes]int64 // bytes
	kmin, kin int64          // marking starts above kmin, is certain above kmin + kin
}

// enqueue admits packet i to port p or trims or drops it, and starts the
// transmission when the link is idle.
func (s *sim) enqueue(pi, i int32) {
	p, k := &s.ports[pi], &s.pool.pkts[i]
	s.count.PktHops++
	q := &p.q[k.class]
	if q.bytes+int64(k.size) > p.limit[k.class] {
		if k.class != classLow {
			s.drop(i, k)
			return
		}
		if !s.spec.Trim {
			s.drop(i, k)
			return
		}
		k.size = int32(s.spec.TrimBytes)
		k.class = classMedium
		k.flags |= flagTrimmed
		if p.lastHop {
			k.flags |= flagLastHop
		}
		s.count.Trims++
		q = &p.q[classMedium]
		if q.bytes+int64(k.size) > p.limit[classMedium] {
			s.drop(i, k)
			return
		}
	}
	if s.now >= p.freeAt && !p.waking {
		// An idle link has empty queues: the packet passes through its queue.
		if q.peak < int64(k.size) {
			q.peak = int64(k.size)
		}
		if k.class == classLow {
			s.mark(p, k)
		}
		s.transmit(pi, p, i, k)
		return
	}
	q.push(&s.pool, i)
	if !p.waking {
		p.waking = true
		s.wheel.push(p.freeAt, evWake, pi)
	}
}

// drop forgets a packet that no queue admits.
func (s *sim) drop(i int32, k *packet) {
	switch {
	case k.kind != pkData:
		s.count.CtlDrops++
	case k.flags&flagTrimmed != 0:
		s.count.TrimDrops++
	default:
		s.count.DataDrops++
	}
	s.pool.release(i)
}

// mark decides the ECN mark of a low-class packet that leaves its queue, on the
// bytes it leaves behind.
func (s *sim) mark(p *port, k *packet) {
	over := p.q[classLow].bytes - p.kmin
	if over <= 0 {
		return
	}
	if over <= p.kin {
		// Probability over/kin; kin is 0 with the deterministic rule.
		if s.rngECN.Uint64()>>32*uint64(p.kin) >= uint64(over)<<32 {
			return
		}
	}
	k.flags |= flagCE
	s.count.ECN++
}

// wake starts the next transmission of a port whose link has become free.
func (s *sim) wake(pi int32) {
	p := &s.ports[pi]
	p.waking = false
	if int(pi) < len(s.hosts) {
		s.hostTransmit(pi)
		return
	}
	var i int32
	switch {
	case !p.q[classHigh].empty():
		i = p.q[classHigh].pop(&s.pool)
	case !p.q[classMedium].empty():
		i = p.q[classMedium].pop(&s.pool)
	default:
		i = p.q[classLow].pop(&s.pool)
	}
	k := &s.pool.pkts[i]
	if k.class == classLow {
		s.mark(p, k)
	}
	s.transmit(pi, p, i, k)
	if p.q[classHigh].head >= 0 || p.q[classMedium].head >= 0 || p.q[classLow].head >= 0 {
		p.waking = true
		s.wheel.push(p.freeAt, evWake, pi)
	}
}

// transmit puts packet i on the link of port p, now; the packet arrives after
// its last bit has crossed.
func (s *sim) transmit(pi int32, p *port, i int32, k *packet) {
	p.freeAt = s.now + Picos(k.size)*p.perByte
	if s.lossCut > 0 && s.rngLoss.Uint64()>>11 < s.lossCut {
		switch {
		case k.kind != pkData:
			s.count.CtlLost++
		case k.flags&flagTrimmed != 0:
			s.count.TrimLost++
		default:
			s.count.DataLost++
		}
		s.pool.release(i)
		return
	}
	k.link = pi
	s.wheel.push(p.freeAt+p.latency, evArrive, i)
}

// arrive hands packet i to the node at the end of its link.
func (s *sim) arrive(i int32) {
	k := &s.pool.pkts[i]
	to := s.ports[k.link].to
	if int(to) < len(s.hosts) {
		s.receive(i)
		return
	}
	s.enqueue(s.route(&s.switches[int(to)-len(s.hosts)], k), i)
}
