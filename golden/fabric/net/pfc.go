package net

import (
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// setRoom sets how many bytes each input of a switch may have waiting there: the threshold and the headroom, which
// takes what comes between a packet that crosses the threshold and the end of the stream. That packet itself, the one
// that the pause frame waits behind, the frame, the time of both on the link, and the packet that the sender has begun.
// A queue can hold what its switch can.
func (s *Network) setRoom() {
	for i := range s.Ports {
		p := &s.Ports[i]
		p.room = s.spec.RoomOf(PerByte(s, p), p.Latency)
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

// hold accounts for a low-class packet that waits in a queue of port p, to the link it came in by, and pauses that link
// when it has brought too much. It returns false, and does nothing, when there is no room.
func (s *Network) hold(p *Port, k *Packet) bool {
	in := &s.Ports[k.link]
	if in.held+int64(k.Size) > in.room {
		return false
	}
	in.held += int64(k.Size)
	if in.held > s.spec.XOff && !in.Pausing {
		in.Pausing = true
		s.count.Pauses++
		in.Stops++
		p.Caused++
		s.sendPause(k.link, evPause)
	}
	return true
}

// unhold accounts for a low-class packet that leaves, and resumes the link it came in by when enough has left.
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
	s.wheel.Push(max(s.wheel.Now(), back.FreeAt)+PerByte(s, back).Time(settings.PauseBytes)+back.Latency, kind, pi)
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
	switch { // a port goes on as soon as its link is free
	case paused:
		s.watchPauses()
	case int(pi) < s.hosts:
		s.Kick(pi)
	case !p.Waking:
		p.Waking = true
		s.wheel.Push(max(s.wheel.Now(), p.FreeAt), EvWake, pi)
	}
}

// watchPauses makes sure that pauses are checked before long.
func (s *Network) watchPauses() {
	if !s.watching {
		s.watching = true
		s.wheel.Push(s.wheel.Now()+s.stall, evStall, 0)
	}
}

// onStall looks for ports that wait for one another in a circle, which nothing
// ends but a link that fails, and goes on looking while any port is paused.
func (s *Network) onStall() {
	s.watching = false
	if !slices.ContainsFunc(s.Ports, func(p Port) bool { return p.Paused }) {
		return
	}
	if n := len(s.outages); n == 0 || s.outages[n-1].at <= s.wheel.Now() {
		if s.Deadlock = pauseCycle(s); s.Deadlock != nil {
			s.wheel.Halt()
			return
		}
	}
	s.watchPauses()
}

// pauseCycle returns a circle of ports in which each is paused by bytes that wait in the queue of the next, and the
// last by bytes in the queue of the first. It returns nil if every pause will end. A port stays paused for ever if more
// than XOn of the bytes that it has sent to the switch at its far end wait in queues of ports that stay paused for
// ever. To find these ports, take all paused ports and remove those that can go on until none is left to remove.
func pauseCycle(s *Network) []int32 {
	hosts := s.hosts
	stuck := make([]bool, len(s.Ports))
	left := 0
	for i := range s.Ports {
		p := &s.Ports[i]
		if stuck[i] = p.Paused && p.Pausing && !p.Down; stuck[i] {
			left++
		}
	}
	for gone := -1; gone != 0 && left > 0; left -= gone {
		gone = 0
		bytes := make([]int64, len(s.Ports)) // held for ever, by the link they came by
		for i := hosts; i < len(s.Ports); i++ {
			if !stuck[i] {
				continue
			}
			for k := s.Ports[i].Q[ClassLow].head; k >= 0; k = s.Pool.next[k] {
				bytes[s.Pool.At(k).link] += int64(s.Pool.At(k).Size)
			}
		}
		for i := range stuck {
			if stuck[i] && bytes[i] <= s.spec.XOn {
				stuck[i] = false
				gone++
			}
		}
	}
	if left == 0 {
		return nil
	}
	// Each port that is left waits for another one that is left: follow them until one repeats.
	var walk []int32
	for at := int32(slices.Index(stuck, true)); ; at = waitsFor(s, at, stuck) {
		if i := slices.Index(walk, at); i >= 0 {
			return walk[i:]
		}
		walk = append(walk, at)
	}
}

// waitsFor returns the first of the stuck ports whose queue holds a packet that came by the link of port pi.
func waitsFor(s *Network, pi int32, stuck []bool) int32 {
	node := s.Ports[pi].to
	for i := s.Topo.First[node]; i < s.Topo.First[node+1]; i++ {
		if !stuck[i] {
			continue
		}
		for k := s.Ports[i].Q[ClassLow].head; k >= 0; k = s.Pool.next[k] {
			if s.Pool.At(k).link == pi {
				return i
			}
		}
	}
	return pi
}
