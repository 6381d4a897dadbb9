package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// credited are the controls that need credit.
func credited() (names []string) {
	for _, r := range cc.Rows() {
		if r.Needs.Credit {
			names = append(names, r.Name)
		}
	}
	return names
}

// TestTargetsTravel: a sender with credit puts its target into each data packet, also one that is trimmed, and no other
// sender does. Pulls come from the receiver, in the high class.
func TestTargetsTravel(t *testing.T) {
	s := small(settings.Incast)
	s.K, s.Incast, s.TrimAtLastHop = 4, 8, 1
	for _, name := range append(credited(), "nscc", "fixed") {
		s.CC = name
		var targets, pulls, trimmed int
		r := verified(t, s, func(o *Options) {
			o.Packets = func(kind net.PortKind, _ int32, k *net.Packet) {
				switch {
				case kind != net.PortDepart:
				case k.Kind == net.PacketData && k.Flags&net.FlagCredit != 0:
					targets++
					require.Less(t, k.Cum, uint32(1<<24))
					if k.Flags&net.FlagTrimmed != 0 {
						trimmed++
					}
				case k.Kind == net.PacketCredit:
					pulls++
					require.Equal(t, uint8(net.ClassHigh), k.Class)
					require.NotZero(t, k.Dst, "host 0 is the receiver")
				}
			}
		})
		require.Equal(t, r.Counters.Credits, r.Counters.CreditsArrived)
		if name == "nscc" || name == "fixed" {
			require.Zero(t, targets+pulls+int(r.Counters.Credits))
			continue
		}
		require.Positive(t, targets)
		require.Positive(t, pulls)
		require.Positive(t, trimmed)
	}
}

// TestPacedIncast: data comes to the receiver at 99 % of its link from the first packet on, and fewer packets are
// trimmed than without credit.
func TestPacedIncast(t *testing.T) {
	s := small(settings.Incast)
	s.K, s.Incast, s.FlowBytes, s.ECNLastHop = 4, 8, 2_000_000, false
	plain := books(t, s).Counters
	for _, s.CC = range credited() {
		r := books(t, s)
		require.Positive(t, r.Counters.Trims)
		require.Less(t, r.Counters.Trims, plain.Trims*3/4)
		all := units.Picos(0)
		for _, f := range r.Flows {
			all = max(all, f.Acked)
		}
		bytes := 8 * (2_000_000 + 64*units.Picos(496))
		require.InEpsilon(t, float64(bytes*20)/0.99, float64(all), 0.03, "%v", all)
	}
}

// TestLastHopTrims: those do not cut the window beside which credit runs, and others do.
func TestLastHopTrims(t *testing.T) {
	var seen [3]int
	cut := false
	for _, w := range []settings.Workload{settings.Incast, settings.Permutation} {
		s := small(w)
		s.CC = "nscc+rccc"
		if w == settings.Permutation {
			s.Oversub = 4
		}
		before := map[int32]int64{}
		books(t, s, WithTap(func(ev *cc.Event) bool {
			if ev.Kind == cc.KindNack {
				seen[ev.Reason]++
				if ev.Reason == cc.ReasonTrimmedLastHop {
					require.Equal(t, before[ev.NIC], ev.Out.Cwnd)
				} else {
					require.LessOrEqual(t, ev.Out.Cwnd, before[ev.NIC])
					cut = cut || ev.Out.Cwnd < before[ev.NIC]
				}
			}
			before[ev.NIC] = ev.Out.Cwnd
			return true
		}))
	}
	require.True(t, cut)
	require.Positive(t, seen[cc.ReasonTrimmed])
	require.Positive(t, seen[cc.ReasonTrimmedLastHop])
}

// TestMarksOfTheLastHop: ecn.last_hop = off leaves the queues in front of hosts without marks.
func TestMarksOfTheLastHop(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.Workload, s.Senders, s.LinkLatency = settings.LastHop, settings.Converge, 2, units.Microsecond
	s.CC = "rccc"
	require.Positive(t, verified(t, s).Counters.ECN)
	s.ECNLastHop = false
	require.Zero(t, verified(t, s).Counters.ECN)
}

// TestLostCredit: with packets of all kinds lost at random, pulls and requests among them, every flow ends. A sender
// that has no credit for what a timer gives up, or hears nothing for a timeout, asks for some, at most once in a base
// RTT; a request that is lost is sent again.
func TestLostCredit(t *testing.T) {
	for _, name := range credited() {
		var requests, arrived, resent uint64
		for seed := uint64(1); seed <= 20; seed++ {
			s := small(settings.Incast)
			s.K, s.Incast, s.FlowBytes, s.CC, s.LossProb, s.Seed = 4, 8, 400_000, name, 0.05, seed
			s.LinkGbps, s.RTO = 100, 60*units.Microsecond
			asked := map[int32]units.Picos{}
			requested, again := map[[2]uint32]bool{}, map[[2]uint32]bool{}
			r := books(t, s, WithTap(func(ev *cc.Event) bool {
				at := [2]uint32{uint32(ev.NIC), ev.PSN}
				switch {
				case ev.Kind == cc.KindAck && requested[at] && !again[at]:
					require.False(t, ev.TxValid, "a request gives no round trip")
				case ev.Kind != cc.KindSend:
				case ev.Request:
					if last, ok := asked[ev.NIC]; ok {
						require.GreaterOrEqual(t, ev.Time, last+s.EffectiveBaseRTT())
					}
					asked[ev.NIC], requested[at] = ev.Time, true
					require.Equal(t, int64(s.HeaderBytes), ev.Size)
				case requested[at]:
					resent++
					again[at] = true
				}
				return true
			}))
			require.Positive(t, r.Counters.CtlLost)
			requests += r.Counters.CreditRequests
			arrived += r.Counters.CreditRequestsArrived
		}
		require.Positive(t, requests, name)
		require.Less(t, arrived, requests, "%s: some are lost", name)
		require.Positive(t, resent, name)
	}
}

// TestNextMessage: credit that slow pulls have brought lets a message that comes later begin at once; it takes the time
// of the first one, but for the credit that the receiver grants at 99 %.
func TestNextMessage(t *testing.T) {
	for _, name := range credited() {
		s := alone(1)
		s.CC = name
		bytes := 300 * int64(s.MTU-s.HeaderBytes)
		list := []traffic.Message{{Src: 0, Dst: 2, Bytes: bytes}, {Src: 0, Dst: 2, Bytes: bytes, After: []int32{0},
			Start: int64(units.Millisecond)}}
		r := verified(t, s, WithMessages(list))
		one, two := r.Flows[0].Acked-r.Flows[0].Start, r.Flows[1].Acked-r.Flows[1].Start
		require.Zero(t, r.Counters.CreditRequests, "there is credit")
		require.InEpsilon(t, float64(one), float64(two), 0.01)
	}
}

// TestNextOfSmallMessages: a message of one packet asks for no more credit, and the next one finds none. It asks at
// once, and takes a round trip more.
func TestNextOfSmallMessages(t *testing.T) {
	for _, name := range credited() {
		s := alone(1)
		s.CC = name
		list := []traffic.Message{{Src: 0, Dst: 2, Bytes: 4032}, {Src: 0, Dst: 2, Bytes: 4032, After: []int32{0},
			Start: int64(20 * units.Microsecond)}}
		r := verified(t, s, WithMessages(list))
		require.Equal(t, uint64(1), r.Counters.CreditRequests)
		require.Zero(t, r.Counters.Timeouts)
		one, two := r.Flows[0].Acked-r.Flows[0].Start, r.Flows[1].Acked-r.Flows[1].Start
		require.Greater(t, two, one+4*s.LinkLatency)
		require.Less(t, two, 2*one)
	}
}

// TestSharedNIC: a context asks for its share of what it wants, by the number of those that wait to send.
func TestSharedNIC(t *testing.T) {
	s := small(settings.Permutation)
	s.K, s.CCCsPerNIC, s.CC = 4, 4, "rccc"
	most := int32(0)
	books(t, s, WithTap(func(ev *cc.Event) bool {
		if ev.Kind == cc.KindSend {
			require.Positive(t, ev.Sources)
			most = max(most, ev.Sources)
		}
		return true
	}))
	require.Equal(t, int32(4), most)
}

// TestStopTakesTheTargetBack: what a stopped message will not send leaves the backlog.
func TestStopTakesTheTargetBack(t *testing.T) {
	s := alone(1)
	s.CC = "rccc"
	total := int64(0)
	list := []traffic.Message{{Src: 0, Dst: 2, Bytes: 1<<20 + 7, Stop: int64(20 * units.Microsecond)}}
	r := verified(t, s, WithMessages(list), WithTap(func(ev *cc.Event) bool {
		switch ev.Kind {
		case cc.KindNewData:
			total += ev.Size
		case cc.KindSend:
			total -= ev.Size
		}
		return true
	}))
	require.True(t, r.Flows[0].Stopped)
	require.Zero(t, total)
}

// TestAnswersToPacedSenders: a receiver answers a packet of a sender with credit that asks, and once more when nothing
// is missing; not the late ones between.
func TestAnswersToPacedSenders(t *testing.T) {
	s := settings.DefaultSpec()
	s.CC = "rccc"
	n, err := Build(s, Options{})
	require.NoError(t, err)
	a := &arrivals{n, t, n.tx[0].first}
	const credit, asks = net.FlagCredit, net.FlagCredit | net.FlagAR
	data := func(i uint32, flags uint8) bool {
		before := a.count.Credits + a.count.CtlSent
		receiver{a.Hosts}.onData(&net.Packet{Kind: net.PacketData, PSN: a.base + i, Flags: flags, Dst: a.tx[0].dst,
			Size: 4096, Nominal: 4096, Cum: uint32(rccc.First), Span: uint16(i + 1)})
		return a.count.Credits+a.count.CtlSent > before
	}
	require.True(t, data(0, credit), "first packet")
	require.True(t, data(4, asks))
	require.False(t, data(2, credit))
	require.False(t, data(5, credit), "beyond")
	require.False(t, data(3, credit))
	require.True(t, data(1, credit), "nothing is missing")
	require.False(t, data(6, credit), "once")
	require.True(t, data(7, asks))
	require.False(t, data(8, credit), "the packet that asked has had its answer")
}

// TestWhoJoins: a receiver grants credit for a target that rises, in a packet that is whole, trimmed or a request, and
// without one for a trimmed packet that is new and for each request; not for a trimmed packet whose data has come.
func TestWhoJoins(t *testing.T) {
	s := settings.DefaultSpec()
	s.CC = "rccc"
	for _, c := range []struct {
		name  string
		kind  net.PacketKind
		flags uint8
		psn   uint32 // the first has come
		more  int64  // of the target, beyond what is granted
		pulls uint64
	}{
		{"whole", net.PacketData, 0, 1, 0, 0},
		{"whole, wants more", net.PacketData, 0, 1, 5, 1},
		{"come before, wants more", net.PacketData, 0, 0, 5, 1},
		{"trimmed", net.PacketData, net.FlagTrimmed, 1, 0, 1},
		{"trimmed, wants less", net.PacketData, net.FlagTrimmed, 1, -5, 1},
		{"trimmed, wants more", net.PacketData, net.FlagTrimmed, 1, 5, 1},
		{"trimmed, come before", net.PacketData, net.FlagTrimmed, 0, 5, 0},
		{"request", net.PacketCreditReq, net.FlagAR, 1, 0, 1},
		{"request, come before", net.PacketCreditReq, net.FlagAR, 0, 0, 1},
	} {
		n, err := Build(s, Options{})
		require.NoError(t, err)
		base, dst := n.tx[0].first, n.tx[0].dst
		receive := func(kind net.PacketKind, flags uint8, psn uint32, more int64) {
			n.Receive(n.net.Put(&net.Packet{Kind: kind, PSN: base + psn, Flags: flags | net.FlagCredit, Dst: dst,
				Size: 4096, Nominal: 4096, Cum: uint32(rccc.First.Plus(more)), Span: uint16(psn + 1)}))
		}
		receive(net.PacketData, 0, 0, 0)
		require.Zero(t, n.count.Credits)
		receive(c.kind, c.flags, c.psn, c.more)
		if c.kind == net.PacketCreditReq {
			require.Equal(t, base+1+c.psn, n.rx[0].cum, "it has a PSN of its own")
			require.Equal(t, uint64(2), n.count.CtlSent, "and is acknowledged at once")
		}
		for e, ok := n.wheel.Pop(); ok && e.At == 0; e, ok = n.wheel.Pop() {
			if e.Kind == evPull {
				require.Equal(t, dst, e.Arg)
				receiver{n.Hosts}.onPull(e.Arg)
			}
		}
		require.Equal(t, c.pulls, n.count.Credits, c.name)
		require.Equal(t, max(c.more, 0)*int64(c.pulls), n.grants[0].Granted.Since(rccc.First), c.name)
	}
}

// TestLostPulls: a sender that gets none of its pulls, while another keeps the receiver busy, asks for credit when it
// has sent nothing for a timeout. The next pull brings all that was granted before.
func TestLostPulls(t *testing.T) {
	s := small(settings.Permutation)
	s.K, s.LinkGbps, s.RTO, s.CC = 4, 100, 60*units.Microsecond, "rccc"
	list := []traffic.Message{{Src: 1, Dst: 0, Bytes: 400_000, Conn: 0}, {Src: 2, Dst: 0, Bytes: 8_000_000, Conn: 1}}
	row, err := cc.Find("rccc", cc.Rows())
	require.NoError(t, err)
	lossy, d := *row, &deaf{}
	lossy.New = func(cfg cc.Config) (cc.Control, error) {
		c, err := row.New(cfg)
		if cfg.NIC == 1 {
			d.Control = c
			c = d
		}
		return c, err
	}
	r := verified(t, s, WithControl(lossy), WithMessages(list))
	require.Positive(t, d.missed)
	require.Equal(t, uint64(1), r.Counters.CreditRequests)
	require.Greater(t, r.Flows[0].Acked, s.RTO)
	require.Less(t, r.Flows[0].Acked, r.Flows[1].Acked/2)
}

// deaf is a control that gets no pull until it has asked for credit.
type deaf struct {
	cc.Control
	out    cc.Out
	asked  bool
	missed int
}

func (d *deaf) Step(ev *cc.Event) cc.Out {
	d.asked = d.asked || ev.Request
	if ev.Kind == cc.KindCredit && !d.asked {
		d.missed++
		return d.out
	}
	d.out = d.Control.Step(ev)
	return d.out
}

// TestAfterTheEnd: what comes late to a connection that is over changes nothing and is not answered: a credit request,
// one that was resent as data, a pull.
func TestAfterTheEnd(t *testing.T) {
	s := alone(1)
	s.CC = "rccc"
	n, err := Build(s, Options{Messages: []traffic.Message{{Src: 0, Dst: 2, Bytes: 4032}}})
	require.NoError(t, err)
	require.NoError(t, n.Loop(t.Context()))
	require.Equal(t, uint64(1), n.count.FlowsAcked)
	cum := n.rx[0].cum
	for _, kind := range []net.PacketKind{net.PacketCreditReq, net.PacketData, net.PacketCredit} {
		k := net.Packet{Kind: kind, PSN: cum, Flags: net.FlagCredit, Dst: 2, Size: 64, Nominal: 64, Cum: uint32(rccc.First)}
		if kind == net.PacketCredit {
			k.Dst, k.Cum = 0, k.Cum+5
		}
		sent := n.count.CtlSent
		n.Receive(n.net.Put(&k))
		require.Equal(t, sent, n.count.CtlSent)
	}
	require.Equal(t, cum, n.rx[0].cum)
	require.Zero(t, n.rx[0].ooo)
}

// TestLostWhileSpeculating: when the only packet is lost, and nothing has been heard of the receiver, its timer resends
// it from what is left of the speculative credit.
func TestLostWhileSpeculating(t *testing.T) {
	lost := 0
	for seed := range uint64(40) {
		s := alone(1)
		s.CC, s.LossProb, s.Seed = "rccc", 0.05, seed
		r := verified(t, s)
		if r.Counters.DataLost == 1 && r.Counters.CtlLost == 0 {
			lost++
			require.Equal(t, uint64(1), r.Counters.Retransmits)
			require.Zero(t, r.Counters.CreditRequests)
		}
	}
	require.Positive(t, lost)
}
