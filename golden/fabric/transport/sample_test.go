package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// sampled is a congestion control that keeps the answers to probes and their samples.
type sampled struct {
	cc.Control
	samples []units.Picos
	steps   []cc.Event
}

func (c *sampled) Step(ev *cc.Event) cc.Out {
	if ev.Probe {
		c.steps = append(c.steps, *ev)
	}
	if ev.Sample > 0 {
		c.samples = append(c.samples, ev.Sample)
	}
	return c.Control.Step(ev)
}

// TestProbesGiveSamples: the answer to a probe carries its round trip, less the service
// time; the answer to an older probe does not.
func TestProbesGiveSamples(t *testing.T) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	c := &sampled{Control: s.ccc[0].cc}
	s.ccc[0].cc = c
	answer := func(probe uint32, service uint16) {
		i := s.net.Pool.Alloc()
		*s.net.Pool.At(i) = net.Packet{Kind: net.PacketAck, Flags: net.FlagProbe, PSN: probe, Cum: una,
			SackBase: una, Service: service}
		sender{s.Hosts}.onAck(i)
	}
	tx.sleek.probe, tx.sleek.sent = 9, s.Now()
	s.wheel.Advance(s.Now() + 5*units.Microsecond)
	answer(9, 3)
	require.Equal(t, []units.Picos{5*units.Microsecond - 3*128*units.Nanosecond}, c.samples)
	require.Len(t, c.steps, 1)
	require.Equal(t, s.Now()-5*units.Microsecond, c.steps[0].ProbeTime)
	require.Equal(t, c.samples[0], c.steps[0].Sample)
	require.False(t, c.steps[0].TxValid)
	answer(8, 1)
	answer(9, 0)
	answer(9, 0xFFFF)
	tx.sleek.sent = s.Now()
	answer(9, 1)
	require.Len(t, c.samples, 1, "an older probe, no service time, or none left of the round trip")
	require.Len(t, c.steps, 5)
	for _, ev := range c.steps[1:] {
		require.Zero(t, ev.Sample)
	}

	// On an idle network the least sample is the way of a control packet there and back.
	spec := settings.DefaultSpec()
	spec.K, spec.Recovery, spec.ServiceTime = 4, settings.RecoverSLEEK, 256*units.Nanosecond
	var all []units.Picos
	books(t, spec, WithCC(func(cfg cc.Config) (cc.Control, error) {
		fixed, err := cc.FixedWindow(4 * 4096)(cfg)
		return collector{fixed, &all}, err
	}))
	least := units.Picos(1 << 60)
	for _, rtt := range all {
		least = min(least, rtt)
	}
	require.NotEmpty(t, all)
	require.GreaterOrEqual(t, least, 4*(spec.LinkLatency+64*20))
	require.LessOrEqual(t, least, spec.EffectiveBaseRTT())
}

// collector puts its samples into a list.
type collector struct {
	cc.Control
	all *[]units.Picos
}

func (c collector) Step(ev *cc.Event) cc.Out {
	if ev.Sample > 0 {
		*c.all = append(*c.all, ev.Sample)
	}
	return c.Control.Step(ev)
}
