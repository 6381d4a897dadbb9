package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// host is the NIC of one host: the rotation of its contexts that may send, and the memory of a slow receiver.
type host struct {
	ready, readyTail int32 // contexts in rotation, linked by cccState.next
	cccs             int32 // contexts created
	nicPDCs          int32
	getting          int32       // flows to it whose first packet has arrived and last has not
	waiting          int32       // contexts in rotation
	pacer            Pacer       // of the credit of its senders, nil when none needs credit
	ownPacer         bool        // it is one of the run's options
	pullAt           units.Picos // when the evPull that counts is due

	slow      bool
	restore   bool        // a slow host that lets its senders restore their windows
	drained   units.Picos // when memory was last brought up to date
	memory    int64       // bytes waiting in a slow host's memory
	drainTime units.PerByte
}

// cccState is one congestion-control context at the sender.
type cccState struct {
	cc        cc.Control
	name      string    // of the congestion control, empty for the run's
	losses    cc.Losses // cc when it finds losses itself, or nil
	row       *cc.Row
	out       cc.Out
	host      int32
	id        int32 // within the NIC
	next      int32
	pdcs      [cc.MaxPDCs]int32
	npdc      uint8
	rr        uint8
	queued    bool
	opened    bool
	everyAck  bool        // each packet asks for an ACK
	credit    bool        // it needs credit
	flowCount bool        // ACKs hold the number of the receiver's flows
	sentSize  int32       // of the last packet
	sentAt    units.Picos // when its transmission began
	paceAt    units.Picos // when the evPace that counts is due
	askedAt   units.Picos // when it asked for credit last
	timerAt   units.Picos // when the evControl that counts is due
	cnpGap    units.Picos // least time between two CNPs, 0 for none
	ownValues             // read where a context is made or waits, not at every packet
}

// Transmit sends one packet of host h, whose link is idle: control first, then data of the next context in rotation.
func (s sender) Transmit(h int32) {
	p, n := &s.net.Ports[h], &s.hosts[h]
	if p.Down {
		return
	}
	if q := p.Control(); q != nil {
		i := q.Pop(&s.net.Pool)
		s.net.Transmit(h, p, i, s.net.Pool.At(i))
	} else {
		for n.ready >= 0 && !p.Paused {
			ci := n.ready
			c := &s.ccc[ci]
			n.ready = c.next
			n.waiting--
			c.queued = false
			if !c.out.CanSend || c.out.Rate > 0 && !s.paced(ci) {
				continue
			}
			t := s.nextPDC(c)
			if t < 0 {
				continue
			}
			i := s.sendData(c, t)
			if s.net.Taps {
				s.net.TapPort(net.PortArrive, h, s.net.Pool.At(i))
			}
			s.net.Transmit(h, p, i, s.net.Pool.At(i))
			s.queueContext(ci)
			break
		}
	}
	if p.FreeAt > s.wheel.Now() && !p.Waking && (n.ready >= 0 && !p.Paused || p.Control() != nil) {
		p.Waking = true
		s.wheel.Push(p.FreeAt, net.EvWake, h)
	}
}

// nextPDC returns the next connection of context c in rotation that has a packet to send, or -1.
func (s sender) nextPDC(c *cccState) int32 {
	for range c.npdc {
		t := c.pdcs[c.rr]
		if c.rr++; c.rr == c.npdc {
			c.rr = 0
		}
		if s.tx[t].hasWork() {
			return t
		}
	}
	return -1
}

// queueContext puts context ci into its NIC's rotation when it may send and is not there.
func (s sender) queueContext(ci int32) {
	c := &s.ccc[ci]
	if c.queued || !c.out.CanSend {
		return
	}
	if !s.hasWork(c) || c.out.Rate > 0 && !s.paced(ci) {
		return
	}
	c.queued = true
	c.next = -1
	n := &s.hosts[c.host]
	n.waiting++
	if n.ready < 0 {
		n.ready = ci
	} else {
		s.ccc[n.readyTail].next = ci
	}
	n.readyTail = ci
}
