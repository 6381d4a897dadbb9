package transport

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestSynUntilTheFirstAck: all data that a sender sends before its first ACK opens the connection, what it resends too
// and whatever NACKs have come, and shows how far it is from the connection's first PSN. No data after it does.
func TestSynUntilTheFirstAck(t *testing.T) {
	s := small(settings.Incast)
	s.FlowBytes = 1_000_000
	hosts, err := s.Layout()
	require.NoError(t, err)
	acked, nacked, first := map[int32]bool{}, map[int32]bool{}, map[int32]uint32{}
	var resent, later, asked int
	var ports []int32
	for h := range hosts.Hosts {
		ports = append(ports, int32(h))
	}
	r := verified(t, s, WithTap(func(ev *cc.Event) bool {
		acked[ev.NIC] = acked[ev.NIC] || ev.Kind == cc.KindAck
		nacked[ev.NIC] = nacked[ev.NIC] || ev.Kind == cc.KindNack
		return true
	}), WithPortTap(func(ev *net.PortEvent) {
		k := &ev.Packet
		if ev.Kind != net.PortDepart || k.Kind != net.PacketData && k.Kind != net.PacketAckReq {
			return
		}
		if _, ok := first[k.Conn]; !ok {
			first[k.Conn] = k.PSN
		}
		if k.Syn {
			require.EqualValues(t, k.PSN-first[k.Conn], k.PSNOffset)
		}
		switch {
		case k.Kind == net.PacketAckReq && k.Syn:
			asked++
		case k.Kind == net.PacketAckReq: // it may have waited
		case acked[k.Src]:
			require.False(t, k.Syn, "PSN %d after the first ACK", k.PSN-first[k.Conn])
			later++
		default:
			require.True(t, k.Syn, "PSN %d before any ACK", k.PSN-first[k.Conn])
			if nacked[k.Src] && k.Retx {
				resent++
			}
		}
	}, ports...))
	require.Len(t, first, len(r.Flows))
	require.NotContains(t, []int{resent, later, asked}, 0)
}

// TestOpeningIsNoLongerThanItsField: with very small packets a window has more PSNs than psn_offset can tell apart. The
// sender waits for its first ACK there, and uses all of its window after it.
func TestOpeningIsNoLongerThanItsField(t *testing.T) {
	s := alone(20_000)
	s.CC, s.LinkGbps, s.LinkLatency = "", 800, 4*units.Microsecond
	s.HeaderBytes, s.TrimBytes, s.MTU, s.FlowBytes = 48, 48, 112, 64*20_000
	most, wide := uint16(0), uint32(0)
	verified(t, s, WithPortTap(func(ev *net.PortEvent) {
		if ev.Packet.Syn {
			most = max(most, ev.Packet.PSNOffset)
		}
	}, 2), WithTap(func(ev *cc.Event) bool {
		if ev.Kind == cc.KindSend {
			wide = max(wide, ev.PSN-ev.Una)
		}
		return true
	}))
	require.EqualValues(t, net.MaxOffset, most)
	require.Greater(t, wide, uint32(net.MaxOffset+1))
}

// TestRangeOfTheReceiver: a sender that has had an ACK sends no PSN beyond the range in it, new or resent, asks for an
// ACK where the range is full, and never waits for a timeout. What it sent before that was refused, and resent in time.
// Without a limit ACKs hold what the state holds, or 255.
func TestRangeOfTheReceiver(t *testing.T) {
	for _, mpr := range []int{0, 1, 2, 3, 5, 20, 254, 255} {
		for _, bytes := range []int64{100_000, 1_000_000} {
			s := small(settings.Permutation)
			s.K, s.MPR, s.FlowBytes = 4, mpr, bytes
			acked, most, shown := map[int32]bool{}, uint32(0), map[uint8]bool{}
			r := verified(t, s, WithTap(func(ev *cc.Event) bool {
				switch {
				case ev.Kind == cc.KindAck:
					acked[ev.NIC], shown[ev.MPR] = true, true
				case ev.Kind == cc.KindSend && acked[ev.NIC]:
					most = max(most, ev.PSN-ev.Una+1)
				}
				return true
			}))
			want := min(mpr, 128) // the state of a short flow
			if bytes == 1_000_000 {
				want = mpr
			}
			if mpr > 0 {
				require.LessOrEqual(t, most, uint32(mpr))
			}
			if mpr == 0 {
				want = map[int64]int{100_000: 128, 1_000_000: 255}[bytes]
			}
			require.Equal(t, map[uint8]bool{uint8(want): true}, shown)
			require.Zero(t, r.Counters.Timeouts, "mpr = %d", mpr)
			require.Equal(t, r.Counters.OutOfRange, r.Counters.Retransmits, "mpr = %d", mpr)
			if mpr > 0 && mpr < 20 { // shorter than the first window
				require.Positive(t, r.Counters.OutOfRange, "mpr = %d", mpr)
			}
			if bytes == 1_000_000 && mpr > 0 && mpr < 200 {
				require.EqualValues(t, mpr, most, "all of the range")
			}
		}
	}
}

// TestRangeUnderLoss: a narrow range and losses of every kind end together.
func TestRangeUnderLoss(t *testing.T) {
	for _, mpr := range []int{1, 3, 30} {
		for _, trim := range []bool{true, false} {
			s := small(settings.Incast)
			s.MPR, s.Trim, s.LossProb, s.Incast = mpr, trim, 0.02, 8
			h := NewShadow(t, s)
			verified(t, s, WithTap(h.Tap))
			h.Closed()
		}
	}
}

// TestConnectionsClose: when a run has ended every connection is closed at both ends and has given its memory back,
// though CLOSEs and their ACKs are lost.
func TestConnectionsClose(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"permutation": func(s *settings.Spec) { s.PDCsPerCCC = 2 },
		"rounds":      func(s *settings.Spec) { s.Rounds = 3 },
		"list":        func(s *settings.Spec) { s.Workload, s.CDF, s.Load, s.Flows = settings.Poisson, "websearch", 0.4, 60 },
		"own losses":  func(s *settings.Spec) { s.CC = "swift" },
	} {
		for _, loss := range []float64{0, 0.05} {
			s := small(settings.Permutation)
			s.K, s.FlowBytes, s.LossProb = 4, 50_000, loss
			edit(&s)
			n, err := Build(s, Options{})
			require.NoError(t, err)
			require.NoError(t, n.Loop(context.Background()))
			r := n.Result()
			require.NoError(t, r.Verify())
			given := 0
			for ti := range n.tx {
				require.Equal(t, lifeClosed, n.tx[ti].life, "%s, sender of connection %d", name, ti)
				require.Equal(t, lifeClosed, n.rx[ti].life, "%s, receiver of connection %d", name, ti)
				require.Nil(t, n.rx[ti].seen)
			}
			for _, m := range n.maps {
				given += len(m)
			}
			require.Positive(t, given)
			c := &r.Counters
			if loss == 0 {
				require.EqualValues(t, len(n.tx), c.Closes, "%s: one each", name)
				require.Equal(t, c.Closes, c.ClosesArrived)
			} else {
				require.Greater(t, c.Closes, uint64(len(n.tx)), "%s: some are sent again", name)
				require.Greater(t, c.ClosesArrived, uint64(len(n.tx)), "%s: ACKs are lost, too", name)
			}
		}
	}
}

// TestClosedStaysClosed: a receiver that has closed answers another CLOSE as it did the first, and nothing else. What
// comes late makes no state, with syn or not.
func TestClosedStaysClosed(t *testing.T) {
	a := newArrivals(t)
	require.NotNil(t, a.data(0, 0))
	require.NotNil(t, a.data(1, net.FlagAR))
	end := net.Packet{Kind: net.PacketClose, PSN: a.base + 2, Dst: a.tx[0].dst, Flags: net.FlagAR}
	give := func(k net.Packet) *net.Packet {
		i := a.net.Pool.Alloc()
		*a.net.Pool.At(i) = k
		before := a.count.CtlSent
		a.Receive(i)
		if a.count.CtlSent == before {
			return nil
		}
		return a.net.Pool.At(a.net.Ports[a.tx[0].dst].Q[net.ClassHigh].Tail)
	}
	for range 2 {
		k := give(end)
		require.NotNil(t, k)
		require.Equal(t, net.PacketAck, k.Kind)
		require.Equal(t, []uint32{a.base + 2, a.base + 3, 2 * 4096}, []uint32{k.PSN, k.Cum, k.Rcvd})
		require.Zero(t, k.Flags&net.FlagAR, "not of an ACK request")
	}
	late := net.Packet{PSN: a.base + 1, Dst: a.tx[0].dst, Size: 4096, Nominal: 4096}
	for _, span := range []uint16{0, 2} {
		for _, flags := range []uint8{0, net.FlagCE, net.FlagAR, net.FlagTrimmed} {
			late.Kind, late.Span, late.Flags = net.PacketData, span, flags
			require.Nil(t, give(late))
		}
		for _, kind := range []net.PacketKind{net.PacketProbe, net.PacketAckReq} {
			late.Kind, late.Span, late.Flags = kind, span, 0
			require.Nil(t, give(late))
		}
	}
	require.Equal(t, lifeClosed, a.rx[0].life)
	require.Nil(t, a.rx[0].seen)
	require.Equal(t, []uint64{6, 2, 2}, []uint64{a.count.Duplicates, a.count.TrimsArrived, a.count.DupTrims})
	require.NoError(t, a.wheel.Fault())
}

// TestWhatNoSenderSends: a CLOSE while packets are missing, and a connection that begins without syn, end the run with
// an error.
func TestWhatNoSenderSends(t *testing.T) {
	a := newArrivals(t)
	a.data(1, 0)
	i := a.net.Put(&net.Packet{Kind: net.PacketClose, PSN: a.base + 2, Dst: a.tx[0].dst})
	a.Receive(i)
	require.ErrorContains(t, a.wheel.Fault(), "connection 0: closed at PSN")

	s, err := Build(settings.DefaultSpec(), Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	s.Receive(s.net.Put(&net.Packet{Kind: net.PacketData, PDC: 3, PSN: 77, Dst: s.tx[3].dst, Size: 4096, Nominal: 4096}))
	require.ErrorContains(t, s.wheel.Fault(), "connection 3: PSN 77 has no syn")
}

// TestCloseWithoutAWay: a sender whose CLOSE nobody answers sends it again, ever more slowly, and gives up; the flow
// has ended all the same.
func TestCloseWithoutAWay(t *testing.T) {
	s := alone(4)
	s.CC = ""
	var at []units.Picos
	n, err := Build(s, Options{})
	require.NoError(t, err)
	n.net.Watch(func(ev *net.PortEvent) {
		if ev.Kind == net.PortArrive && ev.Packet.Kind == net.PacketClose {
			at = append(at, ev.Time)
			require.Equal(t, len(at) > 1, ev.Packet.Retx)
			n.net.Ports[n.ccc[0].host].Down = true
		}
	}, []int32{n.ccc[0].host}, nil)
	require.NoError(t, n.Loop(context.Background()))
	r := n.Result()
	require.NoError(t, r.Verify())
	require.Len(t, at, 1+maxTries)
	require.Equal(t, n.ccc[0].rto, at[1]-at[0])
	require.Equal(t, 64*n.ccc[0].rto, at[maxTries]-at[maxTries-1])
	require.Equal(t, lifeClosing, n.tx[0].life)
	require.Zero(t, r.Counters.GaveUp)
}

// TestNothingToClose: a flow that ends before its first packet was sent leaves nothing to close.
func TestNothingToClose(t *testing.T) {
	list := []traffic.Message{{Src: 0, Dst: 9, Bytes: 100_000},
		{Src: 0, Dst: 9, Bytes: 100_000, Start: 5, Stop: 6, Conn: 1}}
	n, err := Build(settings.DefaultSpec(), Options{Messages: list})
	require.NoError(t, err)
	require.NoError(t, n.Loop(context.Background()))
	r := n.Result()
	require.NoError(t, r.Verify())
	require.EqualValues(t, 1, r.Counters.Closes)
	require.Zero(t, r.Flows[1].Bytes)
	require.Equal(t, []life{lifeClosed, lifeNew}, []life{n.tx[1].life, n.rx[1].life})
}
