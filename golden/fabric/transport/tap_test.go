package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// tester is what *testing.T and *rapid.T have in common here.
type tester interface {
	require.TestingT
	Helper()
}

// shadow is a second set of books, kept from the tap alone as the hardware
// would: transmit state by PSN and the context's counters.
type shadow struct {
	t     tester
	mtu   int64
	mpr   int
	last  units.Picos
	stats map[string]int
	pdcs  map[[2]int32]*shadowPDC
	cccs  map[[2]int32]*shadowCCC
}

type shadowPDC struct {
	sent map[uint32]shadowTx
	rcvd uint32
}

type shadowTx struct {
	time   units.Picos
	size   int64
	rtx    uint8
	marked bool
}

type shadowCCC struct {
	out      cc.Out
	opened   bool
	backlog  int64
	waiting  int64
	inflight int64 // packets
	pdcs     map[uint8]int32
	pends    int
}

func NewShadow(t tester, s settings.Spec) *shadow {
	return &shadow{t: t, mtu: int64(s.MTU), mpr: s.MPR, stats: map[string]int{},
		pdcs: map[[2]int32]*shadowPDC{}, cccs: map[[2]int32]*shadowCCC{}}
}

func (h *shadow) Tap(ev *cc.Event) bool {
	h.must(ev.Time >= h.last, ev, "order of time")
	h.last = ev.Time
	h.stats[ev.Kind.String()]++
	ck, pk := [2]int32{ev.NIC, ev.CCC}, [2]int32{ev.NIC, ev.NICPDC}
	c, p := h.cccs[ck], h.pdcs[pk]
	if c == nil {
		h.must(ev.Kind == cc.KindOpen, ev, "first event of a context")
		c = &shadowCCC{pdcs: map[uint8]int32{}}
		h.cccs[ck] = c
	} else {
		h.must(ev.Kind != cc.KindOpen, ev, "opened twice")
	}
	if p == nil {
		p = &shadowPDC{sent: map[uint32]shadowTx{}}
		h.pdcs[pk] = p
	}
	h.must(ev.PDC < 4, ev, "at most four connections per context")
	if n, ok := c.pdcs[ev.PDC]; ok {
		h.must(n == ev.NICPDC, ev, "numbers of one connection")
	}
	c.pdcs[ev.PDC] = ev.NICPDC
	h.event(ev, c, p)
	h.must(c.backlog >= 0, ev, "backlog below 0")
	h.must(c.waiting >= 0, ev, "packets to resend below 0")
	h.must(c.inflight >= 0, ev, "packets in flight below 0")
	c.out = ev.Out
	return true
}

func (h *shadow) event(ev *cc.Event, c *shadowCCC, p *shadowPDC) {
	tx, stored := p.sent[ev.PSN]
	switch ev.Kind {
	case cc.KindNewData:
		c.backlog += ev.Size
	case cc.KindSend:
		h.must(c.out.CanSend, ev, "sent without can_send")
		h.must(c.out.Inflight+h.mtu <= c.out.Cwnd, ev, "window before a send")
		h.must(ev.IsRtx == stored, ev, "a resend is a packet sent before, and only it")
		if ev.IsRtx {
			h.must(tx.marked, ev, "resent without being marked")
			h.must(tx.size == ev.Size, ev, "nominal size changed")
			h.must(min(tx.rtx+1, 2) == ev.RtxCount, ev, "rtx_count of a resend")
			c.waiting--
			if ev.RtxCount == 2 {
				h.stats["rtx_count_2"]++
			}
		} else {
			h.must(ev.RtxCount == 0, ev, "rtx_count of a new packet")
			c.backlog -= ev.Size
		}
		p.sent[ev.PSN] = shadowTx{time: ev.Time, size: ev.Size, rtx: ev.RtxCount}
		c.inflight++
	case cc.KindAck:
		h.referenced(ev, tx, stored)
		h.ack(ev, c, p)
	case cc.KindNack:
		h.must(stored, ev, "refused or lost without being outstanding")
		h.referenced(ev, tx, stored)
		h.must(ev.Reason == cc.ReasonTrimmed || ev.Reason == cc.ReasonTrimmedLastHop ||
			ev.Reason == cc.ReasonOutOfRange && h.mpr > 0, ev, "NACK code")
		h.must(tx.size == ev.Size, ev, "nominal size changed")
		h.lose(ev, c, p, tx)
		if ev.Reason == cc.ReasonTrimmedLastHop {
			h.stats["last_hop"]++
		}
	case cc.KindLoss:
		h.must(stored, ev, "refused or lost without being outstanding")
		h.must(tx.size == ev.Size, ev, "nominal size changed")
		h.lose(ev, c, p, tx)
	}
}

func (h *shadow) referenced(ev *cc.Event, tx shadowTx, stored bool) {
	if ev.Asked {
		h.must(!ev.TxValid, ev, "the ACK of an ACK request refers to no transmission")
		h.stats["asked"]++
		return
	}
	h.must(stored == ev.TxValid, ev, "transmit state exactly while outstanding")
	if stored {
		h.must(tx.time == ev.TxTime, ev, "stored time")
		h.must(tx.rtx == ev.RtxCount, ev, "stored rtx_count")
	} else {
		h.stats["no_state"]++
	}
	if ev.Retx {
		h.stats["retx"]++
	}
	if ev.M {
		h.stats["marked"]++
	}
}

func (h *shadow) lose(ev *cc.Event, c *shadowCCC, p *shadowPDC, tx shadowTx) {
	h.must(!tx.marked, ev, "lost twice")
	tx.marked = true
	p.sent[ev.PSN] = tx
	c.inflight--
	c.waiting++
}

func (h *shadow) ack(ev *cc.Event, c *shadowCCC, p *shadowPDC) {
	acked, unmarked, bytes := int32(0), int32(0), int64(0)
	for _, psn := range ev.AckedPSNs {
		tx, ok := p.sent[psn]
		h.must(ok, ev, "psn freed twice")
		if tx.marked {
			unmarked++
			bytes += tx.size
		} else {
			acked++
		}
		delete(p.sent, psn)
	}
	h.must(acked == ev.AckedPkts, ev, "newly acked packets")
	h.must(unmarked == ev.UnmarkPkts, ev, "unmarked packets")
	h.must(bytes == ev.UnmarkBytes, ev, "unmarked bytes")
	c.inflight -= int64(acked)
	c.waiting -= int64(unmarked)
	h.stats["unmarked"] += int(unmarked)
	if len(ev.AckedPSNs) > 1 {
		h.stats["multi"]++
	}
	h.must(ev.ServiceTime != 0, ev, "service_time is at least 1")
	h.must(ev.RcvdBytes < 1<<24, ev, "rcvd_bytes has 24 bits")
	if d := (ev.RcvdBytes - p.rcvd) & 0xFFFFFF; d < 1<<23 {
		p.rcvd = ev.RcvdBytes
	} else {
		h.stats["old_ack"]++
	}
	h.must(ev.RcvCwndPend <= 127, ev, "rcv_cwnd_pend is at most 127")
	switch {
	case ev.RcvCwndPend > 0:
		h.stats["pend"]++
		c.pends++
	case ev.RestoreCwnd && c.pends > 0:
		h.stats["restore"]++
		c.pends = 0
	}
}

// must fails the test, naming the event, when a rule does not hold.
func (h *shadow) must(ok bool, ev *cc.Event, rule string) {
	if !ok {
		h.t.Helper()
		require.FailNow(h.t, rule, "%+v", *ev)
	}
}

// Closed requires that nothing is outstanding: every packet sent was freed once.
// rcvd_bytes rounds up to 256 bytes per connection.
func (h *shadow) Closed() { h.closedWithin(255) }

// closedWithin requires the same, where inflight may end that many bytes per
// connection below zero.
func (h *shadow) closedWithin(bytes int) {
	for k, p := range h.pdcs {
		require.Empty(h.t, p.sent, "%v", k)
	}
	for k, c := range h.cccs {
		require.Zero(h.t, c.backlog, "%v", k)
		require.Zero(h.t, c.waiting, "%v", k)
		require.Zero(h.t, c.inflight, "%v", k)
		require.LessOrEqual(h.t, c.out.Inflight, int64(0), "%v", k)
		require.GreaterOrEqual(h.t, c.out.Inflight, -int64(bytes*len(c.pdcs)), "%v", k)
	}
}

// TestTapBalances keeps the shadow books over runs that show rare events, with
// several connections under one window.
func TestTapBalances(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*settings.Spec)
		see  []string
	}{
		{"permutation", func(s *settings.Spec) { s.PDCsPerCCC, s.FlowBytes, s.Paths = 2, 800_000, 16 },
			[]string{"ack", "marked", "multi"}},
		{"incast", func(s *settings.Spec) { s.Workload, s.PDCsPerCCC = settings.Incast, 2 },
			[]string{"nack", "last_hop", "retx"}},
		{"incast-loss", func(s *settings.Spec) { s.Workload, s.PDCsPerCCC, s.LossProb = settings.Incast, 4, 0.01 },
			[]string{"nack", "loss", "rtx_count_2", "no_state", "unmarked"}},
		{"slow-jitter", func(s *settings.Spec) {
			s.SlowHosts, s.DrainShare, s.ServiceJitter, s.CCCsPerNIC = 1, 0.5, 2*units.Microsecond, 2
		}, []string{"pend", "restore", "old_ack"}},
	} {
		for _, cc := range []struct {
			name    string
			factory cc.Factory
		}{{"nscc", cc.NSCC(nil)}, {"fixed", cc.FixedWindow(0)}} {
			t.Run(c.name+"/"+cc.name, func(t *testing.T) {
				s := small(settings.Permutation)
				c.edit(&s)
				h := NewShadow(t, s)
				r := verified(t, s, WithCC(cc.factory), WithTap(h.Tap))
				h.Closed()
				require.Equal(t, r.Counters.Nacks-r.Counters.NacksStale, uint64(h.stats["nack"]))
				require.Equal(t, r.Counters.Acks-r.Counters.AcksStale, uint64(h.stats["ack"]))
				require.Equal(t, r.Counters.InferredLosses, uint64(h.stats["loss"]))
				for _, name := range c.see {
					require.NotZero(t, h.stats[name], "%s in %v", name, h.stats)
				}
			})
		}
	}
}

func TestWireUnits(t *testing.T) {
	require.Equal(t, uint32(0), cc.RcvdUnits(0))
	require.Equal(t, uint32(1), cc.RcvdUnits(1))
	require.Equal(t, uint32(1), cc.RcvdUnits(256))
	require.Equal(t, uint32(2), cc.RcvdUnits(257))
	for _, n := range []uint64{1<<32 - 257, 1<<32 - 256, 1<<32 - 255, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<40 + 300} {
		require.Equal(t, uint32((n+255)>>8&0xFFFFFF), cc.RcvdUnits(uint32(n)), "the upper bits do not matter")
	}
	require.Equal(t, uint16(1), cc.ServiceUnits(0))
	require.Equal(t, uint16(1), cc.ServiceUnits(255_999))
	require.Equal(t, uint16(2), cc.ServiceUnits(256_000))
	require.Equal(t, uint16(0xFFFF), cc.ServiceUnits(units.Millisecond*20))
}
