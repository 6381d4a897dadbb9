package transport

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// fast returns a preset of seed 001 with a congestion control and what it needs of the network.
func fast(t testing.TB, preset, control string) settings.Spec {
	p, err := presets.Lookup(preset)
	require.NoError(t, err)
	s := p.Spec
	s.CC, s.Stagger = control, 50*units.Microsecond
	s.FlowBytes = 2_000_000
	s.INT, s.INTFormat = settings.INTOff, ""
	switch control {
	case "hpcc":
		s.INT, s.INTFormat = settings.INTData, settings.INTExact
	case "fncc", "fncc-lhcs":
		s.INT, s.INTFormat = settings.INTAck, settings.INTExact
	case "rocc":
		s.FairRate = true
	}
	return s
}

var fastControls = []string{"hpcc", "fncc", "fncc-lhcs", "dcqcn", "rocc", "nscc"}

// TestSeed001Conserves: on the chains and in a fat tree with ACKs that go back by the data's way every byte arrives
// once, the books balance, and runs are equal for any number of threads.
func TestSeed001Conserves(t *testing.T) {
	for _, name := range fastControls {
		for _, preset := range []string{"dumbbell/4", "congestion/lasthop", "fattree128/websearch"} {
			s := fast(t, preset, name)
			s.Flows = 100
			s.Retrace = preset == "fattree128/websearch"
			r := books(t, s)
			require.Zero(t, r.Counters.Retransmits+r.Counters.PFCOverruns, "%s %s", name, preset)
			require.Equal(t, name == "rocc" || name == "dcqcn", r.Counters.CNPs > 0, "%s %s", name, preset)
			old := runtime.GOMAXPROCS(1)
			one := run(t, s)
			runtime.GOMAXPROCS(old)
			sameRun(t, r, one)
			stops, caused := uint64(0), uint64(0)
			for _, p := range r.Pauses {
				stops, caused = stops+p.Stopped, caused+p.Caused
			}
			require.Equal(t, r.Counters.Pauses, stops, "%s %s", name, preset)
			require.Equal(t, r.Counters.Pauses, caused, "%s %s", name, preset)
		}
	}
}

// TestExactTelemetry: on an idle path, HPCC's stamps are one link and one packet apart, FNCC's one link and one ACK,
// and the bytes are those of the data whose last bit has left, and of the packet under way as far as it has.
func TestExactTelemetry(t *testing.T) {
	for _, mode := range []settings.INTMode{settings.INTData, settings.INTAck} {
		s := alone(1)
		s.INT, s.INTFormat = mode, settings.INTExact
		seen := 0
		verified(t, s, WithControl(script(cc.Needs{}, func(ev *cc.Event, _ *cc.Out) {
			if ev.Kind != cc.KindAck {
				return
			}
			seen++
			require.Empty(t, ev.INT)
			require.Len(t, ev.Hops, 3)
			now := ev.Time.Micros() * 1000
			data, ack := 4096*0.08, 64*0.08
			for i, h := range ev.Hops {
				require.Equal(t, 100.0, h.Gbps)
				require.Zero(t, h.Queue)
				if mode == settings.INTData { // at the start of the packet's own transmission
					require.InDelta(t, now-float64(3-i)*(1000+data)-4*(1000+ack), h.TS, 1e-6)
					require.Zero(t, h.Tx)
				} else { // the last hop first, when all of the packet has left
					require.InDelta(t, now-float64(3-i)*(1000+ack), h.TS, 1e-6)
					require.InDelta(t, 4096, h.Tx, 1e-6)
				}
			}
		})))
		require.Equal(t, 1, seen)
	}
	// Of a long train an ACK finds the port in the middle of a packet. Beginnings of data on each port are known: what an
	// ACK reads is what they add up to.
	s := alone(60)
	s.INT, s.INTFormat = settings.INTAck, settings.INTExact
	var starts [3][]units.Picos // of data, by switch; the first is the last on the way to host 0
	layout, err := s.Layout()
	require.NoError(t, err)
	var ports []int32
	for i := range layout.Ports {
		if p := layout.Ports[i]; int(p.From) >= layout.Hosts {
			ports = append(ports, int32(i))
		}
	}
	within := 0
	verified(t, s, WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind == net.PortDepart && ev.Packet.Kind == net.PacketData {
			w := int(layout.Ports[ev.Port].From) - layout.Hosts
			starts[w] = append(starts[w], ev.Time)
		}
	}, ports...), WithControl(script(cc.Needs{EveryAck: true}, func(ev *cc.Event, _ *cc.Out) {
		for i, h := range ev.Hops {
			sent := 0.0
			for _, at := range starts[i] {
				sent += min(4096, max(0, (h.TS-float64(at)/1000)/0.08))
			}
			require.InDelta(t, sent, h.Tx, 1e-3)
			if whole := sent / 4096; whole-float64(int(whole)) > 0.01 {
				within++
			}
		}
	})))
	require.Greater(t, within, 50, "no ACK read a port in the middle of a packet")
}

// TestRetrace: with retrace each ACK takes the data's switches backwards, sprayed or not; without it some do not.
func TestRetrace(t *testing.T) {
	for _, kind := range []lb.Kind{lb.ECMP, lb.OPS, lb.AR} {
		for _, on := range []bool{true, false} {
			s := small(settings.Permutation)
			s.LB, s.Retrace, s.FlowBytes, s.AckTrigger = kind, on, 100_000, 1
			layout, err := s.Layout()
			require.NoError(t, err)
			type packet struct {
				conn int32
				psn  uint32
			}
			ways, back := map[packet][]int32{}, map[packet][]int32{}
			books(t, s, WithPortTap(func(ev *net.PortEvent) {
				if ev.Kind != net.PortDepart {
					return
				}
				k := packet{ev.Packet.Conn, ev.Packet.PSN}
				switch {
				case ev.Packet.Kind == net.PacketData && !ev.Packet.Retx, ev.Packet.Kind == net.PacketClose:
					ways[k] = append(ways[k], layout.Ports[ev.Port].From)
				case ev.Packet.Kind == net.PacketAck && !ev.Packet.Retx && !ev.Packet.AckReq:
					back[k] = append(back[k], layout.Ports[ev.Port].From)
				}
			}))
			require.Greater(t, len(back), 1000)
			differ := 0
			for k, w := range back {
				slices.Reverse(w)
				if !slices.Equal(w, ways[k]) {
					differ++
				}
			}
			require.Equal(t, on, differ == 0, "%s, retrace %v: %d of %d ACKs went another way", kind, on, differ, len(back))
		}
	}
}

// TestFlowCount: an ACK holds the number of flows whose first packet has arrived at its receiver and whose last has
// not, for controls that need it.
func TestFlowCount(t *testing.T) {
	for _, needs := range []bool{true, false} {
		s := alone(1)
		bytes := int64(s.MTU - s.HeaderBytes)
		list := []traffic.Message{
			{Src: 0, Dst: 2, Bytes: 200 * bytes, Conn: 0},
			{Src: 1, Dst: 2, Bytes: 20 * bytes, Start: int64(20 * units.Microsecond), Conn: 1},
			{Src: 1, Dst: 0, Bytes: 20 * bytes, Start: int64(20 * units.Microsecond), Conn: 2},
		}
		first, last := units.Picos(-1), units.Picos(-1)
		counts := map[uint16]int{}
		var at, sent []units.Picos
		var flows []uint16
		row := script(cc.Needs{EveryAck: true, FlowCount: needs}, func(ev *cc.Event, out *cc.Out) {
			out.Rate = 40
			if ev.Kind == cc.KindAck && ev.NIC == 0 {
				counts[ev.Flows]++
				at, flows = append(at, ev.Time), append(flows, ev.Flows)
			}
		})
		layout, err := s.Layout()
		require.NoError(t, err)
		verified(t, s, WithMessages(list), WithControl(row), WithPortTap(func(ev *net.PortEvent) {
			if ev.Kind != net.PortDepart || layout.Ports[ev.Port].To != 2 || ev.Packet.Kind != net.PacketData {
				return
			}
			came := ev.Time + units.Picos(ev.Packet.Size)*80 + units.Microsecond
			if ev.Packet.Conn == 1 {
				if first < 0 {
					first = came
				}
				last = came
			} else if ev.Packet.Conn == 0 {
				sent = append(sent, came)
			}
		}))
		if !needs {
			require.Equal(t, map[uint16]int{0: 200}, counts)
			continue
		}
		require.Len(t, at, 200)
		for i, n := range flows {
			want := uint16(1)
			if sent[i] > first && sent[i] < last {
				want = 2
			}
			if i == 199 {
				want = 0 // the last has arrived
			}
			require.Equal(t, want, n, "ACK %d", i)
		}
		require.Greater(t, counts[2], 10)
	}
}

// TestSwitchRate: the fair rate of a port reaches the sources of what it has enqueued, every 40 us, and a control that
// does not follow switches is not given it.
func TestSwitchRate(t *testing.T) {
	s := alone(1)
	s.FairRate, s.Trim, s.PFC, s.XOff, s.XOn = true, false, true, 2_000_000, 1_000_000
	bytes := int64(s.MTU - s.HeaderBytes)
	list := []traffic.Message{
		{Src: 0, Dst: 2, Bytes: 400 * bytes, Conn: 0}, {Src: 1, Dst: 2, Bytes: 400 * bytes, Conn: 1},
	}
	type cnp struct {
		at   units.Picos
		nic  int32
		port int32
		fair float64
	}
	play := func(needs cc.Needs) (got []cnp) {
		verified(t, s, WithMessages(list), WithControl(script(needs, func(ev *cc.Event, _ *cc.Out) {
			if ev.Kind == cc.KindCNP {
				got = append(got, cnp{ev.Time, ev.NIC, ev.Port, ev.Fair})
			}
		})))
		return got
	}
	require.Empty(t, play(cc.Needs{}))
	got := play(cc.Needs{SwitchRate: true})
	require.NotEmpty(t, got)
	layout, err := s.Layout()
	require.NoError(t, err)
	sources := map[int32]bool{}
	for _, c := range got {
		sources[c.nic] = true
		require.Equal(t, "sw2->host2", layout.Name(c.port-1))
		// The way back is idle: three links and three CNPs to host 0, one to host 1 at the same switch.
		back := map[int32]units.Picos{0: 3, 1: 1}[c.nic] * (units.Microsecond + 64*80)
		require.Zero(t, (c.at-back)%(40*units.Microsecond), "%v", c)
	}
	require.Len(t, sources, 2)
	// By hand for the first: by 40 us host 1 has brought data since 1 us and one packet, host 0 since 3 us and three. What
	// has arrived in whole packets less what has begun to leave waits.
	packet := units.Picos(4096 * 80)
	begin1, begin0 := units.Microsecond+packet, 3*(units.Microsecond+packet)
	end := 40 * units.Microsecond
	came := (end-begin1)/packet + 1 + (end-begin0)/packet + 1
	left := (end-begin1)/packet + 1
	q := float64(4096*(came-left)) / 600
	rule := 10000 - 0.45*(q-500) - 2.25*q
	require.Equal(t, int32(1), got[0].nic)
	require.InDelta(t, rule, got[0].fair, 1e-9)
	require.InDelta(t, rule, got[1].fair, 1e-9)
}

// TestStop: a flow ends with what it has sent by its stop, another of the same run is not touched, whatever the
// control; one that has sent all before is not stopped.
func TestStop(t *testing.T) {
	for _, name := range append(fastControls, "swift", "fixed", "newreno") {
		s := fast(t, "dumbbell/2", name)
		stop := 100 * units.Microsecond
		list := []traffic.Message{
			{Src: 0, Dst: 2, Bytes: 1 << 32, Stop: int64(stop), Conn: 0},
			{Src: 1, Dst: 2, Bytes: 500_000, Start: int64(20 * units.Microsecond), Conn: 1},
			{Src: 1, Dst: 3, Bytes: 1000, Stop: int64(10 * units.Millisecond), Conn: 2},
		}
		sent, last := int64(0), units.Picos(0)
		r, end := resultOf(t, s, name, list, &sent, &last)
		require.True(t, r[0].Stopped, name)
		require.Equal(t, sent*int64(s.MTU-s.HeaderBytes), r[0].Bytes, name)
		require.LessOrEqual(t, last, stop, name)
		require.Greater(t, r[0].Bytes, int64(100_000), name)
		require.Greater(t, r[0].Acked, stop, name)
		require.Less(t, r[0].Acked, stop+300*units.Microsecond, "%s: the tail waits for a timeout", name)
		require.Less(t, end, 10*units.Millisecond, "%s: the stop of a flow that has ended keeps the run going", name)
		require.False(t, r[1].Stopped || r[2].Stopped)
		require.EqualValues(t, 500_000, r[1].Bytes)
		require.EqualValues(t, 1000, r[2].Bytes)
	}
}

// TestStopBeforeAnythingIsSent: a flow whose host sends nothing until its stop ends with no bytes.
func TestStopBeforeAnythingIsSent(t *testing.T) {
	s := alone(1)
	list := []traffic.Message{
		{Src: 0, Dst: 2, Bytes: 1 << 20, Stop: int64(units.Microsecond), Conn: 0},
		{Src: 1, Dst: 2, Bytes: 4000, Conn: 1},
	}
	r := books(t, s, WithMessages(list), WithControl(script(cc.Needs{}, func(ev *cc.Event, out *cc.Out) {
		out.CanSend = ev.NIC == 1
	})))
	require.True(t, r.Flows[0].Stopped)
	require.Zero(t, r.Flows[0].Bytes+r.Flows[0].Got)
	require.Equal(t, units.Microsecond, r.Flows[0].Acked)
}

// resultOf runs a list of messages and counts what the first sends anew, and when it does so last.
func resultOf(t *testing.T, s settings.Spec, name string, list []traffic.Message, sent *int64,
	last *units.Picos) ([]result.FlowResult, units.Picos) {
	r := books(t, s, WithMessages(list), WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind == net.PortDepart && ev.Packet.Kind == net.PacketData && ev.Packet.Conn == 0 && !ev.Packet.Retx {
			*sent++
			*last = ev.Time
		}
	}, 0))
	require.Zero(t, r.Counters.Timeouts, name)
	return r.Flows, r.Time
}

// TestLHCSInTheNetwork: two flows of 100 Gb/s meet in front of the receiver. From the telemetry of each ACK and of the
// one before, the rule is worked out again by hand: it fires just where it must, and the window is 0.9 of what the last
// hop gives each of the flows that the ACK counts, 70,425 bytes of two at a round trip of 12.52 us.
func TestLHCSInTheNetwork(t *testing.T) {
	s := fast(t, "congestion/lasthop", "fncc-lhcs")
	type seen struct {
		hops []cc.Hop
		v    [3]float64
	}
	last := map[int32]*seen{}
	bdp := float64(s.EffectiveBaseRTT()) / 80
	require.InDelta(t, 156_496, bdp, 1)
	fired, rest := map[uint16]int{}, 0
	books(t, s, WithTap(func(ev *cc.Event) bool {
		if ev.Kind != cc.KindAck {
			return true
		}
		before := last[ev.NIC]
		now := &seen{hops: slices.Clone(ev.Hops)}
		last[ev.NIC] = now
		if before == nil {
			require.Equal(t, "FIRST", ev.Out.Action)
			return true
		}
		most := 0
		for i, h := range ev.Hops {
			old := before.hops[i]
			now.v[i] = before.v[i]
			if dt := h.TS - old.TS; dt > 0 {
				now.v[i] = min(h.Queue, old.Queue)/bdp + min(1, (h.Tx-old.Tx)*8/dt/100)
			}
			if now.v[i] > now.v[most] {
				most = i
			}
		}
		if most != 0 || now.v[0] <= 1.05 {
			rest++
			require.NotEqual(t, "LHCS", ev.Out.Action, "%v", now.v)
			return true
		}
		require.Equal(t, "LHCS", ev.Out.Action, "%v", now.v)
		fired[ev.Flows]++
		require.InDelta(t, 0.9*bdp/float64(max(1, ev.Flows)), float64(ev.Out.Cwnd), 15, "the round trip is whole ns")
		return true
	}))
	require.Greater(t, fired[2], 100)
	require.Positive(t, fired[1], "of ACKs that left before flow 1 had arrived")
	require.Greater(t, rest, 1000)
}
