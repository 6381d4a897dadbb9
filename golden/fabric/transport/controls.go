package transport

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// control returns the row of a context's congestion control; an unknown name ends the run.
func (s sender) control(c *cccState) *cc.Row {
	if s.only != nil {
		return s.only
	}
	if c.row == nil {
		row, err := cc.Find(c.name, s.rows)
		if err != nil {
			s.wheel.Fail(err)
			row = &cc.Row{New: cc.FixedWindow(0)}
		}
		c.row = row
	}
	return c.row
}

// makeCC creates the congestion control of a context.
func (s sender) makeCC(c *cccState) error {
	row := s.control(c)
	if row.NIC {
		return nil
	}
	if row.New == nil {
		return fmt.Errorf("cc = %s: this program does not make it", row.Name)
	}
	control, err := row.New(s.config(c))
	if err != nil {
		return fmt.Errorf("congestion control of host %d context %d: %w", c.host, c.id, err)
	}
	c.cc, c.cnpGap, c.everyAck, c.flowCount = control, row.Needs.CNP, row.Needs.EveryAck, row.Needs.FlowCount
	c.losses, _ = control.(cc.Losses)
	c.credit = row.Needs.Credit
	c.paceAt, c.timerAt, c.askedAt = never, never, never
	return nil
}

// config returns what a context knows.
func (s *Hosts) config(c *cccState) cc.Config {
	return cc.Config{
		NIC: c.host, CCC: c.id, LinkGbps: c.gbps, BaseRTT: c.base, MTU: s.spec.MTU,
		MaxWnd: c.maxWnd, AckTrigger: s.spec.AckTrigger, Trim: s.spec.Trim,
		HeaderBytes: s.spec.HeaderBytes, Target: s.spec.Target, QAGate: s.spec.QAGate,
		AvgWithoutSample: s.spec.AvgWithoutSample,
	}
}

// never is the time of what is not scheduled, and forever one that no run reaches.
const (
	never   = units.Picos(-1)
	forever = units.Picos(math.MaxInt64)
)

// checkControls refuses congestion controls that the run cannot have: for a context that the workload does not have,
// for hosts none of which sends, without what they need from the network, or that ignore a slow receiver.
func (s sender) checkControls() error {
	for _, c := range slices.Sorted(maps.Keys(s.spec.CCContexts)) {
		if int(c) >= len(s.ccc) || c < 0 {
			return fmt.Errorf("cc.contexts = %d=%s: want a context from 0 to %d", c, s.spec.CCContexts[c], len(s.ccc)-1)
		}
	}
	hosts := slices.Sorted(maps.Keys(s.spec.CCHosts))
	if len(hosts) > 0 && !slices.ContainsFunc(hosts, func(h int32) bool { return s.hosts[h].cccs > 0 }) {
		return fmt.Errorf("cc.hosts: has no effect: of hosts %d none sends in this workload", hosts)
	}
	if s.only != nil {
		return nil // a program's own control, which is not checked
	}
	coded := false
	for i := range s.tx {
		t := &s.tx[i]
		c := &s.ccc[t.ccc]
		row := s.control(c)
		if err := s.wheel.Fault(); err != nil {
			return err
		}
		if err := row.Check(s.spec.Offers()); err != nil {
			return fmt.Errorf("host %d -> host %d: %w", c.host, t.dst, err)
		}
		if row.Needs.INT != "" && !coded && s.spec.INTFormat != settings.INTExact {
			if err := net.CheckRates(s.net); err != nil {
				return fmt.Errorf("cc = %s: %w", row.Name, err)
			}
			coded = true
		}
		if !s.hosts[t.dst].slow {
			continue
		}
		if err := s.spec.CheckControl(row); err != nil {
			return fmt.Errorf("host %d -> slow host %d: %w", c.host, t.dst, err)
		}
	}
	return nil
}

// step gives the event in s.ev to context ci, then to the tap.
func (s sender) step(ci int32) {
	c, ev := &s.ccc[ci], &s.ev
	ev.Time, ev.NIC, ev.CCC = s.wheel.Now(), c.host, c.id
	c.out = c.cc.Step(ev)
	s.count.CCEvents++
	if c.out.Timer > 0 {
		s.callBack(ci)
	}
	if s.tap != nil && !s.wheel.Halted() {
		ev.Out = c.out
		if !s.tap(ev) {
			s.wheel.Halt()
		}
	}
}

// clearEvent returns the run's event, empty except for its kind and connection.
func (s sender) clearEvent(kind cc.Kind, t *txPDC) *cc.Event {
	acked := s.ev.AckedPSNs[:0]
	s.ev = cc.Event{Kind: kind, PDC: t.index, NICPDC: t.nicPDC, AckedPSNs: acked, Una: t.una, Nxt: t.nxt}
	return &s.ev
}

// callBack schedules the timer that a context wants. One that is scheduled already for an earlier
// time looks again when it is due.
func (s sender) callBack(ci int32) {
	c := &s.ccc[ci]
	at := max(c.out.Timer, s.wheel.Now())
	if c.timerAt == never || at < c.timerAt {
		c.timerAt = at
		s.wheel.Push(at, evControl, ci)
	}
}

// onControl gives context ci the timer event that it asked for. Timers alone do not keep a run
// going: when nothing else is to come and no context waits for its timer, they end with it.
func (s sender) onControl(ci int32) {
	c := &s.ccc[ci]
	if s.wheel.Now() != c.timerAt {
		return // another has taken its place
	}
	c.timerAt = never
	switch {
	case c.cc == nil || c.out.Timer == 0:
		return // the connection is over, or the control wants it no longer
	case c.out.Timer > s.wheel.Now():
		s.callBack(ci)
		return
	case !s.wheel.Busy() && (c.out.CanSend || !s.hasWork(c)) && !s.mayLose(c):
		return
	}
	t := &s.tx[c.pdcs[0]]
	s.clearEvent(cc.KindTimer, t)
	s.step(ci)
	s.giveUp(t)
	s.goOn(ci)
}

// mayLose reports whether the control's own timer stands for packets of which nothing is known.
func (s sender) mayLose(c *cccState) bool {
	t := &s.tx[c.pdcs[0]]
	return c.losses != nil && t.ring != nil && t.una != t.nxt
}

// giveUp makes the packets of connection t that its control gives up wait to be resent.
func (s sender) giveUp(t *txPDC) {
	c := &s.ccc[t.ccc]
	if c.losses == nil {
		return
	}
	for _, l := range c.losses.Lost() {
		if !t.holds(l.PSN) || t.ring[l.PSN&t.mask].state != txInflight {
			continue
		}
		if l.Cause == cc.CauseGivenUp {
			s.count.Timeouts++
			s.flows[t.ring[l.PSN&t.mask].flow].timeouts++
		}
		s.inferLoss(t, l.PSN, l.Cause)
	}
}

// hasWork reports whether a connection of the context has a packet to send.
func (s sender) hasWork(c *cccState) bool {
	for _, t := range c.pdcs[:c.npdc] {
		if s.tx[t].hasWork() {
			return true
		}
	}
	return false
}

// paced reports whether context ci may begin a packet now at its rate. If not, it schedules the
// time when it may, by the rate as it is now.
func (s sender) paced(ci int32) bool {
	c := &s.ccc[ci]
	gap := math.Ceil(float64(float64(c.sentSize)*units.BytePicos) / c.out.Rate)
	at := c.sentAt + units.Picos(min(gap, 1e18)) // by then every run has ended
	if s.wheel.Now() >= at {
		return true
	}
	if c.paceAt == never || at < c.paceAt {
		c.paceAt = at
		s.wheel.Push(at, evPace, ci)
	}
	return false
}

// onPace lets context ci send when its rate allows another packet.
func (s sender) onPace(ci int32) {
	c := &s.ccc[ci]
	if s.wheel.Now() != c.paceAt {
		return // another has taken its place
	}
	c.paceAt = never
	s.queueContext(ci)
	s.net.Kick(c.host)
}
