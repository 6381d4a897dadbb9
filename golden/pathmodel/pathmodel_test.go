package pathmodel

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/swift"
)

// The worked values of congestion-control.md: Swift's form at q 0.01 and SMaRTT's at a 1.2, BDP 153.
func TestClosedForms(t *testing.T) {
	require.InDelta(t, 12.247449, Reno(0.01), 1e-6)
	require.InDelta(t, 12.247449, Swift(0.01, 0.5, 1), 1e-6)
	require.InDelta(t, 57.698, SMaRTT(0.01, 1.2, 153), 5e-4)
	c := DelayCut(13.5, 9.75, 0.8, 0.5)
	require.InDelta(t, 0.8*3.75/13.5, c, 1e-12)
	require.InDelta(t, 2.0, Swift(1, c, 1), 5e-3)
	require.Equal(t, 0.5, DelayCut(100, 1, 0.8, 0.5))
	require.Zero(t, DelayCut(5, 9.75, 0.8, 0.5))
	require.InDelta(t, -0.5, Slope([]float64{0.001, 0.01, 0.02}, []float64{Reno(0.001), Reno(0.01), Reno(0.02)}), 1e-12)
	require.True(t, math.IsNaN(Slope([]float64{1}, []float64{1})))
	// SMaRTT tends to Reno's slope for rare marks.
	require.InDelta(t, -0.57, math.Log10(SMaRTT(1e-3, 1.2, 153)/SMaRTT(1e-4, 1.2, 153)), 0.01)
	require.InDelta(t, -0.94, math.Log(SMaRTT(0.1, 1.2, 153)/SMaRTT(0.03, 1.2, 153))/math.Log(0.1/0.03), 0.01)
}

// A window that never moves gives itself per mean round trip, in turn and at random.
func TestConstantWindow(t *testing.T) {
	for _, n := range []int{0, 2, 3, 4, 10, 100} {
		for _, random := range []bool{false, true} {
			s := DefaultSpec()
			s.Paths, s.Random, s.Seed = n, random, 7
			r, err := Run(s, cc.FixedWindow(100*4096))
			require.NoError(t, err)
			require.InEpsilon(t, 100, r.PerFast*s.Mean()/s.Fast, 0.01, "%d paths, random %v", n, random)
			require.Equal(t, s.Acks, r.Packets, "each ACK brings a packet")
			require.Zero(t, r.Resent)
			require.Equal(t, 100.0, r.MeanWnd)
		}
	}
}

// One ACK in n is slow when the sends are spread evenly.
func TestRecord(t *testing.T) {
	s := DefaultSpec()
	s.Paths, s.Warm, s.Acks, s.Record, s.Pace = 5, 100, 1000, true, 0.5
	r, err := Run(s, cc.FixedWindow(20*4096))
	require.NoError(t, err)
	require.Len(t, r.SlowAcks, 1000)
	for i, slow := range r.SlowAcks[:len(r.SlowAcks)-5] {
		require.Equal(t, slow, r.SlowAcks[i+5])
	}
	hit, n := SlowRanks(r.SlowAcks, 1, 1)
	require.Equal(t, []int{200, 1000}, []int{hit, n})
}

// Every control runs, twice alike, and the order of their throughputs is that of the theory.
func TestControls(t *testing.T) {
	s := DefaultSpec()
	s.Paths, s.Warm, s.Acks = 100, 20_000, 50_000
	edit := func(w *swift.Spec) { w.Base, w.FSRange, w.Most = 9.75, 0, 190 }
	got := map[string]float64{}
	for name, f := range map[string]cc.Factory{
		"newreno": cc.NewReno(nil), "dctcp": cc.DCTCP(nil), "swift": cc.Swift(swift.Plain, edit),
		"lswift": cc.Swift(swift.Loss, edit), "mswift": cc.Swift(swift.Median, edit),
	} {
		a, err := Run(s, f)
		require.NoError(t, err)
		b, err := Run(s, f)
		require.NoError(t, err)
		require.Equal(t, a, b, name)
		got[name] = a.PerFast
	}
	require.Equal(t, got["newreno"], got["dctcp"], "without marks")
	require.Less(t, got["newreno"], got["swift"])
	require.Less(t, got["swift"], got["lswift"])
	require.InDelta(t, 190, got["mswift"], 2)
	s.Mark = true
	marked, err := Run(s, cc.DCTCP(nil))
	require.NoError(t, err)
	require.Less(t, marked.PerFast, got["newreno"])
}

// A late packet that three later ones overtake is resent once; with a shorter delay it is not.
func TestLatePackets(t *testing.T) {
	s := DefaultSpec()
	s.Paths, s.Warm, s.Acks = 50, 0, 50_000
	r, err := Run(s, cc.NewReno(nil))
	require.NoError(t, err)
	require.InDelta(t, 1000, r.Resent, 20)
	s.Slow = 7.6
	s.Acks = 500
	r, err = Run(s, cc.NewReno(nil))
	require.NoError(t, err)
	require.Zero(t, r.Resent)
}

func TestRefuses(t *testing.T) {
	for want, edit := range map[string]func(*Spec){
		"slow": func(s *Spec) { s.Slow = 7 }, "acks": func(s *Spec) { s.Acks = 0 },
		"paths": func(s *Spec) { s.Paths = -1 }, "fast": func(s *Spec) { s.Fast = math.NaN() },
	} {
		s := DefaultSpec()
		edit(&s)
		_, err := Run(s, cc.NewReno(nil))
		require.ErrorContains(t, err, want)
	}
	_, err := Run(DefaultSpec(), cc.NewReno(nil)) // nothing ever stops its slow start
	require.ErrorContains(t, err, "outstanding")
	_, err = Run(DefaultSpec(), func(cc.Config) (cc.Control, error) { return still{}, nil })
	require.ErrorContains(t, err, "stands still")
}

type still struct{}

func (still) Step(*cc.Event) cc.Out { return cc.Out{} }

// SlowRanks agrees with counting in each window.
func TestSlowRanks(t *testing.T) {
	series := []bool{true, false, false, true, true, false, true, true, true, false}
	for h := 1; h <= len(series); h++ {
		for rank := 1; rank <= h; rank++ {
			want := 0
			for i := 0; i+h <= len(series); i++ {
				fast := 0
				for _, s := range series[i : i+h] {
					if !s {
						fast++
					}
				}
				if rank > fast {
					want++
				}
			}
			hit, n := SlowRanks(series, h, rank)
			require.Equal(t, []int{want, len(series) - h + 1}, []int{hit, n}, "h %d rank %d", h, rank)
		}
	}
}
