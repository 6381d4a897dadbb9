package transport

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// Options are what a run is made with, in addition to its spec.
type Options struct {
	Tap      func(*cc.Event) bool // called for each event of a context; false ends the run
	Only     cc.Factory           // of every context's congestion control, in place of those named
	Rows     []cc.Row             // congestion controls by name, before those that every run knows
	Messages []traffic.Message    // in place of the spec's workload
	Progress func(Progress)
	PortTap  func(*net.PortEvent) // called for each event at the ports tapped, of all switches when there are none
	Tapped   []int32
	Packets  net.PacketTap // called for each event of a packet at the ports of switches
	Every    units.Picos   // between two samples of the queues, 0 for none
	Sampled  []int32       // ports with a series of their own
	Threads  int           // that simulate the parts of a divided run, 0 for all processors
}

// Progress is how far a run has come.
type Progress struct {
	Time        units.Picos
	Done, Flows int // flows acknowledged, of those known so far
	PktHops     uint64
}

// Sim is one run: hosts on a network, and the loop that plays their events.
type Sim struct {
	*Hosts
	depth    *net.Depth
	progress func(Progress)
	late     bool     // MaxTime ended the run
	parts    []*Hosts // of a divided run; those of the Sim itself are at rest then
	threads  int
	ahead    units.Picos // what a part may be ahead of the others
}

// Build returns a run at time 0 with its first flows scheduled.
func Build(spec settings.Spec, o Options) (*Sim, error) {
	g, err := spec.Network()
	if err != nil {
		return nil, err
	}
	spec.Graph = g
	layout, err := g.Net()
	if err != nil {
		return nil, err
	}
	draw := &kernel.Streams{Seed: spec.Seed}
	t := &tables{
		spec: &spec, wheel: kernel.NewWheel(settings.SlotWidth(spec, 1)),
		count: &account.Counters{}, bytes: &account.Bytes{},
		baseRTT: spec.EffectiveBaseRTT(), rto: spec.EffectiveRTO(), hosts: make([]host, g.Hosts),
		rngTopo: draw.Of(kernel.StreamTopo), rngSpray: draw.Of(kernel.StreamSpray), rngHost: draw.Of(kernel.StreamHost),
	}
	t.net = net.New(t.spec, layout, t.wheel, t.count, t.bytes, draw.Of)
	s := &Sim{Hosts: &Hosts{tables: t}, progress: o.Progress}
	s.sender = sender{
		tables: t, wheel: t.wheel, net: t.net, count: t.count, tap: o.Tap, rows: append(slices.Clone(o.Rows), cc.Rows()...),
	}
	s.receiver = receiver{tables: t, wheel: t.wheel, net: t.net, count: t.count}
	t.net.NIC = s.Hosts
	if o.Only != nil {
		s.sender.only = &cc.Row{New: o.Only}
	}
	for h := range g.Hosts {
		t.maxWnd = max(t.maxWnd, 3*int64(t.baseRTT)/(2*int64(t.net.Ports[h].PerByte)))
	}
	s.sender.ev.AckedPSNs = make([]uint32, 0, 2*t.maxWnd/int64(spec.MTU)+2)
	t.drawSlowHosts()
	if err := (&loader{&s.sender, o.Messages}).buildWorkload(); err != nil {
		return nil, err
	}
	if err := t.wheel.Fault(); err != nil {
		return nil, err
	}
	if err := s.sender.checkControls(); err != nil {
		return nil, err
	}
	t.net.BuildFailures()
	t.net.Watch(o.PortTap, o.Tapped)
	t.net.WatchPackets(o.Packets)
	if o.Every > 0 {
		s.depth = net.NewDepth(t.net, o.Every, o.Sampled)
	}
	if spec.Pods {
		if err := s.divide(o); err != nil {
			return nil, fmt.Errorf("pods = on: %w", err)
		}
	}
	return s, nil
}

// Now is the time of the run.
func (s *Sim) Now() units.Picos { return s.wheel.Now() }

// manyHosts is the size from which on a network is larger than the cache, and batch the number of events for which
// memory is then read ahead.
const (
	manyHosts = 512
	batch     = 32
)

// Loop takes events until none is left, the tap or MaxTime ends the run, or the
// context is cancelled; only the last is an error.
func (s *Sim) Loop(ctx context.Context) error {
	if s.parts != nil {
		return s.loopParts(ctx)
	}
	const look = 1 << 14                                        // events between two looks at the context
	w, n, end, count := s.wheel, s.net, s.spec.MaxTime, s.count // read for every event
	ahead, large := 0, len(s.hosts) >= manyHosts
	for turn := 1; !w.Halted(); turn++ {
		if turn%look == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s.progress != nil {
				s.progress(Progress{s.Now(), int(s.count.FlowsAcked), len(s.flows), s.count.PktHops})
			}
		}
		if large {
			if ahead--; ahead < 0 && w.Ready(forever) {
				ahead = s.readAhead()
			}
		}
		e, ok := w.Pop()
		if !ok {
			return nil
		}
		if end > 0 && e.At > end {
			s.late = true
			w.Advance(end)
			return nil
		}
		if e.Kind == net.EvSample { // sampling changes nothing, not even when the run ends
			s.depth.Sample(e.At)
			continue
		}
		if e.Kind >= kernel.IdleKinds && s.moot(e) {
			continue
		}
		w.Advance(e.At)
		count.Events++
		if e.Kind < kernel.HostKinds || e.Kind == net.EvFair {
			n.Handle(e)
		} else {
			s.handle(e)
		}
	}
	return w.Fault()
}

// readAhead reads what the next events need, and returns how many it read after the first.
func (s *Hosts) readAhead() int {
	list := s.wheel.Coming(batch)
	s.net.Ahead(list)
	return len(list) - 1
}

// moot reports whether an event that does not keep the run going has nothing to do: fair rates when nothing is to come,
// the stop of a flow that has ended.
func (s *Sim) moot(e kernel.Event) bool {
	switch e.Kind {
	case net.EvFair:
		return !s.wheel.Busy()
	case evStop:
		return s.flows[e.Arg].ackedAt >= 0
	}
	return false
}
