package fabric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Option changes how a run is made, not what it simulates.
type Option func(*options)

type options struct {
	tap     func(*TapEvent) bool
	factory CCFactory
}

// WithTap calls f for every event of every context in the order of time. The
// event is reused by the next call. When f returns false the run ends, and its
// Result is marked as stopped.
func WithTap(f func(*TapEvent) bool) Option { return func(o *options) { o.tap = f } }

// WithCC makes every context with the given factory.
func WithCC(f CCFactory) Option { return func(o *options) { o.factory = f } }

// sim is the state of one run.
type sim struct {
	spec    Spec
	now     Picos
	wheel   *wheel
	pool    pool
	ports   []port
	baseRTT Picos
	rto     Picos
	bdp     int64
	paths   uint16
	lossCut uint64 // a 53-bit draw below it loses the packet

	hosts    []host
	switches []swtch
	ccc      []cccState
	tx       []txPDC
	rx       []rxPDC
	flows    []flow

	rngTopo, rngECN, rngSpray, rngLoss, rngHost *rand.PCG

	ev     TapEvent
	tap    func(*TapEvent) bool
	stop   bool
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
)

// build returns a run at time 0 with its first flows scheduled.
func build(spec Spec, factory CCFactory) (*sim, error) {
	s := &sim{spec: spec, baseRTT: spec.EffectiveBaseRTT(), rto: spec.EffectiveRTO(), bdp: spec.BDP()}
	s.paths = uint16(spec.Paths)
	s.lossCut = uint64(spec.LossProb * (1 << 53))
	for i, r := range []**rand.PCG{&s.rngTopo, &s.rngECN, &s.rngSpray, &s.rngLoss, &s.rngHost} {
		*r = rand.NewPCG(spec.Seed, uint64(streamTopo+i))
	}
	hosts := spec.Hosts()
	s.wheel = newWheel(slotWidth(spec), 64*hosts)
	s.pool = newPool(64 * hosts)
	s.buildFatTree()
	s.buildSlowHosts()
	if err := s.buildWorkload(factory); err != nil {
		return nil, err
	}
	return s, nil
}

// slotWidth returns the width of the wheel's slots as a power of two in
// picoseconds: the span in which the busy network has about four events.
func slotWidth(spec Spec) uint {
	ports := float64(spec.Hosts() * hopsLongest)
	perPort := float64(spec.MTU) * float64(psPerByte(spec.LinkGbps)) / 3
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
		n.drainTime = Picos(float64(psPerByte(s.spec.LinkGbps)) / s.spec.DrainShare)
		slow++
	}
}

// loop takes events until none is left, the tap or MaxTime ends the run, or the
// context is cancelled; only the last is an error.
func (s *sim) loop(ctx context.Context) error {
	const look = 1 << 14 // events between two looks at the context
	for n := 1; !s.stop; n++ {
		if n%look == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e, ok := s.wheel.pop()
		if !ok {
			return nil
		}
		if s.spec.MaxTime > 0 && e.at > s.spec.MaxTime {
			s.now = s.spec.MaxTime
			return nil
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
		}
	}
	return nil
}

// errEndless is returned for a run that nothing would end.
var errEndless = errors.New("fabric run: rounds = 0 without an end: give max_time_ps or a tap that stops the run")

// Run simulates spec and returns its result. Without WithCC the senders run
// NSCC in float64. It errors when the spec is invalid, a congestion control
// cannot be made, or ctx is cancelled; lost or late flows are not errors but
// results (Result.Unfinished, Result.Verify).
func Run(ctx context.Context, spec Spec, opts ...Option) (*Result, error) {
	o := options{factory: NSCC(nil)}
	for _, opt := range opts {
		opt(&o)
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.Rounds == 0 && spec.MaxTime == 0 && o.tap == nil {
		return nil, errEndless
	}
	s, err := build(spec, o.factory)
	if err != nil {
		return nil, err
	}
	s.tap = o.tap
	if err := s.loop(ctx); err != nil {
		return nil, fmt.Errorf("fabric run at %v: %w", s.now, err)
	}
	return s.result(), nil
}
