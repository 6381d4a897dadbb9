package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// A divided run is several parts that each have their own queue of events, packets, books and random numbers. What one
// part sends takes at least the latency of a link to reach another, so for that long all of them run without the
// others: one window. Between windows the packets change hands in a fixed order. Nothing depends on which thread runs a
// part, or when, so the result is the same for any number of threads.
//
// Ports, hosts, connections and flows are tables that all parts share. Each field has one part that writes it: of a
// connection or flow, those of the sending side belong to the part of the sender, those of the receiving side to that
// of the receiver. Whatever does not keep to this is refused by undivided.

// undivided returns why a run cannot be divided, nil when it can.
func (s *Sim) undivided(o Options) error {
	spec := s.spec
	switch {
	case o.Tap != nil || o.PortTap != nil || o.Packets != nil || o.Every > 0:
		return errors.New("taps and samples see all pods in one order: leave them out, or set it to off")
	case spec.PFC:
		return errors.New("a pause reaches back over links at any time: set pfc or pods to off")
	case spec.INT != settings.INTOff || spec.Retrace:
		return errors.New("telemetry and the way of a packet stay within a pod: set int and retrace, or pods, to off")
	case spec.FairRate:
		return errors.New("fair rates of all ports are computed at one time: set fair_rate or pods to off")
	case len(spec.FailLinks) > 0 || spec.FailProb > 0:
		return errors.New("a link that fails changes the routes of all switches: leave failures out, or set it to off")
	case s.after == nil && spec.Rounds != 1:
		return errors.New("flows of later rounds are numbered as they begin: set rounds = 1, or pods = off")
	}
	for i := range s.after {
		if len(s.after[i]) > 0 {
			return fmt.Errorf("flows[%d] begins when flows[%d] ends, at another host: set it to off", s.after[i][0], i)
		}
		if s.flows[i].message.Stop > 0 {
			return fmt.Errorf("flows[%d] has a stop time, which sender and receiver see at once: set it to off", i)
		}
	}
	return s.undividedControls(o)
}

// undividedControls returns which congestion control keeps a run from being divided.
func (s *Sim) undividedControls(o Options) error {
	if o.Only != nil {
		return errors.New("a program's own congestion control may keep state between contexts: set it to off")
	}
	for i := range s.ccc {
		row := sender{s.Hosts}.control(&s.ccc[i])
		if row.Needs.CNP > 0 {
			return fmt.Errorf("cc = %s: its receiver looks at its sender: set it to off", row.Name)
		}
		for j := range o.Rows {
			if o.Rows[j].Name == row.Name {
				return fmt.Errorf("cc = %s: contexts may share a device: set it to off", row.Name)
			}
		}
	}
	if slices.ContainsFunc(s.hosts, func(h host) bool { return h.ownPacer }) {
		return errors.New("a program's own pacers of credit may keep state between hosts: set it to off")
	}
	return nil
}

// divide makes the parts of a run that is built.
func (s *Sim) divide(o Options) error {
	if err := s.undivided(o); err != nil {
		return err
	}
	owner, n, err := net.Owners(s.net.Topo)
	if err != nil {
		return err
	}
	s.threads, s.ahead = cmp.Or(o.Threads, runtime.GOMAXPROCS(0)), net.Lookahead(s.net, owner)
	for i := range n {
		s.parts = append(s.parts, s.part(i, owner, n))
	}
	for ti := range s.tx {
		if t := &s.tx[ti]; t.ring != nil {
			s.parts[owner[s.ccc[t.ccc].host]].giveBalancer(int32(ti))
		}
	}
	for s.wheel.Ready(forever) {
		e, _ := s.wheel.Pop()
		if e.Kind != evStart {
			return fmt.Errorf("event %d: it has no host", e.Kind) // what undivided forgot
		}
		h := s.ccc[s.tx[s.flows[e.Arg].pdc].ccc].host
		s.parts[owner[h]].wheel.Push(e.At, e.Kind, e.Arg)
	}
	return nil
}

// part returns part i of the hosts, of n.
func (s *Sim) part(i int, owner []int32, n int) *Hosts {
	draw := &kernel.Streams{Seed: s.spec.Seed, Part: i + 1}
	h := *s.Hosts
	h.keep(draw, n)
	h.net = net.Part(s.net, i, owner, n, h.books(draw))
	h.ev.AckedPSNs = make([]uint32, 0, cap(s.ev.AckedPSNs))
	h.net.NIC = &h
	return &h
}

// networks returns the networks of the parts, or the only one.
func (s *Sim) networks() []*net.Network {
	if s.parts == nil {
		return []*net.Network{s.net}
	}
	var out []*net.Network
	for _, p := range s.parts {
		out = append(out, p.net)
	}
	return out
}

// loopParts is Loop for a divided run.
func (s *Sim) loopParts(ctx context.Context) error {
	all := s.networks()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.each(func(p *Hosts) { net.Take(p.net, all) })
		at, ok := s.nextWindow()
		if !ok {
			return nil
		}
		till := at + s.ahead
		if last := s.spec.MaxTime; last > 0 {
			if at > last {
				s.late = true
				s.wheel.Advance(last)
				return nil
			}
			till = min(till, last+1)
		}
		s.each(func(p *Hosts) { p.window(till) })
		sum := account.Counters{}
		for _, p := range s.parts {
			if err := p.wheel.Fault(); err != nil {
				return err
			}
			s.wheel.Advance(max(s.wheel.Now(), p.wheel.Now()))
			sum.Add(p.count)
		}
		if s.progress != nil {
			s.progress(Progress{s.Now(), int(sum.FlowsAcked), len(s.flows), sum.PktHops})
		}
	}
}

// nextWindow returns the time of the next event of any part, and lets each part know whether another keeps the run
// going; it returns false when no event is left.
func (s *Sim) nextWindow() (units.Picos, bool) {
	at, busy := forever, 0
	for _, p := range s.parts {
		if t, ok := p.wheel.NextAt(); ok {
			at = min(at, t)
		}
		if p.wheel.BusyHere() {
			busy++
		}
	}
	for _, p := range s.parts {
		p.wheel.Elsewhere(busy > 1 || busy == 1 && !p.wheel.BusyHere())
	}
	return at, at < forever
}

// window plays the events of a part that come before a time.
func (s *Hosts) window(till units.Picos) {
	ahead := 0
	for w := s.wheel; w.Ready(till) && !w.Halted(); {
		if ahead--; ahead < 0 {
			ahead = s.readAhead()
		}
		e, _ := w.Pop()
		w.Advance(e.At)
		s.count.Events++
		if e.Kind < kernel.HostKinds {
			s.net.Handle(e)
		} else {
			s.handle(e)
		}
	}
}

// each calls f for every part, on as many threads as the run has.
func (s *Sim) each(f func(p *Hosts)) {
	next := atomic.Int32{}
	work := func() {
		for i := next.Add(1) - 1; int(i) < len(s.parts); i = next.Add(1) - 1 {
			f(s.parts[i])
		}
	}
	var others sync.WaitGroup
	for range min(s.threads, len(s.parts)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// gather brings the books of the parts together.
func (s *Sim) gather() {
	if s.parts == nil {
		return
	}
	*s.count, *s.bytes, s.digest = account.Counters{}, account.Bytes{}, 0
	all := s.networks()
	for _, p := range s.parts {
		net.Take(p.net, all)
		s.count.Add(p.count)
		s.bytes.Add(p.bytes)
		s.digest = mix64(s.digest ^ p.digest)
	}
}
