package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/smartt"
	"github.com/goldwire/goldwire/golden/cc/swift"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/pathmodel"
)

// path is a run on the path model, by a control of pathControls.
type path struct {
	Spec    pathmodel.Spec
	Control string
}

// run makes it.
func (p *path) run() (*Outcome, error) {
	factory, ok := pathControls()[p.Control]
	if !ok {
		return nil, fmt.Errorf("path model: no control %q", p.Control)
	}
	res, err := pathmodel.Run(p.Spec, factory)
	if err != nil {
		return nil, err
	}
	return &Outcome{Result: &result.Result{}, Path: res}, nil
}

// addPath adds a run on the path model. It draws nothing unless its paths are random, so that all seeds share it.
func (s *setup) addPath(label, control string, spec pathmodel.Spec) {
	if spec.Random {
		spec.Seed = s.seed
	}
	r := run{label: label, path: &path{Spec: spec, Control: control}}
	r.spec.Seed = spec.Seed
	s.runs = append(s.runs, r)
}

// The conditions of the theorems: Swift's target lies between the two delays, without flow scaling; windows have no
// cap but those of the median, whose windows never shrink.
const (
	target002 = 9.75 // us, 1.3 of a fast path
	base002   = 6.25 // us
	uncapped  = 1e9
)

// bdp002 is the bandwidth-delay product of 800 Gb/s and the base round trip, packets.
const bdp002 = 800 * 125 * base002 / 4096

func pathControls() map[string]cc.Factory {
	swiftOf := func(kind swift.Kind, most float64) cc.Factory {
		return cc.Swift(kind, func(s *swift.Spec) { s.Base, s.FSRange, s.Most = target002, 0, most })
	}
	const window = 1.25 * bdp002 * 4096
	return map[string]cc.Factory{
		"newreno": cc.NewReno(nil), "dctcp": cc.DCTCP(nil),
		"swift": swiftOf(swift.Plain, uncapped), "lswift": swiftOf(swift.Loss, uncapped),
		"lswift-capped": swiftOf(swift.Loss, 1.25*bdp002), "mswift-capped": swiftOf(swift.Median, 1.25*bdp002),
		"smartt": withFirst(cc.SMaRTT(func(s *smartt.Spec) { s.Most = 1e15 }), "c",
			func(cc.Config) float64 { return window }),
		"window": cc.FixedWindow(256 * 4096),
	}
}

// withFirst returns a factory of contexts whose window, which is a field of their state, begins at so many bytes.
func withFirst(f cc.Factory, field string, bytes func(cc.Config) float64) cc.Factory {
	return func(cfg cc.Config) (cc.Control, error) {
		c, err := f(cfg)
		if err != nil {
			return nil, err
		}
		in, ok := c.(cc.Inspector)
		if !ok {
			return nil, fmt.Errorf("congestion control %T: its window cannot be set", c)
		}
		w := firstWindow{in, field, bytes(cfg)}
		return &w, nil
	}
}

type firstWindow struct {
	cc.Inspector
	field string
	bytes float64
}

// Step implements cc.Control.
func (f *firstWindow) Step(ev *cc.Event) cc.Out {
	out := f.Inspector.Step(ev)
	if ev.Kind == cc.KindOpen {
		if err := param.Set(f.State(), f.field, math.Floor(f.bytes)); err != nil {
			panic(err) // a mistake in the experiment
		}
		out.Cwnd = int64(f.bytes)
	}
	return out
}

// perFast returns packets per round trip of a fast path.
func perFast(o *Outcome) float64 {
	if o.Path == nil || o.Path.Packets == 0 {
		return math.NaN()
	}
	return o.Path.PerFast
}

// perMean returns packets per mean round trip.
func perMean(o *Outcome) float64 {
	if o.Path == nil || o.Path.Packets == 0 {
		return math.NaN()
	}
	return o.Path.PerFast * o.Path.Spec.Mean() / o.Path.Spec.Fast
}
