package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sampled is a congestion control that keeps the samples it is given.
type sampled struct {
	CC
	samples []Picos
	last    Picos
	steps   []TapEvent
}

func (c *sampled) Sample(now, rtt Picos) { c.samples, c.last = append(c.samples, rtt), now }

func (c *sampled) Step(ev *TapEvent) CCOut {
	if ev.Probe {
		c.steps = append(c.steps, *ev)
	}
	return c.CC.Step(ev)
}

// TestProbesGiveSamples: the answer to a probe hands its round trip, less the service
// time, to a congestion control that takes samples, before the ACK itself; the answer
// to an older probe does not.
func TestProbesGiveSamples(t *testing.T) {
	s, tx, una := outstanding(t)
	s.ports[0].freeAt, s.ports[0].waking = 1<<50, true
	c := &sampled{CC: s.ccc[0].cc}
	s.ccc[0].cc = c
	answer := func(probe uint32, service uint16) {
		i := s.pool.alloc()
		s.pool.pkts[i] = packet{kind: pkAck, flags: flagProbe, psn: probe, cum: una, sackBase: una, service: service}
		s.onAck(i)
	}
	tx.sleek.probe, tx.sleek.sent = 9, s.now
	s.now += 5 * Microsecond
	answer(9, 3)
	require.Equal(t, []Picos{5*Microsecond - 3*128*Nanosecond}, c.samples)
	require.Equal(t, s.now, c.last)
	require.Len(t, c.steps, 1)
	require.Equal(t, s.now-5*Microsecond, c.steps[0].ProbeTime)
	require.Equal(t, c.samples[0], c.steps[0].Sample)
	require.False(t, c.steps[0].TxValid)
	answer(8, 1)
	answer(9, 0)
	answer(9, 0xFFFF)
	tx.sleek.sent = s.now
	answer(9, 1)
	require.Len(t, c.samples, 1, "an older probe, no service time, or none left of the round trip")
	require.Len(t, c.steps, 5)
	for _, ev := range c.steps[1:] {
		require.Zero(t, ev.Sample)
	}

	// On an idle network the least sample is the way of a control packet there and back.
	spec := DefaultSpec()
	spec.K, spec.Recovery, spec.ServiceTime = 4, RecoverSLEEK, 256*Nanosecond
	var all []Picos
	books(t, spec, WithCC(func(cfg CCConfig) (CC, error) {
		fixed, err := FixedWindow(4 * 4096)(cfg)
		return collector{fixed, &all}, err
	}))
	least := Picos(1 << 60)
	for _, rtt := range all {
		least = min(least, rtt)
	}
	require.NotEmpty(t, all)
	require.GreaterOrEqual(t, least, 4*(spec.LinkLatency+64*20))
	require.LessOrEqual(t, least, spec.EffectiveBaseRTT())
}

// collector puts its samples into a list.
type collector struct {
	CC
	all *[]Picos
}

func (c collector) Sample(_, rtt Picos) { *c.all = append(*c.all, rtt) }
