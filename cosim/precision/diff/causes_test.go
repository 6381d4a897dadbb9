package diff

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

func (c *Causes) signalOf(t *testing.T, name string) *CausedError {
	t.Helper()
	for i := range c.Signals {
		if c.Signals[i].Name == name {
			return &c.Signals[i]
		}
	}
	require.Fail(t, "no signal", name)
	return nil
}

func causesOf(t *testing.T, source string, tickNs int, set ...string) *Causes {
	t.Helper()
	res := run(t, Spec{Source: source, Seed: 1, Events: 20_000, TickNs: tickNs, Modes: []Mode{Step}}, set...)
	require.NotNil(t, res.Modes[0].Causes)
	return res.Modes[0].Causes
}

// The errors by cause sum to the whole, and every event of the rules is among them or counted as left out.
func TestCausesSumToTheWhole(t *testing.T) {
	for _, source := range sources() {
		for _, tick := range []int{1, 128} {
			res := run(t, Spec{Source: source, Seed: 1, Events: few(10_000, 20_000), TickNs: tick, Modes: Modes},
				"avg_delay", "UQ32.10", "ALPHA", "UQ16.11")
			m := &res.Modes[0]
			c := m.Causes
			require.Nil(t, res.Modes[1].Causes)
			require.Equal(t, m.Compared, c.Compared+c.Untimed)
			fabric := strings.HasPrefix(source, "fabric:")
			require.Equal(t, fabric, c.Tick)
			require.Equal(t, fabric, c.Constants)
			require.Equal(t, source == "fabric:turnover", c.Untimed > 0, "%d events", c.Untimed)
			differ := 0
			for _, s := range c.Signals {
				parts := []*Error{&s.Arithmetic, &s.Constants}
				if c.Tick {
					parts = append(parts, &s.Tick)
				} else {
					require.Zero(t, s.Tick.Count)
				}
				sum, most, scale := 0.0, 0.0, 1e-9
				for _, p := range parts {
					require.Equal(t, s.Whole.Count, p.Count, "%s: %s", source, s.Name)
					sum, most = sum+p.Bias, most+p.Max
					scale = max(scale, math.Abs(p.Bias)*1e-6)
				}
				require.InDelta(t, s.Whole.Bias, sum, scale, "%s: %s", source, s.Name)
				require.LessOrEqual(t, s.Whole.Max, most*(1+1e-9), "%s: %s", source, s.Name)
				if s.Whole.Differ > 0 {
					differ++
				}
			}
			require.Greater(t, differ, 5)
		}
	}
}

// A coarser constant shows under constants, a coarser value on the way under arithmetic, and neither under the other.
func TestPlantedCauses(t *testing.T) {
	for _, source := range []string{"random", "fabric:incast32"} {
		contract := causesOf(t, source, 1)
		constant := causesOf(t, source, 1, "GAMMA", "UQ0.6")
		value := causesOf(t, source, 1, "ratio", "UQ1.8")
		c, g, v := contract.signalOf(t, "factor"), constant.signalOf(t, "factor"), value.signalOf(t, "factor")
		require.Positive(t, c.Whole.Count)
		require.Equal(t, source == "random", c.Constants.Differ == 0, "what is drawn as a word is the constant")
		require.Greater(t, g.Constants.Max, 4*c.Constants.Max)
		require.Greater(t, g.Constants.Max, 1e-6)
		require.LessOrEqual(t, g.Arithmetic.Max, 0x1p-16, "the rounding of the ratio alone")
		require.Greater(t, v.Arithmetic.Max, 10*c.Arithmetic.Max)
		require.Equal(t, c.Constants.Max, v.Constants.Max)
		require.Equal(t, c.Tick, v.Tick)
		require.Zero(t, constant.signalOf(t, "ratio").Constants.Max-contract.signalOf(t, "ratio").Constants.Max)
	}
}

// A coarser tick errs under tick.
func TestCoarserTick(t *testing.T) {
	fine, coarse := causesOf(t, "fabric:incast32", 1), causesOf(t, "fabric:incast32", 128)
	for _, c := range []*Causes{fine, coarse} {
		raw := c.signalOf(t, "raw")
		require.Positive(t, raw.Tick.Differ)
		require.Less(t, raw.Tick.Max, 1.0, "two floors, in ticks")
		require.Zero(t, raw.Arithmetic.Differ+raw.Constants.Differ)
	}
	require.Greater(t, coarse.signalOf(t, "cwnd").Tick.Max, 10*fine.signalOf(t, "cwnd").Tick.Max)
}

// playedWith plays a source with other times and constants than it has.
func playedWith(t *testing.T, times func(now, tx int64) (int64, int64), change func(*causes)) (*Causes, error) {
	t.Helper()
	o := options(t, 1, 20_000)
	trio, err := newTrio(Step, ccc.Formats(), SizeOf(o.Params), 0)
	require.NoError(t, err)
	require.NoError(t, trio.splitCauses("fabric:incast32", &o))
	change(trio.causes)
	src, err := block.Open("ccc", "fabric:incast32", o)
	require.NoError(t, err)
	_, err = playTimed(src, 20_000, trio.reset, func(ev *ccc.Event, ep *stim.Episode) error {
		now, tx, ok := ep.Picos()
		return trio.timedEvent(ev, &stim.Episode{Times: func() (int64, int64, bool) {
			if ok {
				now, tx = times(now, tx)
			}
			return now, tx, ok
		}})
	})
	if err != nil {
		return nil, err
	}
	return trio.result().Causes, nil
}

func floored(now, tx int64) (int64, int64) { return now / 1000 * 1000, tx / 1000 * 1000 }

func TestPlantedTimes(t *testing.T) {
	same := func(*causes) {}
	whole, err := playedWith(t, floored, same)
	require.NoError(t, err)
	late, err := playedWith(t, func(now, tx int64) (int64, int64) {
		now, tx = floored(now, tx)
		return now + 500, tx
	}, same)
	require.NoError(t, err)
	for i := range whole.Signals {
		require.Zero(t, whole.Signals[i].Tick.Differ, "whole ticks have no error: %s", whole.Signals[i].Name)
	}
	raw := late.signalOf(t, "raw").Tick
	require.Positive(t, raw.Count)
	require.Equal(t, raw.Count, raw.Differ)
	require.Equal(t, 0.5, raw.Max)
	require.Equal(t, -0.5, raw.Bias, "the sample in whole ticks is half a tick short")
	_, err = playedWith(t, func(now, tx int64) (int64, int64) { return now + 1000, tx }, same)
	require.ErrorContains(t, err, "the source has")
}

// Constants that are their words have no error; one that is not errs in what it enters and nowhere else.
func TestPlantedConstants(t *testing.T) {
	words := func(c *causes) {
		for p := range c.known {
			for addr, k := range c.known[p] {
				if k != nil {
					k.x = arith.Exact{}.Register(addr, k.word)
				}
			}
		}
	}
	exact, err := playedWith(t, floored, words)
	require.NoError(t, err)
	for _, s := range exact.Signals {
		require.Zero(t, s.Constants.Differ, s.Name)
	}
	gain, err := playedWith(t, floored, func(c *causes) {
		words(c)
		for p := range c.known {
			k := c.known[p][ccc.RegEWMAGain]
			k.x = c.t.real.Mul(k.x, c.t.real.Of(9, 3))
		}
	})
	require.NoError(t, err)
	for _, s := range gain.Signals {
		entered := s.Name == "avg_step" || s.Name == "avg_delay"
		// What the new average decides is decided by the next event.
		later := s.Name == "ratio" || s.Name == "factor" || s.Name == "decreased" || s.Name == "cwnd" ||
			s.Name == "quotient"
		require.True(t, later || entered == (s.Constants.Differ > 0), s.Name)
		require.Zero(t, s.Tick.Differ, s.Name)
	}
}

// What is not known is said.
func TestUnknownCausesAreSaid(t *testing.T) {
	for source, known := range map[string]bool{"random": false, "directed": false, "fabric:incast32": true} {
		res := run(t, Spec{Source: source, Seed: 1, Events: 20_000, Modes: []Mode{Step}})
		var b strings.Builder
		require.NoError(t, res.WriteText(&b))
		require.Contains(t, b.String(), "Error by cause, one step")
		require.Equal(t, known, !strings.Contains(b.String(), "the error of the tick is not known"), source)
		require.Equal(t, known, !strings.Contains(b.String(), "constants are the words"), source)
		for _, line := range strings.Split(b.String(), "\n") {
			require.LessOrEqual(t, len(line), 100, line)
		}
	}
}
