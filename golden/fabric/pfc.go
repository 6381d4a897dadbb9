package fabric

// pauseBytes is the size of a priority flow control frame.
const pauseBytes = 64

// hold accounts for a low-class packet that waits in a switch, to the link it
// came in by, and pauses that link when it has brought too much.
func (s *sim) hold(k *packet) {
	in := &s.ports[k.link]
	in.held += int64(k.size)
	if in.held > s.spec.XOff && !in.pausing {
		in.pausing = true
		s.count.Pauses++
		s.sendPause(k.link, evPause)
	}
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
	}
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
