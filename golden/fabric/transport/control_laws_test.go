package transport

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// The laws of this file hold for every row of the registry; a new control needs no edit here.

// eachControl runs a test for every control, on a spec that offers what the control needs.
func eachControl(t *testing.T, spec settings.Spec, test func(*testing.T, *cc.Row, settings.Spec)) {
	rows := cc.Rows()
	require.NotEmpty(t, rows)
	for i := range rows {
		t.Run(rows[i].Name, func(t *testing.T) {
			s := spec
			s.CC = rows[i].Name
			s.Provide(&rows[i])
			require.NoError(t, rows[i].Check(s.Offers()), "settings.Spec.Provide sets what a control needs")
			test(t, &rows[i], s)
		})
	}
}

// TestConservation: with queues that trim or drop, packets lost at random, several contexts and pauses, every byte of
// every flow arrives once and the books close.
func TestConservation(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"permutation": func(s *settings.Spec) { s.Workload, s.CCCsPerNIC = settings.Permutation, 2 },
		"trim":        func(s *settings.Spec) { s.LossProb = 1e-3 },
		"drop-tail":   func(s *settings.Spec) { s.Trim, s.DropAt = false, 0.5 },
		"jitter":      func(s *settings.Spec) { s.ServiceTime, s.ServiceJitter = 300*units.Nanosecond, units.Microsecond },
		"lossless":    func(s *settings.Spec) { s.Trim, s.PFC, s.XOff, s.XOn = false, true, 100_000, 50_000 },
	} {
		t.Run(name, func(t *testing.T) {
			spec := small(settings.Incast)
			spec.K, spec.FlowBytes, spec.Incast = 4, 200_000, 8
			edit(&spec)
			eachControl(t, spec, func(t *testing.T, row *cc.Row, s settings.Spec) {
				if row.Needs.Trim && !spec.Trim {
					t.Skip("it needs switches that trim")
				}
				r := books(t, s)
				if name == "trim" {
					require.Positive(t, r.Counters.DataLost+r.Counters.CtlLost+r.Counters.TrimLost)
				}
			})
		})
	}
}

// TestControlsRepeat: a run is a function of its spec and seed alone: not of the number of threads, of a tap or of
// other runs beside it.
func TestControlsRepeat(t *testing.T) {
	spec := small(settings.Incast)
	spec.K, spec.FlowBytes, spec.Incast = 4, 200_000, 8
	spec.LossProb, spec.ServiceJitter = 1e-3, units.Microsecond
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	eachControl(t, spec, func(t *testing.T, _ *cc.Row, s settings.Spec) {
		want := run(t, s)
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			events := 0
			sameRun(t, want, run(t, s, WithTap(func(*cc.Event) bool { events++; return true })))
			require.Positive(t, events)
			runs := seedsOf(t, s, 3)
			sameRun(t, want, runs[s.Seed-1])
			require.NotEqual(t, want.Digest, runs[s.Seed].Digest, "another seed")
		}
	})
}

// TestAloneTakesItsTime: one flow over an idle path takes (n + h - 1) serialisations and h latencies for n packets over
// h links, and an ACK's way back. A first window is a number of whole packets, which costs at most one of them. From
// then on n more packets take n serialisations, or as many as the share that a control leaves unused makes of them.
func TestAloneTakesItsTime(t *testing.T) {
	spec := alone(0)
	spec.LinkLatency = 200 * units.Nanosecond // ten packets are more than a round trip
	const hops = 4
	per := spec.LinkGbps.PerByte().Time(1)
	packet := units.Picos(spec.MTU) * per
	eachControl(t, spec, func(t *testing.T, row *cc.Row, s settings.Spec) {
		time := func(n int64) units.Picos {
			s.FlowBytes = n * int64(s.MTU-s.HeaderBytes)
			r := verified(t, s)
			f := r.Flows[0]
			require.Zero(t, f.Rtx)
			back := hops * (units.Picos(s.CtlBytes)*per + s.LinkLatency)
			ideal := units.Picos(n+hops-1)*packet + hops*s.LinkLatency + back
			require.Equal(t, ideal, f.Ideal)
			require.GreaterOrEqual(t, f.Acked-f.Start, ideal)
			return f.Acked - f.Start - ideal
		}
		require.Zero(t, time(1))
		if row.Share == 0 {
			short := time(1000)
			require.LessOrEqual(t, short, packet)
			require.Equal(t, short, time(3000))
			return
		}
		s.LinkLatency = 10 * units.Microsecond // the window is 245 packets, and whole ones cost little
		more := 6000 * float64(packet) * (1/row.Share - 1)
		require.InEpsilon(t, more, float64(time(9000)-time(3000)), 0.1, "a share of %v", row.Share)
	})
}

// TestTwiceAsFast: twice the rate and half of every delay halve every completion time to the picosecond, once the
// parameters of a control are scaled by their units. A paced packet, or a pull, begins at a whole picosecond, so times
// of controls with a pace may differ by that rounding. Of a control that knows something absolute the row says what it
// is; it keeps the law for the time in which all flows end, to a fifth, and must break it in one of the flows.
func TestTwiceAsFast(t *testing.T) {
	broken := map[string]bool{}
	for _, w := range []settings.Workload{settings.Permutation, settings.Incast} {
		t.Run(string(w), func(t *testing.T) {
			spec := small(w)
			spec.LinkGbps, spec.LinkLatency = 200, units.Microsecond
			eachControl(t, spec, func(t *testing.T, row *cc.Row, s settings.Spec) {
				paced := row.Needs.Credit
				slow := verified(t, s, WithTap(func(ev *cc.Event) bool {
					paced = paced || ev.Out.Rate > 0
					return true
				}))
				if w == settings.Incast {
					require.Positive(t, slow.Counters.ECN, "no queue was full")
				}
				s.LinkGbps *= 2
				s.LinkLatency /= 2
				fast := verified(t, s, WithControl(twice(*row)))
				far, last := 0.0, [2]units.Picos{}
				for i := range slow.Flows {
					x, y := slow.Flows[i].Acked, 2*fast.Flows[i].Acked
					far = max(far, math.Abs(float64(x-y)))
					last = [2]units.Picos{max(last[0], x), max(last[1], y)}
				}
				switch {
				case row.Absolute != "":
					broken[row.Name] = broken[row.Name] || far > 0
					require.InEpsilon(t, float64(last[0]), float64(last[1]), 0.2, row.Absolute)
				case paced:
					require.LessOrEqual(t, far/float64(last[0]), 1e-6)
				default:
					require.Zero(t, far)
				}
			})
		})
	}
	for _, row := range cc.Rows() {
		if row.Absolute != "" {
			require.True(t, broken[row.Name], "%s keeps the law: its row need not say %q", row.Name, row.Absolute)
		}
	}
}

// scales is what a parameter of a unit is multiplied with when rates double and times halve.
var scales = map[string]float64{"us": 0.5, "Gb/s": 2, "packets/s^3": 8}

// twice returns a control whose parameters are those that it has on a network of half the rate and twice the delays,
// scaled by their units.
func twice(row cc.Row) cc.Row {
	create := row.New
	row.New = func(cfg cc.Config) (cc.Control, error) {
		fast, err := create(cfg)
		if err != nil {
			return nil, err
		}
		cfg.LinkGbps /= 2
		cfg.BaseRTT *= 2
		slow, err := create(cfg)
		if err != nil {
			return nil, err
		}
		from, ok := slow.(cc.Inspector)
		if !ok {
			return fast, nil
		}
		to := fast.(cc.Inspector).Params()
		for i, f := range from.Params() {
			by := scales[f.Unit]
			if by == 0 {
				by = 1
			}
			if err := to[i].Set(f.Get() * by); err != nil {
				return nil, err
			}
		}
		return fast, fast.(cc.Inspector).Validate()
	}
	row.Needs.CNP /= 2
	return row
}

// TestLawsSeeAFault: the comparisons above see a control that breaks a law.
func TestLawsSeeAFault(t *testing.T) {
	// A window that falls a microsecond after its first event, on any network.
	bad := cc.Row{Name: "scripted", New: func(cfg cc.Config) (cc.Control, error) {
		inner, err := cc.FixedWindow(0)(cfg)
		if err != nil {
			return nil, err
		}
		return late{inner}, nil
	}}
	s := alone(300)
	at := func(s settings.Spec, row cc.Row) units.Picos {
		r, err := Run(context.Background(), s, WithControl(row))
		require.NoError(t, err)
		var f result.FlowResult = r.Flows[0]
		return f.Acked - f.Start - f.Ideal
	}
	slow := at(s, bad)
	require.Positive(t, slow, "the flow alone is late")
	s.LinkGbps *= 2
	s.LinkLatency /= 2
	require.NotEqual(t, slow, 2*at(s, twice(bad)))
}

// late is a control that sends nothing in the microseconds from 20 to 27.
type late struct{ cc.Control }

func (l late) Step(ev *cc.Event) cc.Out {
	out := l.Control.Step(ev)
	if ev.Time > 20*units.Microsecond && ev.Time < 27*units.Microsecond {
		out.CanSend, out.Timer = false, 27*units.Microsecond
	}
	return out
}
