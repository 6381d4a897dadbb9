package credit

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// StateOf fills words with the state after the jobs that have ended: for an event of a sender its words and those that
// all share, for an access to one of the others those alone. It returns "" for an event that concerns none.
func (m *Model) StateOf(_ int, in, words []uint64) string {
	var ev port.Event
	port.UnpackEvent(in, &ev)
	k := concern(&ev)
	if k < -1 {
		return ""
	}
	return m.stateOf(k, words)
}

// concern returns the sender of an event, -1 for an access to the words that all share, -2 for anything else.
func concern(ev *port.Event) int {
	switch ev.Kind {
	case port.KindOpen, port.KindClose, port.KindTarget, port.KindWant:
		return int(ev.Sender)
	case port.KindLoad, port.KindRead:
		switch {
		case ev.Addr <= port.WordGranted:
			return int(ev.Sender)
		case ev.Addr < port.NumWords:
			return -1
		}
	}
	return -2
}

func (m *Model) stateOf(k int, words []uint64) string {
	w := m.pacer.Words(k)
	for addr := range words {
		words[addr] = w.Word(addr)
	}
	if k < 0 || k >= m.spec.Senders {
		return "shared"
	}
	return fmt.Sprintf("sender=%d", k)
}

// Explain has tell called with how each response and each pull is decided from now on, in the cycle in which its job
// ends; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// The rules of the contract, by name. That of LOAD has all that is common to events.
const (
	ruleJobs   = "timing/jobs-run-one-at-a-time"
	ruleEvents = "events/load"
	ruleActive = "pull/1"
	ruleIdle   = "pull/2"
)

// explain executes the job that ends and tells what it puts out.
func (m *Model) explain() {
	if m.job == ofEvent {
		m.explainEvent()
	} else {
		m.explainPull()
	}
}

// numbered returns a difference of two numbers as it is told.
func numbered(d int32) uint64 { return uint64(uint32(d) & numbers) }

// explainEvent executes an event and tells its response.
func (m *Model) explainEvent() {
	d, ev := event.NewDecision("rsp"), &m.event
	k := concern(ev)
	d.Before, d.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	d.Concern = m.stateOf(k, d.Before)
	rule, sure := ruleEvents, true
	rsp := m.rsp.Push()
	if ev.Kind >= port.KindOpen && k >= 0 && k < m.spec.Senders {
		rule = "events/" + strings.ToLower(ev.Kind.String())
		s := *m.pacer.senders.Row(k)
		d.Flag(rule, "open", s.open)
		d.Flag(rule, "active", s.active)
		x := diff(ev.Data, s.target)
		if ev.Kind == port.KindTarget {
			d.Value(rule, "diff(data, target) modulo 2^24", numbered(x))
		}
		m.pacer.Event(ev, rsp)
		joins := s.open && !s.active && (ev.Kind == port.KindWant || ev.Kind == port.KindTarget && x > 0)
		sure = rsp.Joined == joins && rsp.NoSender == (!s.open && ev.Kind != port.KindOpen)
	} else {
		m.pacer.Event(ev, rsp)
	}
	m.stateOf(k, d.After)
	d.From(ruleEvents, "kind", "sender")
	d.From(rule, "refused", "no_sender", "raised", "joined", "data")
	d.Check(sure)
	m.tell(d)
}

// explainPull executes the job of a pull and tells the pull, if there is one.
func (m *Model) explainPull() {
	p, d, rule := m.pacer, event.NewDecision("pull"), ruleActive
	slow := p.active.Len() == 0
	from := &p.active
	if slow {
		rule, from = ruleIdle, &p.idle
	}
	k := *from.Front()
	s := *p.senders.Row(int(k))
	d.Before, d.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	d.Concern = m.stateOf(int(k), d.Before)
	d.Value(rule, "s", uint64(k))
	d.Value(rule, port.RegInfo[port.RegQuanta].Name, uint64(p.cfg[port.RegQuanta]))
	n := p.cfg[port.RegQuanta]
	if slow {
		d.Value(rule, port.RegInfo[port.RegWindow].Name, uint64(p.cfg[port.RegWindow]))
	} else {
		d.Value(rule, "demand", uint64(s.demand()))
		n = min(n, s.demand())
	}
	d.Value(rule, "n", uint64(n))
	if slow {
		d.Value(rule, "x modulo 2^24", numbered(diff(s.granted+n, s.target)))
	}
	d.Value(ruleJobs, "wait * 2^16", m.pace.wait)
	d.Value(ruleJobs, "late", uint64(m.pace.late))
	d.Value(ruleJobs, "back", uint64(m.pace.back()))
	d.Value(ruleJobs, "g * 2^16", p.Gap(uint8(n)))
	x := m.grant()
	if x == nil {
		return
	}
	m.stateOf(int(k), d.After)
	d.From(rule, "sender", "number", "quanta", "slow")
	d.Check(x.Sender == k && uint32(x.Quanta) == n && x.Slow == slow && x.Number == (s.granted+n)&numbers)
	m.tell(d)
}
