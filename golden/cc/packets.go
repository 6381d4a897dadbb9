package cc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/sack"
	"github.com/goldwire/goldwire/golden/units"
)

// packetRules are the rules of a control with a window in packets that finds its losses by the ACKs of single packets.
// Times are us. Each of ack, hole and timeout returns the name of the rule that decided, empty for none.
type packetRules struct {
	shown                                                // without the scoreboard and the timer
	open    func(ev *Event) (least, first, scan float64) // least and first timeout, and the period of looking at it
	ack     func(e packetAck) string
	hole    func(now float64, psn uint32, ev *Event) string
	timeout func(now float64, ev *Event) string
	window  *float64 // packets
}

// packetAck is an ACK as packetRules take it. Before is the smoothed round trip without its sample.
type packetAck struct {
	now, delay, n, before, srtt float64
	marked                      bool
	una, nxt                    uint32
}

// packetCC drives packetRules: it counts packets in flight, keeps the scoreboard and the retransmission timer, and
// tells the sender what is lost.
type packetCC struct {
	packetRules
	mtu      int64
	board    sack.Board
	rto      sack.RTO
	inflight int64 // packets
	lost     []Loss
	holes    []uint32
	scratch  []uint32

	// oldestOnly is set when a timeout gives up the oldest packet in place of all, and of those that were sent a timeout
	// ago as well so many that it can be resent: a window that was lost whole would be full for ever.
	oldestOnly bool
	// keep, when set, is given the packets that have become holes in place of hole, and gives up those whose time
	// has come; wake is when it wants to be asked again.
	keep func(now units.Picos, found []uint32) (did string)
	wake float64
	// rate, when set, returns the pacing rate in Gb/s.
	rate func() float64
	size int64 // of the last packet sent
}

// Step implements Control.
func (p *packetCC) Step(ev *Event) Out {
	now, did := ev.Time.Micros(), ""
	switch ev.Kind {
	case KindOpen:
		least, first, scan := p.open(ev)
		p.board, p.inflight, p.wake, p.size = sack.Board{}, 0, sack.Never, p.mtu
		p.rto = sack.NewRTO(least, first)
		p.rto.Scan = scan
		p.lost, p.holes = p.lost[:0], p.holes[:0]
	case KindSend:
		p.inflight++
		p.size = ev.Size
		p.board.Sent(ev.PSN, now)
		if p.rto.Due == sack.Never {
			p.rto.Restart(now)
		}
	case KindAck:
		did = p.onAck(ev, now)
	case KindTimer:
		did = p.onTimer(ev, now)
	case KindNack:
		p.gone(ev.PSN)
		did = p.hole(now, ev.PSN, ev)
	case KindLoss:
		p.gone(ev.PSN)
		switch ev.Cause {
		case CauseTimeout:
			did = p.timeout(now, ev)
		case CauseHole:
			did = p.hole(now, ev.PSN, ev)
		}
	}
	return p.out(did)
}

// gone takes a packet out of those in flight until it is sent again.
func (p *packetCC) gone(psn uint32) {
	p.inflight--
	p.board.Lost(psn)
}

// onAck follows the order of congestion-control.md, section 0: bookkeeping, sample, timeout, window, losses.
func (p *packetCC) onAck(ev *Event, now float64) string {
	p.inflight -= int64(ev.AckedPkts)
	for _, psn := range ev.AckedPSNs {
		p.board.Acked(psn)
	}
	e := packetAck{
		now: now, delay: wholeRTT(ev).Micros(), n: float64(ev.AckedPkts + ev.UnmarkPkts), before: p.rto.Srtt,
		marked: ev.M, una: ev.Una, nxt: ev.Nxt,
	}
	if e.delay > 0 {
		p.rto.Sample(e.delay)
	}
	e.srtt = p.rto.Srtt
	if e.n > 0 {
		p.rto.Acked(now, p.board.Outstanding())
	}
	did := ""
	if e.n > 0 || e.delay > 0 {
		did = p.ack(e)
	}
	p.lost = p.lost[:0]
	p.holes = p.board.Find(p.holes[:0])
	if p.keep != nil {
		if kept := p.keep(ev.Time, p.holes); kept != "" {
			did = kept
		}
		return did
	}
	for _, psn := range p.holes {
		p.lost = append(p.lost, Loss{psn, CauseHole})
	}
	return did
}

// onTimer runs the timers that are due.
func (p *packetCC) onTimer(ev *Event, now float64) string {
	p.lost = p.lost[:0]
	did := ""
	if p.keep != nil {
		did = p.keep(ev.Time, nil)
	}
	if !due(p.rto.Due, ev.Time) {
		return did
	}
	if p.board.Outstanding() == 0 {
		p.rto.Due = sack.Never
		return did
	}
	did = p.timeout(now, ev)
	p.rto.Expire(now)
	p.scratch = p.board.InFlight(p.scratch[:0])
	for i, psn := range p.scratch {
		if i > 0 && p.oldestOnly {
			left := float64(p.inflight - int64(len(p.lost)))
			at, _ := p.board.SentAt(psn)
			if left <= 0 || left+1 <= *p.window || !due(at+p.rto.Value(), ev.Time) {
				break
			}
		}
		p.lost = append(p.lost, Loss{psn, CauseGivenUp})
	}
	return did
}

// Lost implements Losses.
func (p *packetCC) Lost() []Loss {
	out := p.lost
	p.lost = p.lost[:0]
	return out
}

// State returns the state of the rules, then that of the retransmission timer.
func (p *packetCC) State() []param.Field {
	return append(p.state(),
		param.Field{Name: "in_flight", Unit: "packets", Ptr: &p.inflight},
		param.Field{Name: "srtt", Unit: "us", Ptr: &p.rto.Srtt},
		param.Field{Name: "rto", Unit: "us", Ptr: p.rto.Value})
}

// out is the answer after an event. A window below one packet lets one out at a time.
func (p *packetCC) out(did string) Out {
	w := *p.window
	o := Out{
		Cwnd: max(p.mtu, int64(min(w*float64(p.mtu), float64(NoWindow)))), Inflight: p.inflight * p.mtu,
		CanSend: p.inflight <= 0 || float64(p.inflight+1) <= w, Timer: timerAt(min(p.rto.Due, p.wake)), Action: did,
	}
	if p.rate != nil {
		o.Rate = p.rate()
	}
	return o
}

// due reports whether a timer at a time in us has its event at or before a time. It compares what the sender is asked
// for, since a float64 may lie a little after it, and the control would ask again and again.
func due(us float64, now units.Picos) bool { return !math.IsInf(us, 1) && timerAt(us) <= now }

// timerAt returns a time in us as that of a timer, 0 for never.
func timerAt(us float64) units.Picos {
	if math.IsInf(us, 1) {
		return 0
	}
	return max(1, units.Picos(math.Ceil(us*float64(units.Microsecond))))
}
