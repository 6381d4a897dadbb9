package loop

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
	wire "github.com/goldwire/goldwire/vectors/stim/fabric/ackgen"
)

// halves are the source halves of all NICs: a model of txpdc beside each. It has the messages of the simulated NIC,
// the records of ackparse and the answers of the simulated congestion control, and its turn when the simulated NIC
// sends. Each of its actions must be what the simulated sender does, field by field. Left out, and counted, is what the
// contract decides otherwise and marks as ours, or where the simulated sender has a rule of its own:
//
//   - Resends of any slot of a context go first. The simulated NIC asks one slot after the other. Slots that have
//     something to send again are stopped while it sends something new of another slot.
//   - Before the first ACK the block does not know the range of the destination. The simulated sender takes it from a
//     NACK, too; slots that have it from there are stopped while another sends.
//   - The timer looks at two packets and counts only resends. What the simulated sender gives up must be LOST where the
//     two rules agree, and is marked by a LOAD elsewhere, also what SLEEK gives up.
//   - When a CLOSE is sent again.
//   - An ACK that comes late to a PDC that closes is stale in the block. The simulated sender gives its congestion
//     control an ACK of nothing, unless the connection was made for one message.
type halves struct {
	t        *testing.T
	spec     settings.Spec
	contexts int // of a NIC, at most
	nics     map[int32]*nicHalf
	wire     *wire.Wire
	seen     map[string]int
}

// Names of the differences that are left out, as keys of seen.
const (
	leftOrder   = "left out: another slot sends again first"
	leftRange   = "left out: another slot has its range from a NACK"
	leftRule    = "left out: given up by another rule"
	leftClose   = "left out: a CLOSE again"
	leftClosing = "left out: an ACK while the PDC closes"
)

// nicHalf is the model beside a NIC.
type nicHalf struct {
	*txpdc.Source
	scan int                 // the PDC that its timer looks at next
	of   map[int][]*outgoing // by context
}

// half is the PDC of a connection.
type half struct {
	nic      *nicHalf
	k        int
	left     int64   // bytes of its message that have not been sent
	messages []int64 // bytes of those that wait
	sent     port.Act
	end      uint32 // PSN of its CLOSE
	closing  bool
	acked    bool // an ACK has come
	refused  bool // a PSN was, as out of range, and no ACK has come
}

// longest is a timeout that never ends.
const longest = 1<<24 - 1

// begins makes the PDC of a connection with its first event.
func (h *halves) begins(c *outgoing, ev *cc.Event) {
	if h == nil || c.half != nil {
		return
	}
	n := h.nics[ev.NIC]
	if n == nil {
		n = &nicHalf{Source: txpdc.NewSource(txpdc.Spec{Contexts: h.contexts}), of: map[int][]*outgoing{}}
		h.nics[ev.NIC] = n
		header := uint32(h.spec.HeaderBytes)
		payload := uint32(0)
		for h.spec.MTU-h.spec.HeaderBytes > 1<<payload {
			payload++
		}
		require.Equal(h.t, h.spec.MTU, h.spec.HeaderBytes+1<<payload, "the MTU")
		for reg, v := range map[uint8]uint32{port.RegPayload: payload, port.RegHeader: header, port.RegRto: longest,
			port.RegTries: 15} {
			h.command(n, port.Cmd{Kind: port.KindCfgWrite, Addr: reg, Data: v}, 0, nil)
		}
	}
	require.Less(h.t, int(ev.CCC), h.contexts)
	c.half = &half{nic: n, k: int(ev.CCC)*port.Slots + int(ev.PDC)}
	n.of[int(ev.CCC)] = append(n.of[int(ev.CCC)], c)
	want := port.Act{Kind: port.ActionOpened, PDC: uint16(c.half.k)}
	h.command(n, port.Cmd{Kind: port.KindOpen, PDC: uint16(c.half.k), Data: ev.Una}, ev.Time, &want)
}

// command executes a command that must work, with an action or without.
func (h *halves) command(n *nicHalf, c port.Cmd, at units.Picos, want *port.Act) (data uint32) {
	var rsp port.Response
	var act port.Act
	acts := n.Command(&c, fields.Ticks(at, tickPs), &rsp, &act)
	require.False(h.t, rsp.Refused || rsp.Busy, "%+v", c)
	if want == nil {
		require.False(h.t, acts, "%+v: %+v", c, act)
		return rsp.Data
	}
	want.Now = fields.Ticks(at, tickPs)
	require.True(h.t, acts, "%+v", c)
	h.same(want, &act)
	return 0
}

// same compares an action with what the simulated sender does.
func (h *halves) same(want, got *port.Act) {
	require.Equal(h.t, want, got, "the simulated sender against the model of txpdc")
	h.seen[got.Kind.String()]++
}

// message takes a message of the application. A PDC has one at a time.
func (h *halves) message(c *outgoing, ev *cc.Event) {
	if h == nil {
		return
	}
	packets := (ev.Size + int64(h.spec.MTU) - 1) / int64(h.spec.MTU)
	c.half.messages = append(c.half.messages, ev.Size-packets*int64(h.spec.HeaderBytes))
	h.next(c.half, ev.Time)
}

// next gives a PDC that has sent a message the one after it.
func (h *halves) next(x *half, at units.Picos) {
	if x.left > 0 || len(x.messages) == 0 {
		return
	}
	x.left, x.messages = x.messages[0], x.messages[1:]
	full := int64(h.spec.MTU - h.spec.HeaderBytes)
	want := port.Act{Kind: port.ActionMessage, PDC: uint16(x.k),
		Size: uint32(x.left + (x.left+full-1)/full*int64(h.spec.HeaderBytes))}
	h.command(x.nic, port.Cmd{Kind: port.KindMessage, PDC: uint16(x.k), Data: uint32(x.left)}, at, &want)
}

// view gives a context the congestion control's answer to an event.
func (h *halves) view(c *outgoing, ev *cc.Event) {
	if h == nil {
		return
	}
	var e ccc.Event
	require.NoError(h.t, fields.CCCEvent(ev, 0, tickPs, &e))
	c.half.nic.View(&port.View{Kind: uint8(e.Kind), Ctx: uint16(ev.CCC), CanSend: ev.Out.CanSend})
}

// sends has the NIC send a packet, when the simulated one does.
func (h *halves) sends(c *outgoing, ev *cc.Event) {
	if h == nil {
		return
	}
	x := c.half
	back := h.aside(c, ev)
	var act port.Act
	for {
		require.True(h.t, x.nic.Waiting(), "no context of NIC %d has its turn, and the simulated one sends %+v", ev.NIC, ev)
		if x.nic.Turn(fields.Ticks(ev.Time, tickPs), &act) {
			break
		}
	}
	back()
	want := port.Act{Kind: port.ActionSent, PDC: uint16(x.k), Now: fields.Ticks(ev.Time, tickPs), PSN: ev.PSN,
		Size: uint32(ev.Size), IsRtx: ev.IsRtx, Tx: ev.TxValid,
		Ar: act.Ar, Syn: act.Syn, PSNOffset: act.PSNOffset, Peer: act.Peer} // see departs
	if !ev.IsRtx {
		x.left -= ev.Size - int64(h.spec.HeaderBytes)
		want.Eom = x.left == 0
	}
	h.same(&want, &act)
	if ev.IsRtx {
		h.seen["resends"]++
	}
	x.sent = act
	// The congestion control's answer is the other reason to ask for an ACK.
	x.sent.Ar = act.Ar || ev.Out.AckReq
	h.next(x, ev.Time)
}

// aside stops the other slots of a context that the simulated NIC passes over by a rule of its own, while it sends a
// packet, and returns what lets them go on.
func (h *halves) aside(c *outgoing, ev *cc.Event) (back func()) {
	words := map[int]uint32{}
	set := func(k int, data uint32) {
		h.command(c.half.nic, port.Cmd{Kind: port.KindLoad, PDC: uint16(k), Addr: port.WordValid, Data: data}, 0, nil)
	}
	for _, o := range c.half.nic.of[int(ev.CCC)] {
		switch {
		case o == c:
			continue
		case o.half.refused:
			h.seen[leftRange]++
		case !ev.IsRtx && o.waits():
			h.seen[leftOrder]++
		default:
			continue
		}
		k := o.half.k
		words[k] = h.command(o.half.nic, port.Cmd{Kind: port.KindRead, PDC: uint16(k), Addr: port.WordValid}, 0, nil)
		set(k, words[k]|1<<port.WordStoppedLSB)
	}
	return func() {
		for k, w := range words {
			set(k, w)
		}
	}
}

// waits reports whether a connection has something to send again.
func (c *outgoing) waits() bool {
	for _, p := range c.held {
		if p.marked {
			return true
		}
	}
	return false
}

// departs takes the headers of the packet that was sent last.
func (h *halves) departs(c *outgoing, k *net.PacketInfo) {
	if h == nil {
		return
	}
	x := &c.half.sent
	want := *x
	want.PSN, want.Size, want.IsRtx, want.Syn, want.PSNOffset, want.Ar = k.PSN, uint32(k.Nominal), k.Retx, k.Syn,
		k.PSNOffset, k.AckReq
	want.Peer = 0
	if pdc, ok := h.wire.PDC(k.Conn); ok && !k.Syn {
		want.Peer = uint16(pdc) + 1
	}
	require.Equal(h.t, want, *x, "the headers of the simulated packet against the model of txpdc")
	h.seen["headers"]++
	if k.Syn {
		h.seen["headers with syn"]++
	}
	if k.AckReq && !k.Retx && !x.Eom {
		h.seen["asks for an ACK"]++
	}
}

// takes takes a record: that of an event of the simulated sender, or one that gave it none.
func (h *halves) takes(c *outgoing, a *arrival, ev *cc.Event) {
	if h == nil {
		return
	}
	x, rec := c.half, &a.rec
	now := fields.Ticks(a.at, tickPs)
	var act port.Act
	acts := x.nic.Record(&port.Rec{PdsType: port.PdsType(rec.PdsType), Entropy: rec.Entropy, M: rec.M, Retx: rec.Retx,
		Probe: rec.Probe, PSN: rec.PSN, AckPSN: rec.AckPSN, Spdcid: rec.Spdcid, Dpdcid: uint16(x.k) + 1,
		NackCode: rec.NackCode, CcType: uint8(rec.CcType), Mpr: rec.Mpr, SackBase: rec.SackBase,
		SackBitmap: rec.SackBitmap, ServiceTime: rec.ServiceTime, RC: rec.RC, Pend: rec.RcvCwndPend,
		RcvdBytes: rec.RcvdBytes}, now, &act)
	want := port.Act{PDC: uint16(x.k), Now: now}
	switch {
	case ev == nil && x.closing && rec.PSN == x.end && rec.PdsType == 8:
		want.Kind, x.closing = port.ActionFreed, false
	case ev == nil:
		require.False(h.t, acts, "%+v: the simulated sender does nothing, the model of txpdc %+v", *rec, act)
		h.seen["records of nothing"]++
		return
	case ev.Kind == cc.KindAck && x.closing:
		require.False(h.t, acks(ev) || acts, "%+v: PDC %d closes: %+v, %+v", *rec, x.k, ev, act)
		h.seen[leftClosing]++
		return
	case ev.Kind == cc.KindNack:
		want.Kind, want.PSN, want.Size, want.Tx = port.ActionNacked, ev.PSN, uint32(ev.Size), ev.TxValid
		x.refused = x.refused || ev.Reason == cc.ReasonOutOfRange && !x.acked
		want.Code, want.M, want.Retx, want.Entropy = ev.Reason, ev.M, ev.Retx, ev.Entropy
	default:
		x.acked, x.refused = true, false
		want.Kind, want.Tx, want.RcvdBytes = port.ActionAcked, ev.TxValid, ev.RcvdBytes
		want.AckedPkts, want.UnmarkPkts, want.UnmarkBytes = uint8(ev.AckedPkts), uint8(ev.UnmarkPkts),
			uint32(ev.UnmarkBytes)
		want.M, want.Retx, want.Entropy = ev.M, ev.Retx, ev.Entropy
		want.ServiceTime, want.Pend, want.RC = ev.ServiceTime, ev.RcvCwndPend, ev.RestoreCwnd
		want.Done = ev.Una == ev.Nxt && x.left == 0
		if ev.TxValid {
			want.PSN = ev.PSN
		}
		h.seen["packets acknowledged"] += int(ev.AckedPkts)
		h.seen["packets unmarked"] += int(ev.UnmarkPkts)
		if ev.UnmarkPkts > 1 {
			h.seen["several unmarked"]++
		}
	}
	require.True(h.t, acts, "%+v: the simulated sender has %+v, the model of txpdc nothing", *rec, ev)
	h.same(&want, &act)
	if ev != nil {
		w := x.nic.Words(x.k, 0)
		require.Equal(h.t, []uint32{ev.Una, ev.Nxt - ev.Una}, []uint32{w.Una, uint32(w.Outstanding)})
	}
}

// acks reports whether an ACK acknowledges anything.
func acks(ev *cc.Event) bool { return ev.TxValid || ev.AckedPkts > 0 || ev.UnmarkPkts > 0 }

// closes closes a PDC when the simulated sender does.
func (h *halves) closes(c *outgoing, k *net.PacketInfo, at units.Picos) {
	switch {
	case h == nil:
	case k.Retx:
		h.seen[leftClose]++
	default:
		x := c.half
		pdc, ok := h.wire.PDC(k.Conn)
		require.True(h.t, ok)
		x.closing, x.end = true, k.PSN
		want := port.Act{Kind: port.ActionClosing, PDC: uint16(x.k), PSN: k.PSN, Peer: uint16(pdc) + 1}
		h.command(x.nic, port.Cmd{Kind: port.KindClose, PDC: uint16(x.k)}, at, &want)
	}
}

// loses takes a packet that the simulated sender gives up.
func (h *halves) loses(c *outgoing, ev *cc.Event) {
	if h == nil {
		return
	}
	x := c.half
	rto := uint32((h.spec.RTO + tickPs - 1) / tickPs)
	if h.looks(c, ev) {
		h.times(x, rto, uint64(fields.Ticks(ev.TxTime, tickPs))+uint64(rto)-1, nil)
		now := fields.Ticks(ev.Time, tickPs) + 1 // a tick may round the timeout up
		h.times(x, rto, now, &port.Act{Kind: port.ActionLost, PDC: uint16(x.k), Now: now, PSN: ev.PSN,
			Size: uint32(ev.Size)})
		return
	}
	w := x.nic.Words(x.k, ev.PSN)
	i := ev.PSN - w.Una
	require.Less(h.t, i, uint32(w.Outstanding))
	require.Equal(h.t, uint32(ev.Size), uint32(w.Size))
	addr := port.WordMarked0 + int(i/32)
	h.command(x.nic, port.Cmd{Kind: port.KindLoad, PDC: uint16(x.k), Addr: uint8(addr),
		Data: uint32(w.Word(addr)) | 1<<(i%32)}, 0, nil)
	h.seen[leftRule]++
}

// looks reports whether the rule of the block's timer gives up the same packet at the same time: the lowest that was
// sent once, or that was resent where none that was sent once is late.
func (h *halves) looks(c *outgoing, ev *cc.Event) bool {
	if ev.Time-ev.TxTime < h.spec.RTO || c.half.nic.Words(c.half.k, 0).Tries > 0 {
		return false
	}
	rtx := c.held[ev.PSN].rtx
	for psn, p := range c.held {
		if p.marked || psn == ev.PSN {
			continue
		}
		if p.rtx == rtx && int32(psn-ev.PSN) < 0 || rtx && !p.rtx {
			return false
		}
	}
	return true
}

// times has the timer look at a PDC, and at no other with this timeout.
func (h *halves) times(x *half, rto uint32, now uint64, want *port.Act) {
	var act port.Act
	for pdcs := h.contexts * port.Slots; x.nic.scan != x.k; x.nic.scan = (x.nic.scan + 1) % pdcs {
		require.False(h.t, x.nic.Timer(now, &act), "%+v", act)
	}
	set := func(v uint32) {
		h.command(x.nic, port.Cmd{Kind: port.KindCfgWrite, Addr: port.RegRto, Data: v}, 0, nil)
	}
	set(rto)
	acts := x.nic.Timer(now, &act)
	x.nic.scan = (x.nic.scan + 1) % (h.contexts * port.Slots)
	set(longest)
	require.Equal(h.t, want != nil, acts, "a timeout of PDC %d at %d, %+v", x.k, now, act)
	if acts {
		h.same(want, &act)
	}
}

// whole requires that everything the simulated senders did was compared or left out by name.
func (h *halves) whole(c *account.Counters) {
	all := func(want uint64, what ...string) {
		sum := 0
		for _, w := range what {
			sum += h.seen[w]
		}
		require.EqualValues(h.t, want, sum, "%q in %v of %+v", what, h.seen, c)
	}
	all(c.NewPackets+c.Retransmits, "SENT")
	all(c.NewPackets+c.Retransmits, "headers")
	all(c.Retransmits, "resends")
	all(c.Acks-c.AcksStale, "ACKED", leftClosing)
	all(c.Nacks-c.NacksStale, "NACKED")
	all(c.AcksStale+c.NacksStale, "FREED", "records of nothing", "to a CLOSE again")
	all(c.InferredLosses, "LOST", leftRule)
	all(c.Closes, "CLOSING", leftClose)
	require.Greater(h.t, h.seen["SENT"], 1000)
	require.Greater(h.t, h.seen["packets acknowledged"], 900)
	require.Positive(h.t, h.seen["FREED"])
}

// The source half of a NIC does what the simulated sender does, which another hand wrote.
func TestHalvesDoWhatSimulatedSendersDo(t *testing.T) {
	for i, c := range []struct {
		preset, settings string
		contexts         int // of a NIC
		shows            []string
	}{
		{"fattree128/incast32", "nic.pdcs=4 mpr=8 flow.bytes=99999 flow.rounds=2", 2,
			[]string{"NACKED", "PSN_OOR", "asks for an ACK", leftOrder, leftRange}},
		{"fattree128/incast32", "trim=off flow.bytes=400000", 2, []string{"LOST", "packets unmarked", "DUPLICATE", leftRule}},
		{"stimulus/turnover", "flow.bytes=300001", 2, []string{"PROBED", leftClosing}},
		{"fattree128/alltoall", "k=4 incast=8 flow.bytes=70000", 16, nil},
		{"fattree128/incast32", "k=4 incast=8 rto.us=13 ack_trigger=60000 flow.bytes=2000000", 2,
			[]string{"several unmarked", "stale NACKs"}},
		{"fattree128/permutation", "nic.pdcs=3 flow.bytes=300001 seed=2", 2, nil},
		{"fattree128/failures", "recovery=rto fail.at_us=3 fail.prob=0.1 flow.bytes=1000000", 2, []string{"LOST", "NACKED"}},
		{"fattree128/permutation", "k=4 rto.us=8 service.us=3 ack_trigger=60000 flow.bytes=2000000", 2,
			[]string{"several unmarked", leftClose}},
		{"fattree128/alltoall", "", 128, nil}, {"fattree128/mixed", "", 2, nil},
		{"spec128/incast32", "flow.rounds=4 flow.bytes=99999 nic.pdcs=2", 2, []string{"NACKED", leftOrder}},
		{"fattree128/failures", "fail.at_us=3 fail.prob=0.1", 2, []string{leftRule}},
		{"fattree128/incast32", "trim=off recovery=sleek seed=4", 2, []string{leftRule, leftClosing, "LOST"}},
		{"fattree128/incast32", "mtu=2112 rto.us=30 link.gbps=100 service.us=2", 2, []string{"NACKED"}},
		{"htsim/incast32-100g", "", 2, nil}, {"fattree128/allreduce", "", 128, nil},
		{"fattree128/websearch", "flow.count=300", 128, []string{"LOST", "packets unmarked"}},
	} {
		t.Run(strings.TrimSpace(c.preset+" "+c.settings), func(t *testing.T) {
			if i > 4 {
				launchtest.Long(t, "the first five")
			}
			t.Parallel()
			p, err := presets.Lookup(c.preset)
			require.NoError(t, err)
			s := p.Spec
			s.FlowBytes = min(s.FlowBytes, 256<<10)
			s.SlowHosts, s.ServiceJitter, s.LossProb = 0, 0, 0 // see TestEdgeGivesTheSameFeedback
			s.MPR = port.Window
			// A window of the network is below that of a PDC, and a full packet has a payload that the block can cut.
			require.NoError(t, s.SetAll(strings.Fields("mtu=8256 header_bytes=64 rto.us=60 "+c.settings)...))
			h := &halves{t: t, spec: s, contexts: c.contexts, nics: map[int32]*nicHalf{}}
			_, counted := alongside(t, s, h)
			t.Log(h.seen)
			h.whole(&counted)
			for _, what := range c.shows {
				require.Positive(t, h.seen[what], what)
			}
		})
	}
}
