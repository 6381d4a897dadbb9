package loop

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// credited returns a preset whose senders send by credit.
func credited(t *testing.T, preset, control string, bytes int64) settings.Spec {
	t.Helper()
	p, err := presets.Lookup(preset)
	require.NoError(t, err)
	s := p.Spec
	s.CC, s.FlowBytes, s.ECNLastHop = control, bytes, false
	return s
}

// The hardware's pacer does to a network what the rule does, and the RTL exactly what the model does. Permutations have
// fewer pulls, as a sender is in the idle list at most once.
func TestPacersOfANetwork(t *testing.T) {
	for preset, pulls := range map[string]float64{"fattree128/incast32": 0.03, "fattree128/permutation": 0.2} {
		t.Run(preset, func(t *testing.T) {
			spec := credited(t, preset, "rccc", 2_000_000)
			rule := run(t, Config{}, spec)
			spec.CC = CreditFixed
			model := run(t, Config{}, spec)
			t.Logf("mean %.2f us, %d pulls; by the rule %.2f us, %d pulls", model.FCT().Mean, model.Counters.Credits,
				rule.FCT().Mean, rule.Counters.Credits)
			require.NotEqual(t, rule.Digest, model.Digest, "the clock shows")
			require.InEpsilon(t, rule.FCT().Mean, model.FCT().Mean, 0.005)
			require.InEpsilon(t, rule.FCT().P99, model.FCT().P99, 0.01)
			require.InDelta(t, rule.Counters.Trims, model.Counters.Trims, 0.05*float64(rule.Counters.Trims)+1)
			require.InEpsilon(t, rule.Counters.Credits, model.Counters.Credits, pulls)
			spec.CC = CreditRTL
			rtl, played, err := Run(t.Context(), Config{Root: "../../.."}, spec, nil)
			require.NoError(t, err)
			same(t, model, rtl)
			require.Equal(t, rtl.Counters.Credits, played.Paced.Pulls, "each is compared")
			require.Equal(t, map[bool]int{true: 1, false: 128}[spec.Workload == settings.Incast], played.Paced.Pacers)
			require.Greater(t, played.Paced.Cycles, played.Paced.Pulls)
			require.Nil(t, played.Paced.Left)
		})
	}
}

// A design that leaves the model is named by the pull and the host, and the network has followed the model.
func TestBrokenPacerIsFound(t *testing.T) {
	spec := credited(t, "fattree128/permutation", CreditRTL, 1_000_000)
	dir := launchtest.RTL(t, "../../..", "credit_pace.sv", "sum[Frac-1:0]};", "{Frac{1'b0}}};")
	got, played, err := Run(t.Context(), Config{Root: "../../..", RTLDir: dir}, spec, nil)
	require.NoError(t, err)
	left := played.Paced.Left
	require.NotNil(t, left)
	require.Equal(t, 1, played.Paced.Pacers, "the first one shows it")
	require.Zero(t, played.Paced.Pulls, "of which no pull counts as compared")
	require.Greater(t, left.Event, uint64(2), "without fractions the third pull or a later one is early")
	require.Greater(t, left.Time, 5*units.Microsecond)
	require.Contains(t, left.String(), "pull ")
	require.Contains(t, left.String(), " of host ")
	spec.CC = CreditFixed
	same(t, run(t, Config{}, spec), got)
}

// So is a design that gives a pull while the model rests, also after the last pull of the run.
func TestPullInARestIsFound(t *testing.T) {
	r := paced(t)
	r.RTLDir = launchtest.RTL(t, "../../..", "credit.sv",
		".push_i (pull),", fmt.Sprintf(".push_i (pull | (given_q == %d && still_q == 2000)),", len(r.pacers[0].gave)),
		"  localparam int SenderW  =", `  int given_q, still_q;
  always_ff @(posedge clk_i) begin
    given_q <= rst_ni ? given_q + int'(pull) : 0;
    still_q <= pull ? 0 : still_q + 1;
  end
  localparam int SenderW  =`)
	done, err := r.playPacers()
	require.NoError(t, err)
	require.NotNil(t, done.Left)
	require.EqualValues(t, len(r.pacers[0].gave)+1, done.Left.Event)
	require.Greater(t, done.Left.Time, units.Picos(r.pacers[0].cycle)*fields.CreditCycle, "after the network")
}

// paced runs an incast with pacers that are to be played, and returns them without playing them.
func paced(t *testing.T) *closed {
	t.Helper()
	r := &closed{Config: Config{Root: "../../.."}, ctx: t.Context(), cancel: func() {}, tickNs: 1}
	own := []fabric.Option{fabric.WithPacers(r.newPacer)}
	for _, row := range creditRows() {
		row.New = cc.RCCC(nil) // senders without a device
		own = append(own, fabric.WithControl(row))
	}
	_, err := fabric.Run(t.Context(), credited(t, "fattree128/incast32", CreditRTL, 500_000), own...)
	require.NoError(t, err)
	require.Len(t, r.pacers, 1)
	require.Empty(t, r.pacers[0].pulls)
	require.NotEmpty(t, r.pacers[0].gave)
	return r
}

// What the network got must be what is compared: otherwise the device is held against something else. So must what
// arrived; and the device must have compared all of it.
func TestPullsOfTheNetworkAreCompared(t *testing.T) {
	skip := func(batches func(n int) bool) func(*closed, *pacer) {
		return func(r *closed, _ *pacer) {
			r.tamper = func(d *device.Device) device.Side { return &cut{Device: d, skip: batches} }
		}
	}
	for name, c := range map[string]struct {
		change func(r *closed, p *pacer)
		want   string
	}{
		"another number": {func(_ *closed, p *pacer) { p.gave[5].granted++ }, "the model gives pull 6, "},
		"another time":   {func(_ *closed, p *pacer) { p.gave[7].cycle-- }, "the model gives pull 8, "},
		"one too many":   {func(_ *closed, p *pacer) { p.gave = append(p.gave, pull{}) }, "pulls and the network got"},
		"one too few":    {func(_ *closed, p *pacer) { p.gave = p.gave[:len(p.gave)-1] }, ", other than the network"},
		"other wants": {func(_ *closed, p *pacer) {
			for i := range p.wants {
				p.wants[i].target = p.wants[i].target.Plus(3)
			}
		}, "the model gives pull "},
		"refused":   {func(_ *closed, p *pacer) { p.err = p.refused(t) }, "the block refuses CFG_WRITE"},
		"no batch":  {skip(func(int) bool { return true }), "the device compared 0 of"},
		"few":       {skip(func(n int) bool { return n > 2 }), "the device compared"},
		"other sum": {func(r *closed, _ *pacer) { r.tamper = otherSum }, "the device compared"},
	} {
		t.Run(name, func(t *testing.T) {
			r := paced(t)
			c.change(r, r.pacers[0])
			_, err := r.playPacers()
			require.ErrorContains(t, err, "pacer of host 0: ")
			require.ErrorContains(t, err, c.want)
		})
	}
	r := paced(t)
	done, err := r.playPacers()
	require.NoError(t, err)
	require.EqualValues(t, len(r.pacers[0].gave), done.Pulls)
}

// otherSum is a device that has seen other outputs.
func otherSum(d *device.Device) device.Side {
	return &cut{Device: d, finish: func(o *device.Outcome) { o.Digest ^= 1 }}
}

// refused gives the pacer's block an event that it refuses, and returns the pacer's error.
func (p *pacer) refused(t *testing.T) error {
	require.NoError(t, p.err)
	p.put(port.Event{Kind: port.KindCfgWrite, Addr: port.RegGap})
	p.until(p.cycle + 50)
	return p.err
}

// A device that dies ends the run with an error.
func TestPacersDeviceDies(t *testing.T) {
	for name, batches := range map[string]int{"at once": 1, "at the end": -1} {
		t.Run(name, func(t *testing.T) {
			r := paced(t)
			r.tamper = func(d *device.Device) device.Side { return &dying{d, batches} }
			_, err := r.playPacers()
			require.Error(t, err)
		})
	}
}

// A host has one pacer. Senders that name the rule's share the hardware's with others; those that name both of the
// hardware's do not. What the block has no room for is refused.
func TestWhoseThePacerIs(t *testing.T) {
	spec := credited(t, "fattree128/incast32", "rccc", 300_000)
	spec.CCContexts = map[int32]string{3: CreditRTL}
	_, played, err := Run(t.Context(), Config{Root: "../../.."}, spec, nil)
	require.NoError(t, err)
	require.Equal(t, 1, played.Paced.Pacers)
	spec.CCContexts[4] = CreditFixed
	_, _, err = Run(t.Context(), Config{}, spec, nil)
	require.ErrorContains(t, err, "pacer of host 0: one pacer serves all senders of a host")
	r := &closed{}
	at := func(senders int, gbps units.Gbps) error {
		_, err := r.newPacer(transport.PacerSpec{Controls: []string{CreditFixed}, PerByte: gbps.PerByte(), Senders: senders})
		return err
	}
	require.NoError(t, at(4096, 400))
	require.ErrorContains(t, at(4097, 400), "the block has at most 4096")
	require.ErrorContains(t, at(1, 5), "GAP")
}

// Senders in hardware and a pacer in hardware go together, each on its own device.
func TestBothDevices(t *testing.T) {
	spec := credited(t, "fattree128/incast32", CreditRTL, 100_000)
	spec.CCContexts = map[int32]string{3: RTL}
	cfg := Config{Root: "../../.."}
	rtl, played, err := Run(t.Context(), cfg, spec, nil)
	require.NoError(t, err)
	for _, d := range played.Devices()[:2] {
		require.Positive(t, d.Count, d.Block)
		require.Positive(t, d.Cycles, d.Block)
	}
	spec.CC, spec.CCContexts[3] = CreditFixed, Fixed
	same(t, run(t, Config{}, spec), rtl)
}

// A pacer that is asked when it is due has the pulls of one that is asked in every cycle, at the same times; and while
// it rests, time costs nothing.
func TestPacerIsDue(t *testing.T) {
	spec := transport.PacerSpec{PerByte: units.Gbps(800).PerByte(), MaxWnd: 200_000, Senders: 5}
	total := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 3))
		p, err := newPacer(spec, nil)
		require.NoError(t, err)
		p.rtl = true
		often, err := newPacer(spec, nil)
		require.NoError(t, err)
		often.rtl = true
		var target [5]int64
		for now := units.Picos(0); now < 60*units.Microsecond; now += fields.CreditCycle {
			if rng.IntN([]int{20, 300}[seed%2]) == 0 {
				s := rng.Int32N(5)
				target[s] += rng.Int64N(200)
				n, resends := rccc.First.Plus(target[s]), rng.IntN(3) == 0
				p.Wants(now, s, n, resends)
				often.Wants(now, s, n, resends)
			}
			if due := p.Due(); due >= 0 && due <= now {
				p.Pull(now)
			}
			often.Pull(now)
		}
		require.Equal(t, often.gave, p.gave)
		total += len(p.gave)
		for now := 60 * units.Microsecond; p.Due() >= 0; {
			now = max(now, p.Due())
			p.Pull(now)
		}
		begin := time.Now()
		p.until(1 << 50)
		require.Less(t, time.Since(begin), time.Second)
	}
	require.Greater(t, total, 500)
}
