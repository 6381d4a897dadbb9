package pathmodel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// Result is what a run measured, after its warm-up.
type Result struct {
	Spec     Spec
	Acks     int     // that arrived
	Packets  int     // acknowledged for the first time
	Resent   int     // packets sent again, of which none was lost
	Time     float64 // us
	PerFast  float64 // packets acknowledged per round trip of a fast path
	MeanWnd  float64 // mean window at an ACK, packets
	SlowAcks []bool  // which ACKs were those of slow packets, in their order; nil unless recorded
}

// flight is one transmission.
type flight struct {
	psn  uint32
	at   units.Picos // of its ACK
	slow bool
	retx bool
}

// entry is the state of a packet.
type entry struct {
	sent  units.Picos
	state uint8
	rtx   uint8
}

// States of a packet.
const (
	free uint8 = iota // acknowledged, or not sent yet
	out
	lost // given up, waits to be sent again
)

// room is the number of packets that may be outstanding.
const room = 1 << 17

// sender is one run.
type sender struct {
	spec    Spec
	control cc.Control
	losses  cc.Losses // nil when the control finds none itself
	ev      cc.Event
	out     cc.Out
	now     units.Picos
	last    units.Picos // when the last packet was sent
	ring    []entry
	una     uint32
	nxt     uint32
	again   []uint32 // packets that wait to be sent again
	ways    [2][]flight
	turn    int
	rand    *rand.Rand
	rcvd    uint32
	res     Result
}

// Run plays the flow until the ACKs of the spec have arrived. It errors when the spec is impossible, the control cannot
// be made or has more outstanding than the model holds, or the flow stands still.
func Run(spec Spec, control cc.Factory) (*Result, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	base := units.Picos(spec.Base * float64(units.Microsecond))
	c, err := control(cc.Config{
		LinkGbps: units.Gbps(spec.Gbps), BaseRTT: base, MTU: spec.MSS,
		MaxWnd:     3 * int64(base) / (units.BytePicos / int64(spec.Gbps)) / 2,
		AckTrigger: int64(spec.MSS), QAGate: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("path model: %w", err)
	}
	s := &sender{spec: spec, control: c, ring: make([]entry, room), rand: rand.New(rand.NewPCG(spec.Seed, 0))}
	s.losses, _ = c.(cc.Losses)
	s.res.Spec = spec
	s.step(cc.KindOpen)
	s.clear().Size = math.MaxInt64 / 2
	s.step(cc.KindNewData)
	s.last = -units.Picos(spec.Fast * float64(units.Microsecond))
	begin, wnd := units.Picos(0), 0.0
	for n := 0; n < spec.Warm+spec.Acks; {
		acked, err := s.next()
		if err != nil {
			return nil, err
		}
		if !acked {
			continue
		}
		if n++; n == spec.Warm {
			begin = s.now
			s.res.Packets, s.res.Resent = 0, 0
		} else if n > spec.Warm {
			wnd += float64(s.out.Cwnd) / float64(spec.MSS)
		}
	}
	r := &s.res
	r.Acks, r.Time = spec.Acks, (s.now - begin).Micros()
	r.PerFast, r.MeanWnd = float64(r.Packets)*spec.Fast/r.Time, wnd/float64(spec.Acks)
	if spec.Record {
		r.SlowAcks = r.SlowAcks[len(r.SlowAcks)-spec.Acks:]
	}
	return r, nil
}

// clear returns the event, empty.
func (s *sender) clear() *cc.Event {
	s.ev = cc.Event{AckedPSNs: s.ev.AckedPSNs[:0], Una: s.una, Nxt: s.nxt}
	return &s.ev
}

// step gives the event to the control.
func (s *sender) step(kind cc.Kind) {
	s.ev.Kind, s.ev.Time = kind, s.now
	s.out = s.control.Step(&s.ev)
}

// next moves on to the next event and reports whether it was the arrival of an ACK.
func (s *sender) next() (acked bool, err error) {
	const never = units.Picos(math.MaxInt64)
	at, way := never, -1
	for w := range s.ways {
		if len(s.ways[w]) > 0 && s.ways[w][0].at < at {
			at, way = s.ways[w][0].at, w
		}
	}
	send := never
	if s.open() {
		send = max(s.now, s.last+s.gap())
	}
	timer := never
	if s.out.Timer > 0 {
		timer = max(s.out.Timer, s.now)
	}
	switch {
	case at == never && send == never && timer == never:
		return false, errors.New("path model: the flow stands still: nothing in flight, and it may not send")
	case at <= send && at <= timer:
		s.now = at
		f := s.ways[way][0]
		s.ways[way] = s.ways[way][1:]
		s.ack(f)
		return true, nil
	case timer < send:
		s.now = timer
		s.clear()
		s.step(cc.KindTimer)
		s.giveUp()
		return false, nil
	}
	s.now = send
	return false, s.send()
}

// open reports whether the window has room. Theory takes a window as a real number; a sender that keeps to whole
// packets loses half a packet of it on average, which at the windows of frequent cuts is a tenth.
func (s *sender) open() bool {
	if s.spec.Whole {
		return s.out.CanSend
	}
	return s.out.Inflight < s.out.Cwnd
}

// gap is the time between the starts of two packets.
func (s *sender) gap() units.Picos {
	gap := 0.0
	if s.spec.Pace > 0 {
		gap = s.spec.Fast * float64(units.Microsecond) * float64(s.spec.MSS) / float64(max(s.out.Cwnd, 1)) / s.spec.Pace
	}
	if s.out.Rate > 0 {
		gap = max(gap, float64(s.spec.MSS)*units.BytePicos/s.out.Rate)
	}
	return units.Picos(math.Ceil(min(gap, 1e15)))
}

// send sends the oldest packet that was given up, or a new one.
func (s *sender) send() error {
	psn := s.nxt
	for len(s.again) > 0 {
		p := s.again[0]
		s.again = s.again[1:]
		if p-s.una < s.nxt-s.una && s.ring[p%room].state == lost {
			psn = p
			break
		}
	}
	e := &s.ring[psn%room]
	retx := psn != s.nxt
	if retx {
		e.rtx = min(e.rtx+1, 2)
		s.res.Resent++
	} else {
		if s.nxt-s.una >= room {
			return fmt.Errorf("path model: more than %d packets outstanding", room)
		}
		*e = entry{}
		s.nxt++
	}
	e.sent, e.state = s.now, out
	s.last = s.now
	slow := s.isSlow()
	rtt, way := s.spec.Fast, 0
	if slow {
		rtt, way = s.spec.Slow, 1
	}
	at := s.now + units.Picos(rtt*float64(units.Microsecond))
	s.ways[way] = append(s.ways[way], flight{psn, at, slow, retx})
	ev := s.clear()
	ev.PSN, ev.Size, ev.IsRtx, ev.TxValid, ev.TxTime, ev.RtxCount = psn, int64(s.spec.MSS), retx, true, s.now, e.rtx
	s.step(cc.KindSend)
	return nil
}

// isSlow draws the path of the next packet.
func (s *sender) isSlow() bool {
	if s.spec.Paths == 0 {
		return false
	}
	if s.spec.Random {
		return s.rand.IntN(s.spec.Paths) == 0
	}
	s.turn = (s.turn + 1) % s.spec.Paths
	return s.turn == 0
}

// ack brings the ACK of a transmission.
func (s *sender) ack(f flight) {
	ev := s.clear()
	ev.PSN, ev.Retx, ev.M, ev.ServiceTime = f.psn, f.retx, f.slow && s.spec.Mark, 1
	if s.spec.Record {
		s.res.SlowAcks = append(s.res.SlowAcks, f.slow)
	}
	if e := &s.ring[f.psn%room]; f.psn-s.una < s.nxt-s.una && e.state != free {
		ev.TxValid, ev.TxTime, ev.RtxCount = true, e.sent, e.rtx
		if e.state == out {
			ev.AckedPkts = 1
		} else {
			ev.UnmarkPkts, ev.UnmarkBytes = 1, int64(s.spec.MSS)
		}
		e.state = free
		ev.AckedPSNs = append(ev.AckedPSNs, f.psn)
		s.rcvd += uint32(s.spec.MSS)
		s.res.Packets++
	}
	for s.una != s.nxt && s.ring[s.una%room].state == free {
		s.una++
	}
	ev.Una, ev.RcvdExact, ev.RcvdBytes = s.una, s.rcvd, cc.RcvdUnits(s.rcvd)
	s.step(cc.KindAck)
	s.giveUp()
}

// giveUp takes the packets that the control gives up.
func (s *sender) giveUp() {
	if s.losses == nil {
		return
	}
	for _, l := range s.losses.Lost() {
		e := &s.ring[l.PSN%room]
		if l.PSN-s.una >= s.nxt-s.una || e.state != out {
			continue
		}
		e.state = lost
		s.again = append(s.again, l.PSN)
		ev := s.clear()
		ev.PSN, ev.Size, ev.Cause, ev.TxValid = l.PSN, int64(s.spec.MSS), l.Cause, true
		ev.TxTime, ev.RtxCount = e.sent, e.rtx
		s.step(cc.KindLoss)
	}
}
