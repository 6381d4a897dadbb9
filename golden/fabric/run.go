package fabric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// Option changes how a run is made, not what it simulates.
type Option func(*options)

type options struct {
	tap        func(*cc.Event) bool
	factory    cc.Factory
	rows       []cc.Row
	ptap       func(*PortEvent)
	ptapPorts  []int32
	every      units.Picos
	depthPorts []int32
	messages   []traffic.Message
	progress   func(Progress)
}

// WithTap calls f for every event of every context in the order of time. The
// event is reused by the next call. When f returns false the run ends, and its
// Result is marked as stopped.
func WithTap(f func(*cc.Event) bool) Option { return func(o *options) { o.tap = f } }

// WithCC makes every context with the given factory.
func WithCC(f cc.Factory) Option { return func(o *options) { o.factory = f } }

// WithControl adds a congestion control to those that Spec.CC can name, or takes the
// place of the one of that name. WithCC overrides it.
func WithControl(row cc.Row) Option {
	return func(o *options) { o.rows = append([]cc.Row{row}, o.rows...) }
}

// WithMessages replaces the spec's workload by a list of messages.
func WithMessages(list []traffic.Message) Option {
	return func(o *options) { o.messages = list }
}

// Progress is how far a run has come.
type Progress struct {
	Time        units.Picos
	Done, Flows int // flows acknowledged, of those known so far
	PktHops     uint64
}

// WithProgress calls f now and then, at the same events in every run of a spec.
func WithProgress(f func(Progress)) Option { return func(o *options) { o.progress = f } }

// sim is the state of one run.
type sim struct {
	spec    Spec
	now     units.Picos
	wheel   *wheel
	pool    pool
	ports   []port
	baseRTT units.Picos
	rto     units.Picos
	stall   units.Picos // between two looks for pauses that do not end
	maxWnd  int64       // of the fastest host
	drr     bool
	lossCut uint64 // a 53-bit draw below it loses the packet

	hosts    []host
	switches []swtch
	ccc      []cccState
	tx       []txPDC
	rx       []rxPDC
	flows    []flow

	net        *topo.Net
	routes     *topo.Routes // nil while the rules of the tree hold
	intact     *topo.Routes // with every link up, for the reasons of flows that did not end
	mediumData bool
	mixed      bool // not all links have the rate of the spec
	outages    []outage
	given      []traffic.Message // in place of the spec's workload
	waited     []bool            // flow waits for others
	watching   bool              // an evStall is scheduled
	deadlock   []int32           // ports that wait for one another in a circle
	linkDown   []bool
	ints       []intStack
	answered   int32 // packet being answered
	rings      [32][]ringMemory
	bound      []int64   // packets of each connection, of a list of messages
	after      [][]int32 // flows that wait for each flow
	finished   []int32   // flows that the ACK at hand ended
	tied       []int32   // ports that adaptive routing finds equal
	rows       []cc.Row  // congestion controls by name, the first of a name counts
	only       *cc.Row   // of every context, in place of those named
	ccTimers   int       // evControl events pending
	progress   func(Progress)
	depth      *depth
	err        error
	ptap       func(*PortEvent)
	ptapOn     []bool
	pev        PortEvent
	bytes      byteBooks

	rngTopo, rngECN, rngSpray, rngLoss, rngHost, rngTrim, rngFail, rngRoute *rand.PCG

	ev     cc.Event
	tap    func(*cc.Event) bool
	stop   bool
	late   bool // MaxTime ended the run
	count  Counters
	digest uint64
}

// Streams of random numbers, one for each purpose, so that turning one
// disturbance on leaves every other draw as it was.
const (
	streamTopo = iota + 1
	streamECN
	streamSpray
	streamLoss
	streamHost
	streamTrim
	streamFail
	streamRoute
)

// build returns a run at time 0 with its first flows scheduled.
func build(spec Spec, factory cc.Factory) (*sim, error) {
	return buildWith(spec, &options{factory: factory})
}

func buildWith(spec Spec, o *options) (*sim, error) {
	g, err := spec.Network()
	if err != nil {
		return nil, err
	}
	spec.Graph = g
	net, err := g.Net()
	if err != nil {
		return nil, err
	}
	s := &sim{spec: spec, baseRTT: spec.EffectiveBaseRTT(), rto: spec.EffectiveRTO(), stall: spec.pathRTO()}
	s.tap, s.ptap, s.progress = o.tap, o.ptap, o.progress
	if o.factory != nil {
		s.only = &cc.Row{New: o.factory}
	}
	s.rows = append(slices.Clone(o.rows), cc.Rows()...)
	s.given = o.messages
	s.drr = spec.DRR != [classes]int{}
	s.mediumData = spec.mediumElephants()
	s.lossCut = uint64(spec.LossProb * (1 << 53))
	for i, r := range []**rand.PCG{
		&s.rngTopo, &s.rngECN, &s.rngSpray, &s.rngLoss, &s.rngHost, &s.rngTrim, &s.rngFail, &s.rngRoute,
	} {
		*r = rand.NewPCG(spec.Seed, uint64(streamTopo+i))
	}
	hosts := g.Hosts
	room := spec.roomFor(hosts)
	s.wheel = newWheel(slotWidth(spec), room)
	s.pool = newPool(room)
	s.buildNetwork(net)
	for h := range hosts {
		s.maxWnd = max(s.maxWnd, 3*int64(s.baseRTT)/(2*int64(s.ports[h].perByte)))
	}
	s.ev.AckedPSNs = make([]uint32, 0, 2*s.maxWnd/int64(spec.MTU)+2)
	s.buildSlowHosts()
	if err := s.buildWorkload(); err != nil {
		return nil, err
	}
	if s.err != nil {
		return nil, s.err
	}
	if err := s.checkControls(); err != nil {
		return nil, err
	}
	s.buildFailures()
	s.buildTaps(o)
	return s, nil
}

// roomFor returns the number of packets, and with them events, that the network
// can hold before its tables grow: a window for each host. Memory that is not
// used is not touched either.
func (s Spec) roomFor(hosts int) int {
	window := min(s.BDP()*3/2/int64(s.MTU)+16, 1<<12)
	if s.Workload == Permutation && s.Rounds == 1 {
		window = min(window, s.FlowBytes/int64(s.MTU-s.HeaderBytes)+16)
	}
	return int(window) * hosts * 5 / 4
}

// slotWidth returns the width of the wheel's slots as a power of two in
// picoseconds: the span in which the busy network has about four events.
func slotWidth(spec Spec) uint {
	ports := float64(max(spec.Hosts(), 1) * hopsLongest)
	perPort := float64(spec.MTU) * float64(units.PerByte(spec.LinkGbps)) / 3
	w := math.Log2(4 * perPort / ports)
	return uint(min(max(w, 4), 20))
}

// buildSlowHosts draws the hosts whose memory drains slowly; every second of
// them lets its senders restore their windows.
func (s *sim) buildSlowHosts() {
	slow := 0
	for h := range s.hosts {
		n := &s.hosts[h]
		n.ready = -1
		if float64(s.rngHost.Uint64()>>11)/(1<<53) >= s.spec.SlowHosts {
			continue
		}
		n.slow, n.restore = true, slow%2 == 0
		n.drainTime = units.Picos(float64(s.ports[h].perByte) / s.spec.DrainShare)
		slow++
	}
}

// loop takes events until none is left, the tap or MaxTime ends the run, or the
// context is cancelled; only the last is an error.
func (s *sim) loop(ctx context.Context) error {
	const look = 1 << 14 // events between two looks at the context
	for n := 1; !s.stop; n++ {
		if n%look == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if s.progress != nil {
				s.progress(Progress{s.now, int(s.count.FlowsAcked), len(s.flows), s.count.PktHops})
			}
		}
		e, ok := s.wheel.pop()
		if !ok {
			return nil
		}
		if s.spec.MaxTime > 0 && e.at > s.spec.MaxTime {
			s.now, s.late = s.spec.MaxTime, true
			return nil
		}
		if e.kind == evSample { // who looks changes nothing, not even when the run ends
			s.sample(e.at)
			continue
		}
		s.now = e.at
		s.count.Events++
		switch e.kind {
		case evArrive:
			s.arrive(e.arg)
		case evWake:
			s.wake(e.arg)
		case evTimer:
			s.onTimer(e.arg)
		case evStart:
			s.startFlow(e.arg)
		case evEmit:
			s.emit(e.arg, s.tx[s.pool.pkts[e.arg].pdc].dst)
		case evProbe:
			s.onProbeTimer(e.arg)
		case evPause:
			s.onPause(e.arg, true)
		case evResume:
			s.onPause(e.arg, false)
		case evFail:
			s.onFail(e.arg)
		case evStall:
			s.onStall()
		case evPace:
			s.onPace(e.arg)
		case evControl:
			s.onControl(e.arg)
		case evNotify:
			s.onNotify(e.arg)
		}
	}
	return s.err
}

// fail ends the run with an error.
func (s *sim) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.stop = true
}

// errEndless is returned for a run that nothing would end.
var errEndless = errors.New("fabric run: rounds = 0 without an end: give max_time_ps or a tap that stops the run")

// Run simulates spec and returns its result. Without WithCC the senders run
// NSCC in float64. It errors when the spec is invalid, a congestion control
// cannot be made, or ctx is cancelled; lost or late flows are not errors but
// results (Result.Unfinished, Result.Verify).
func Run(ctx context.Context, spec Spec, opts ...Option) (*Result, error) {
	o := options{}
	for _, opt := range opts {
		opt(&o)
	}
	if spec.topology() == CustomFile {
		g, err := spec.Network()
		if err != nil {
			return nil, err
		}
		spec.Graph = g
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.Rounds == 0 && spec.MaxTime == 0 && o.tap == nil {
		return nil, errEndless
	}
	if ctx.Err() != nil { // or the seeds that wait would each be built
		return nil, context.Cause(ctx)
	}
	s, err := buildWith(spec, &o)
	if err != nil {
		return nil, err
	}
	if err := s.loop(ctx); err != nil {
		return nil, fmt.Errorf("fabric run at %v: %w", s.now, err)
	}
	return s.result(), nil
}
