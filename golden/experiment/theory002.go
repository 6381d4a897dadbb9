package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/smartt"
	"github.com/goldwire/goldwire/golden/cc/swift"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/pathmodel"
)

// The numbers of paths of seed 002's theory, one of which is slow: shares of 0.001 to 0.02, and two beyond.
var (
	paths002  = []int{1000, 717, 514, 368, 264, 189, 136, 100, 70, 50}
	beyond002 = []int{25, 10}
	all002    = slices.Concat(paths002, beyond002)
)

const (
	delays002 = "path model: fast paths of 7.5 us, one of 13.5 us (SMaRTT: 18.75 us, marked), base 6.25 us, MSS 4096, " +
		"target 9.75 us, flow scaling off, windows without a cap, packets over n = 1/q paths in turn, sends spread at a " +
		"window per round trip"
	safePaths = "path model as of 002/table1, first window 1 BDP, cap 1.25 BDP"
)

// spec002 is a run over n paths, 0 for none that is slow.
func spec002(n int) pathmodel.Spec {
	s := pathmodel.DefaultSpec()
	s.Paths = n
	return s
}

// smarttSpec002 is one by the constraints of SMaRTT, which takes long to settle.
func smarttSpec002(n int) pathmodel.Spec {
	s := spec002(n)
	s.Slow, s.Mark, s.Warm = 3*base002, true, 300_000
	return s
}

// cutInHalf are the controls whose window is full for half a round trip after a cut, and catchUp is a pace, in windows
// per round trip, that makes up for it.
var cutInHalf = []string{"newreno", "dctcp"}

const catchUp = 1.25

// ahead is the name of a control at that pace.
func ahead(control string) string { return fmt.Sprintf("%s at a pace of %v", control, catchUp) }

func pathLabel(control string, n int) string { return fmt.Sprintf("%s n=%d", control, n) }

// table002 adds the runs of table I and figure 2.
func table002(s *setup) {
	for _, n := range all002 {
		for _, c := range []string{"newreno", "dctcp", "swift", "lswift"} {
			s.addPath(pathLabel(c, n), c, spec002(n))
		}
		marked := spec002(n)
		marked.Mark = true
		s.addPath(pathLabel("dctcp marked", n), "dctcp", marked)
		s.addPath(pathLabel("smartt", n), "smartt", smarttSpec002(n))
	}
}

// safeShares are the numbers of paths for which the window of the median is checked; 0 is without a slow one.
var safeShares = []int{0, 100, 25, 10, 5, 4, 3, 2}

func theory002() []Experiment {
	return []Experiment{
		{
			ID: "002/table1", Title: "throughput under spraying, theory", Source: "seed 002, section II and appendix A",
			Claim: "throughput is 1.22/sqrt(q) for TCP, DCTCP and Swift, and has a closed form for SMaRTT",
			Small: delays002 + "; q from 0.001 to 0.05",
			runs: func(s *setup) {
				table002(s)
				for _, n := range []int{20, 30} {
					s.addPath(pathLabel("smartt", n), "smartt", smarttSpec002(n))
				}
				for _, n := range paths002 {
					for _, c := range cutInHalf {
						fast := spec002(n)
						fast.Pace = catchUp
						s.addPath(pathLabel(ahead(c), n), c, fast)
					}
				}
				drawn := spec002(100)
				drawn.Random = true
				s.addPath(pathLabel("newreno drawn", 100), "newreno", drawn)
			},
			judge: judgeTable, figures: figuresTable,
		},
		{
			ID: "002/fig2", Title: "throughput against the share of slow packets", Source: "seed 002, section II, figure 2",
			Claim: "from 1 to 2 % of slow packets throughput falls by sqrt(2); resilient variants lie higher",
			Small: delays002 + "; q from 0.001 to 0.1",
			runs: func(s *setup) {
				table002(s)
				drawn := spec002(10)
				drawn.Random = true
				s.addPath(pathLabel("newreno drawn", 10), "newreno", drawn)
				drawn.Mark = true
				s.addPath(pathLabel("dctcp marked drawn", 10), "dctcp", drawn)
			},
			judge: judgeFig2, figures: figuresTable,
		},
		{
			ID: "002/median-safe", Title: "bound of the median", Source: "seed 002, theorem 6",
			Claim: "the median of the last H >= 3 ACKs does not collapse for q < 1/3",
			Small: safePaths,
			runs: func(s *setup) {
				for _, n := range safeShares {
					s.addPath(pathLabel("mswift", n), "mswift-capped", spec002(n))
					s.addPath(pathLabel("lswift", n), "lswift-capped", spec002(n))
				}
				for n := 2; n <= 64; n++ {
					s.addPath(label("ACKs", n), "window", ackSpec(n, false))
				}
				s.addPath("drawn", "window", ackSpec(11, true))
			},
			judge: judgeSafe, figures: figuresSafe,
		},
	}
}

// ackSpec is a run of a constant window that records which ACKs were slow. Its sends are spread evenly.
func ackSpec(n int, random bool) pathmodel.Spec {
	s := spec002(n)
	s.Pace, s.Record, s.Warm, s.Acks, s.Random = 0.5, true, 1000, 4000, random
	if random {
		s.Acks = 500_000
	}
	return s
}

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
