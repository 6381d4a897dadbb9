package fabric

import (
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// pauseBytes is the size of a priority flow control frame.
const pauseBytes = 64

// roomOf returns the bytes that a link of such a rate and latency may have waiting
// at its far end.
func (s *Spec) roomOf(perByte, latency units.Picos) int64 {
	headroom := s.PFCHeadroom
	if headroom == 0 {
		headroom = 2*int64((latency+perByte-1)/perByte) + 3*int64(max(s.MTU, s.CtlBytes)) + pauseBytes
	}
	return s.XOff + headroom
}

// losslessRTO returns the timeout that no packet in a lossless network outlasts
// when links serve their inputs alike: the base RTT and what every switch can hold
// over the slowest link, at most a second.
func (s *Spec) losslessRTO(n *topo.Net) units.Picos {
	const most = units.Picos(1e12)
	sum, slowest := 0.0, units.Picos(0)
	for i := range n.Ports {
		p := &n.Ports[i]
		perByte := units.Picos(units.PerByte(p.Gbps))
		slowest = max(slowest, perByte)
		if int(p.To) >= n.Hosts {
			sum += float64(s.roomOf(perByte, units.Picos(p.Latency)))
		}
	}
	if sum*float64(slowest) >= float64(most) {
		return most
	}
	return min(most, s.EffectiveBaseRTT()+units.Picos(sum)*slowest+s.ServiceTime+s.ServiceJitter)
}

// setRoom sets how many bytes each input of a switch may have waiting there: the
// threshold and the headroom, which takes what comes between a packet that
// crosses the threshold and the end of the stream. That packet itself, the one
// that the pause frame waits behind, the frame, the time of both on the link, and
// the packet that the sender has begun. A queue can hold what its switch can.
func (s *sim) setRoom() {
	for i := range s.ports {
		p := &s.ports[i]
		p.room = s.spec.roomOf(p.perByte, p.latency)
	}
	hosts := len(s.hosts)
	for w := range s.switches {
		first, end := s.net.First[hosts+w], s.net.First[hosts+w+1]
		sum := int64(0)
		for i := first; i < end; i++ {
			sum += s.ports[s.ports[i].rev].room
		}
		for i := first; i < end; i++ {
			s.ports[i].limit[classLow] = sum
		}
	}
}

// overrun drops a low-class packet that a lossless queue has no room for, which
// is an error of the run.
func (s *sim) overrun(pi, i int32, k *packet) {
	s.count.PFCOverruns++
	s.drop(pi, i, k)
}

// hold accounts for a low-class packet that waits in a switch, to the link it
// came in by, and pauses that link when it has brought too much. It returns
// false, and does nothing, when there is no room.
func (s *sim) hold(k *packet) bool {
	in := &s.ports[k.link]
	if in.held+int64(k.size) > in.room {
		return false
	}
	in.held += int64(k.size)
	if in.held > s.spec.XOff && !in.pausing {
		in.pausing = true
		s.count.Pauses++
		s.sendPause(k.link, evPause)
	}
	return true
}

// unhold accounts for a low-class packet that leaves, and resumes the link it
// came in by when enough has left.
func (s *sim) unhold(k *packet) {
	in := &s.ports[k.link]
	in.held -= int64(k.size)
	if in.held <= s.spec.XOn && in.pausing {
		in.pausing = false
		s.count.Resumes++
		s.sendPause(k.link, evResume)
	}
}

// sendPause tells the sending end of a link. The frame overtakes what waits but
// not the transmission under way, takes no bandwidth and is never lost.
func (s *sim) sendPause(pi int32, kind eventKind) {
	back := &s.ports[s.ports[pi].rev]
	s.wheel.push(max(s.now, back.freeAt)+pauseBytes*back.perByte+back.latency, kind, pi)
}

// onPause stops or starts the low class of a port.
func (s *sim) onPause(pi int32, paused bool) {
	p := &s.ports[pi]
	p.paused = paused
	if s.ptap != nil {
		kind := PortResume
		if paused {
			kind = PortPause
		}
		s.tapPort(kind, pi, nil)
	}
	if !paused {
		s.resume(pi)
		return
	}
	s.watchPauses()
}

// resume lets port pi go on as soon as its link is free.
func (s *sim) resume(pi int32) {
	if int(pi) < len(s.hosts) {
		s.kick(pi)
		return
	}
	p := &s.ports[pi]
	if p.waking {
		return
	}
	p.waking = true
	s.wheel.push(max(s.now, p.freeAt), evWake, pi)
}
