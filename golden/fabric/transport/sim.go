package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// Option changes how a run is made, not what it simulates. Package fabric has the constructors.
type Option func(*Options)

// ErrEndless is returned for a run that nothing would end.
var ErrEndless = errors.New("fabric run: rounds = 0 without an end: give max_time_ps or a tap that stops the run")

// Run simulates spec and returns its result; see fabric.Run.
func Run(ctx context.Context, spec settings.Spec, opts ...Option) (*result.Result, error) {
	o := Options{}
	for _, opt := range opts {
		opt(&o)
	}
	if spec.Shape() == settings.CustomFile {
		g, err := spec.Network()
		if err != nil {
			return nil, err
		}
		spec.Graph = g
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.Rounds == 0 && spec.MaxTime == 0 && o.Tap == nil {
		return nil, ErrEndless
	}
	if ctx.Err() != nil { // or the seeds that wait would each be built
		return nil, context.Cause(ctx)
	}
	s, err := Build(spec, o)
	if err != nil {
		return nil, err
	}
	if err := s.Loop(ctx); err != nil {
		return nil, fmt.Errorf("fabric run at %v: %w", s.Now(), err)
	}
	return s.Result(), nil
}

// EachSeed calls run once for each seed, on all CPUs, and returns the results in the order of the seeds. It errors with
// the first error of run, which cancels the context of the others.
func EachSeed(ctx context.Context, seeds []uint64,
	run func(ctx context.Context, seed uint64) (*result.Result, error)) ([]*result.Result, error) {
	out := make([]*result.Result, len(seeds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, seed := range seeds {
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			out[i], err = run(ctx, seed)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// Options are what a run is made with, in addition to its spec.
type Options struct {
	Tap      func(*cc.Event) bool           // called for each event of a context; false ends the run
	Only     cc.Factory                     // of every context's congestion control, in place of those named
	Rows     []cc.Row                       // congestion controls by name, before those that every run knows
	Pacers   func(PacerSpec) (Pacer, error) // of a host's credit, in place of the rule's; nil leaves it to the rule
	NICs     func(NICSpec) (NIC, error)     // of a host, for controls that are a NIC in hardware
	Messages []traffic.Message              // in place of the spec's workload
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
	layout, err := spec.Layout()
	if err != nil {
		return nil, err
	}
	spec.Graph = layout.Graph
	draw := &kernel.Streams{Seed: spec.Seed}
	s := &Sim{progress: o.Progress, Hosts: &Hosts{
		spec: &spec, baseRTT: spec.EffectiveBaseRTT(), rto: spec.EffectiveRTO(), hosts: make([]host, layout.Hosts),
		tap: o.Tap, rows: append(slices.Clone(o.Rows), cc.Rows()...),
	}}
	s.keep(draw, 1)
	s.net = net.New(&spec, layout, s.books(draw))
	s.net.NIC = s.Hosts
	if o.Only != nil {
		s.only = &cc.Row{New: o.Only}
	}
	for h := range s.hosts {
		s.maxWnd = max(s.maxWnd, windowOf(s.baseRTT, net.PerByte(s.net, &s.net.Ports[h])))
	}
	s.ev.AckedPSNs = make([]uint32, 0, 2*s.maxWnd/int64(spec.MTU)+2)
	s.drawSlowHosts()
	if err := (loader{s.Hosts}).buildWorkload(o.Messages); err != nil {
		return nil, err
	}
	if err := s.wheel.Fault(); err != nil {
		return nil, err
	}
	if err := (sender{s.Hosts}).checkControls(); err != nil {
		return nil, err
	}
	if err := s.buildCredit(o.Pacers); err != nil {
		return nil, err
	}
	if err := (hardware{s.Hosts}).build(o.NICs); err != nil {
		return nil, err
	}
	s.net.BuildFailures()
	s.net.Watch(o.PortTap, o.Tapped, o.Packets)
	if o.Every > 0 {
		s.depth = net.NewDepth(s.net, o.Every, o.Sampled)
	}
	if spec.Pods {
		if err := s.divide(o); err != nil {
			return nil, fmt.Errorf("pods = on: %w", err)
		}
	}
	return s, nil
}

// keep begins the books of hosts, those of one of so many parts, and their streams of random numbers.
func (s *Hosts) keep(draw *kernel.Streams, parts int) {
	s.wheel, s.count, s.bytes = kernel.NewWheel(s.spec.SlotWidth(parts)), &account.Counters{}, &account.Bytes{}
	s.rngTopo, s.rngSpray = draw.Of(kernel.StreamTopo), draw.Of(kernel.StreamSpray)
	s.rngHost = draw.Of(kernel.StreamHost)
}

// books are those that the hosts share with their network.
func (s *Hosts) books(draw *kernel.Streams) net.Books {
	return net.Books{Wheel: s.wheel, Count: s.count, Bytes: s.bytes, Draw: draw.Of}
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
// the stop of a flow that has ended, the timer of a CLOSE that is acknowledged.
func (s *Sim) moot(e kernel.Event) bool {
	switch e.Kind {
	case net.EvFair:
		return !s.wheel.Busy()
	case evClose:
		return s.tx[e.Arg].life != lifeClosing
	case evStop:
		return s.flows[e.Arg].ackedAt >= 0
	}
	return false
}
