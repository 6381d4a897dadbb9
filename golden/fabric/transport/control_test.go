package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// departures returns when data began its transmission at the first host that sends.
func departures(out *[]units.Picos, sizes *[]int32) Option {
	return WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind == net.PortDepart && ev.Packet.Kind == net.PacketData {
			*out = append(*out, ev.Time)
			if sizes != nil {
				*sizes = append(*sizes, ev.Packet.Size)
			}
		}
	}, 0, 1, 2)
}

// TestPacing: at 10 Gb/s on a link of 100 the packets of a flow begin as far apart as their sizes
// take at 10 Gb/s, the short last one included.
func TestPacing(t *testing.T) {
	s := alone(20)
	s.FlowBytes += 1000
	var at []units.Picos
	var sizes []int32
	verified(t, s, WithControl(script(cc.Needs{}, func(_ *cc.Event, out *cc.Out) { out.Rate = 10 })),
		departures(&at, &sizes))
	require.Len(t, at, 21)
	for i := range at[1:] {
		require.Equal(t, units.Picos(sizes[i])*800, at[i+1]-at[i], i)
	}
	require.Equal(t, int32(1064), sizes[20])
}

// TestPacingTakesTheNewRate: a rate that changes between two packets moves the second, to an
// earlier time as well as to a later one.
func TestPacingTakesTheNewRate(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, then float64
		gap         units.Picos
	}{
		// 4096 bytes take 32.768 us at 1 Gb/s, 0.32768 us at 100 Gb/s, 16.384 us at 2 Gb/s.
		{"faster, at once", 1, 100, 5 * units.Microsecond},
		{"faster, later", 1, 2, 16_384_000},
		{"slower", 2, 1, 32_768_000},
	} {
		rate := c.first
		var at []units.Picos
		step := func(ev *cc.Event, out *cc.Out) {
			out.Timer = 5 * units.Microsecond
			if ev.Kind == cc.KindTimer {
				rate, out.Timer = c.then, 0
			}
			out.Rate = rate
		}
		verified(t, alone(3), WithControl(script(cc.Needs{}, step)), departures(&at, nil))
		require.Len(t, at, 3, c.name)
		require.Equal(t, c.gap, at[1]-at[0], c.name)
	}
}

// TestPacedBesideUnpaced: a paced context leaves the link to another of the same host.
func TestPacedBesideUnpaced(t *testing.T) {
	s := alone(50)
	s.CCCsPerNIC = 2
	s.CC, s.CCContexts = "fixed", map[int32]string{0: "scripted"}
	r := verified(t, s, WithControl(script(cc.Needs{}, func(_ *cc.Event, out *cc.Out) { out.Rate = 5 })))
	slow, fast := r.Flows[0].Acked-r.Flows[0].Start, r.Flows[1].Acked-r.Flows[1].Start
	require.Greater(t, slow, 49*units.Picos(4096)*1600)
	require.Less(t, fast, 50*units.Picos(4096)*80*12/10+2*s.EffectiveBaseRTT(),
		"the other takes nine tenths of the link and more")
}

// TestTimer: a control is called back when it asks, again when it asks again, and not when it takes
// its wish back or moves it.
func TestTimer(t *testing.T) {
	var at []units.Picos
	next := units.Picos(3 * units.Microsecond)
	step := func(ev *cc.Event, out *cc.Out) {
		if ev.Kind == cc.KindTimer {
			at = append(at, ev.Time)
			switch len(at) {
			case 1:
				next = 4 * units.Microsecond
			case 2:
				next = 0
			}
		}
		if ev.Kind == cc.KindAck && len(at) == 2 && next == 0 {
			next = ev.Time + 9*units.Microsecond // moved below, to an earlier time
		} else if ev.Kind == cc.KindAck && len(at) == 2 {
			next = min(next, ev.Time+units.Microsecond)
		}
		if len(at) == 3 {
			next = 0
		}
		out.Timer = next
	}
	verified(t, alone(200), WithControl(script(cc.Needs{}, step)))
	require.Len(t, at, 3)
	require.Equal(t, []units.Picos{3 * units.Microsecond, 4 * units.Microsecond}, at[:2])
}

// TestTimersEndWithTheRun: timers that go on for ever do not keep a run going, also not beside
// samples of the queues, which change nothing of the result; and a sender that may not send before
// its timer is not forgotten.
func TestTimersEndWithTheRun(t *testing.T) {
	ever := func(ev *cc.Event, out *cc.Out) { out.Timer = ev.Time + 10*units.Nanosecond }
	plain := verified(t, alone(30), WithControl(script(cc.Needs{}, ever)))
	require.Less(t, plain.Time, units.Millisecond)
	watched := verified(t, alone(30), WithControl(script(cc.Needs{}, ever)), WithDepth(units.Microsecond))
	require.Equal(t, plain.Time, watched.Time)
	require.Equal(t, plain.Digest, watched.Digest)
	require.Equal(t, plain.Counters, watched.Counters)

	late := func(ev *cc.Event, out *cc.Out) {
		out.CanSend = ev.Time >= 2*units.Millisecond
		if !out.CanSend {
			out.Timer = 2 * units.Millisecond
		}
	}
	r := verified(t, alone(3), WithControl(script(cc.Needs{}, late)))
	require.GreaterOrEqual(t, r.Flows[0].Acked, 2*units.Millisecond)
}

// TestEveryAck: who needs an ACK of each packet gets it.
func TestEveryAck(t *testing.T) {
	count := func(needs cc.Needs) (n int) {
		verified(t, alone(64), WithControl(script(needs, func(*cc.Event, *cc.Out) {})), WithTap(func(ev *cc.Event) bool {
			if ev.Kind == cc.KindAck {
				n++
			}
			return true
		}))
		return n
	}
	require.Equal(t, 64, count(cc.Needs{EveryAck: true}))
	require.Less(t, count(cc.Needs{}), 32)
}

// TestNeedsAreChecked: a run without what a congestion control needs is refused before it begins,
// whoever names the control.
func TestNeedsAreChecked(t *testing.T) {
	refused := func(s settings.Spec, want string, opts ...Option) {
		t.Helper()
		_, err := Run(t.Context(), s, opts...)
		require.ErrorContains(t, err, want)
	}
	s := small(settings.Permutation)
	s.ECN, s.CC = settings.ECNOff, "dcqcn"
	refused(s, "cc = dcqcn: needs ECN marks, and ecn = off: set ecn to probabilistic or deterministic")
	s.CC, s.CCHosts = "", map[int32]string{3: "dcqcn"}
	refused(s, "host 3 -> host ")
	s.CC, s.CCHosts = "hollow", nil
	refused(s, "cc = hollow: this program does not make it", WithControl(cc.Row{Name: "hollow"}))
	for _, c := range []struct {
		needs cc.Needs
		want  string
		fix   func(*settings.Spec)
	}{
		{cc.Needs{INT: "data"}, "needs telemetry of switches in data packets: set int to data",
			func(s *settings.Spec) { s.INT = settings.INTData }},
		{cc.Needs{INT: "ack"}, "needs telemetry of switches in ack packets: set int to ack",
			func(s *settings.Spec) { s.INT = settings.INTAck }},
		{cc.Needs{Trim: true}, "needs switches that trim, and trim = off: set trim to on",
			func(s *settings.Spec) { s.Trim = true }},
		{cc.Needs{SwitchRate: true}, "needs switches that compute a rate for each flow: set fair_rate to on",
			func(s *settings.Spec) { s.FairRate = true }},
	} {
		s := alone(3)
		s.Trim = false
		row := script(c.needs, func(*cc.Event, *cc.Out) {})
		refused(s, c.want, WithControl(row))
		if c.fix != nil {
			c.fix(&s)
			verified(t, s, WithControl(row))
		}
	}
}

// TestINTReachesTheControl: a control that needs telemetry finds it in the events of its ACKs.
func TestINTReachesTheControl(t *testing.T) {
	s := alone(8)
	s.INT = settings.INTAck
	hops := map[int]int{}
	verified(t, s, WithControl(script(cc.Needs{INT: "ack"}, func(ev *cc.Event, _ *cc.Out) {
		if ev.Kind == cc.KindAck {
			hops[len(ev.INT)]++
		}
	})))
	require.Len(t, hops, 1)
	require.Contains(t, hops, 3, "three switches")
}

// TestRatesWithoutCode: HPCC and FNCC read no rate that the wire has no code for, so such a run is refused; exact
// telemetry has every rate, and other controls do not care.
func TestRatesWithoutCode(t *testing.T) {
	s := small(settings.Permutation)
	s.LinkGbps, s.INT, s.CC = 40, settings.INTData, "hpcc"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "cc = hpcc: telemetry on the wire has no code for the 40 Gb/s of ")
	require.ErrorContains(t, err, "set int.format to exact")
	s.INTFormat = settings.INTExact
	verified(t, s)
	s.INTFormat, s.CC = settings.INTWire, "nscc"
	verified(t, s)
	s.LinkGbps, s.CC = 400, "hpcc"
	verified(t, s)
}

// TestSLEEKLeavesOwnLosses: a control that finds its losses itself runs alike with each recovery of the sender. SLEEK
// once gave up packets of such a control, which took each for a timeout.
func TestSLEEKLeavesOwnLosses(t *testing.T) {
	s := small(settings.Incast)
	s.Trim, s.CC, s.QueueBytes = false, "mswift", 30_000
	rto := verified(t, s)
	require.NotZero(t, rto.Counters.DataDrops, "nothing to recover from")
	s.Recovery = settings.RecoverSLEEK
	require.Equal(t, rto.Digest, verified(t, s).Digest)
	s.CC = "nscc"
	sleek := verified(t, s)
	s.Recovery = settings.RecoverRTO
	require.NotEqual(t, sleek.Digest, verified(t, s).Digest, "NSCC's losses are SLEEK's")
}
