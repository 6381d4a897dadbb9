package net

import (
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// setRoom sets how many bytes each input of a switch may have waiting there: the
// threshold and the headroom, which takes what comes between a packet that
// crosses the threshold and the end of the stream. That packet itself, the one
// that the pause frame waits behind, the frame, the time of both on the link, and
// the packet that the sender has begun. A queue can hold what its switch can.
func (s *Network) setRoom() {
	for i := range s.Ports {
		p := &s.Ports[i]
		p.room = s.spec.RoomOf(p.PerByte, p.Latency)
	}
	hosts := s.hosts
	for w := range s.Switches {
		first, end := s.Topo.First[hosts+w], s.Topo.First[hosts+w+1]
		sum := int64(0)
		for i := first; i < end; i++ {
			sum += s.Ports[s.Ports[i].Rev].room
		}
		for i := first; i < end; i++ {
			s.Ports[i].Limit[ClassLow] = sum
		}
	}
}

// overrun drops a low-class packet that a lossless queue has no room for, which
// is an error of the run.
func (s *Network) overrun(pi, i int32, k *Packet) {
	s.count.PFCOverruns++
	s.drop(pi, i, k)
}

// hold accounts for a low-class packet that waits in a queue of port p, to the link it
// came in by, and pauses that link when it has brought too much. It returns
// false, and does nothing, when there is no room.
func (s *Network) hold(p *Port, k *Packet) bool {
	in := &s.Ports[k.link]
	if in.held+int64(k.Size) > in.room {
		return false
	}
	in.held += int64(k.Size)
	if in.held > s.spec.XOff && !in.Pausing {
		in.Pausing = true
		s.count.Pauses++
		in.stops++
		p.caused++
		s.sendPause(k.link, evPause)
	}
	return true
}

// unhold accounts for a low-class packet that leaves, and resumes the link it
// came in by when enough has left.
func (s *Network) unhold(k *Packet) {
	in := &s.Ports[k.link]
	in.held -= int64(k.Size)
	if in.held <= s.spec.XOn && in.Pausing {
		in.Pausing = false
		s.count.Resumes++
		s.sendPause(k.link, evResume)
	}
}

// sendPause sends a pause frame to the sending end of a link. The frame overtakes what waits but
// not the transmission under way, takes no bandwidth and is never lost.
func (s *Network) sendPause(pi int32, kind kernel.Kind) {
	back := &s.Ports[s.Ports[pi].Rev]
	s.wheel.Push(max(s.wheel.Now(), back.FreeAt)+settings.PauseBytes*back.PerByte+back.Latency, kind, pi)
}

// onPause stops or starts the low class of a port.
func (s *Network) onPause(pi int32, paused bool) {
	p := &s.Ports[pi]
	p.Paused = paused
	if s.Taps {
		kind := PortResume
		if paused {
			kind = PortPause
		}
		s.TapPort(kind, pi, nil)
	}
	if !paused {
		s.resume(pi)
		return
	}
	s.watchPauses()
}

// resume lets port pi go on as soon as its link is free.
func (s *Network) resume(pi int32) {
	if int(pi) < s.hosts {
		s.Kick(pi)
		return
	}
	p := &s.Ports[pi]
	if p.Waking {
		return
	}
	p.Waking = true
	s.wheel.Push(max(s.wheel.Now(), p.FreeAt), EvWake, pi)
}

// Pauses returns how often the link of a port was paused, and how often a packet that waits in its queue paused
// another.
func (p *Port) Pauses() (stops, caused uint64) { return p.stops, p.caused }
