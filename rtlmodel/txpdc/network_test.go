package txpdc

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// network joins a source and its destinations by a network that loses, trims, delays and reorders packets and records,
// with hosts at one end and the counts of ccc at the other.
type network struct {
	t    *testing.T
	r    *rand.Rand
	s    *Source
	now  uint64
	loss int // percent, of packets and of records
	far  int // ticks that the way takes, at most

	flows  []flow
	ccc    []counts
	events []arrival
	met    map[string]int
}

// flow is a PDC as its host and its destination know it.
type flow struct {
	open, closing bool
	rounds        int // times that it may be opened yet
	messages      int // to be sent before it closes
	left          int // bytes of the message that have not been sent
	payload       int // bytes of all messages of this round
	next          uint32
	busy          bool // a message has not ended with done

	id          uint16 // of the destination's PDC
	start, cack uint32
	seen        map[uint32]uint32 // sizes of the packets that have come
	rcvd        uint32            // bytes of them
	gone        bool              // the destination has closed it

	inflight, last int64 // bytes as ccc counts them for this PDC; rcvd_bytes of the last ACK
}

// counts are those that ccc keeps for a context.
type counts struct{ pkts, waiting, backlog, rtx int64 }

// arrival is what the network delivers at a time.
type arrival struct {
	at     uint64
	packet *port.Act
	rec    *port.Rec
	view   *port.View
}

const window = 40 // packets that ccc lets a context have in flight

func newNetwork(t *testing.T, seed uint64) *network {
	r := rand.New(rand.NewPCG(seed, 33))
	n := &network{t: t, r: r, s: NewSource(Spec{Contexts: 2}), now: r.Uint64() % (1 << 48), loss: int(seed%4) * 7,
		far: 1 + r.IntN(300), flows: make([]flow, 8), ccc: make([]counts, 2), met: map[string]int{}}
	for addr, data := range map[uint8]uint32{port.RegPayload: 7, port.RegHeader: uint32(r.IntN(128)), port.RegTries: 15,
		port.RegRto: uint32([]int{700, 2500}[r.IntN(2)])} {
		n.command(port.Cmd{Kind: port.KindCfgWrite, Addr: addr, Data: data})
	}
	for k := range n.flows {
		n.flows[k].rounds = 3
		n.flows[k].next = []uint32{0, r.Uint32(), 1<<32 - 40}[r.IntN(3)]
	}
	for c := range n.ccc {
		n.view(c, 0, 0)
	}
	return n
}

// command executes a command that must work.
func (n *network) command(c port.Cmd) {
	var rsp port.Response
	var act port.Act
	acts := n.s.Command(&c, n.now, &rsp, &act)
	require.False(n.t, rsp.Refused || rsp.Busy, "%+v", c)
	if acts {
		n.act(&act)
	}
}

// view has ccc answer an event of a context.
func (n *network) view(c int, kind uint8, after int) {
	n.events = append(n.events, arrival{at: n.now + uint64(after),
		view: &port.View{Kind: kind, Ctx: uint16(c), CanSend: n.ccc[c].pkts < window}})
}

// host does what hosts have to do.
func (n *network) host(k int) {
	f, c := &n.flows[k], port.Cmd{PDC: uint16(k)}
	switch {
	case f.closing, f.open && f.busy:
	case !f.open && f.rounds > 0:
		if n.s.pdcs.Row(k).valid {
			return
		}
		f.rounds--
		f.next += 8192
		*f = flow{open: true, rounds: f.rounds, messages: 1 + n.r.IntN(4), next: f.next, inflight: f.inflight}
		c.Kind, c.Data = port.KindOpen, f.next
		n.command(c)
		require.Zero(n.t, f.inflight, "what rounding left")
	case f.open && f.messages > 0:
		f.messages--
		f.left = 1 + n.r.IntN([]int{300, 128 * 300}[n.r.IntN(2)])
		f.payload += f.left
		f.busy = true
		c.Kind, c.Data = port.KindMessage, uint32(f.left)
		n.command(c)
	case f.open:
		require.Zero(n.t, n.s.pdcs.Row(k).n)
		require.Equal(n.t, f.payload, int(f.rcvd)-len(f.seen)*int(n.s.cfg[port.RegHeader]), "all has come")
		f.closing = true
		c.Kind = port.KindClose
		n.command(c)
	}
}

// act is an action of the source: the counts of ccc follow it, and packets leave.
func (n *network) act(x *port.Act) {
	f, c := &n.flows[x.PDC], &n.ccc[x.PDC/port.Slots]
	n.met[x.Kind.String()]++
	kind := uint8(1)
	switch x.Kind {
	case port.ActionOpened:
		f.inflight += int64(x.Size)
		f.last = 0
	case port.ActionMessage:
		c.backlog += int64(x.Size)
	case port.ActionSent:
		kind = viewSend
		n.sent(x, f, c)
	case port.ActionAcked:
		c.pkts -= int64(x.AckedPkts)
		c.waiting -= int64(x.UnmarkPkts)
		c.rtx -= int64(x.UnmarkBytes)
		f.inflight += int64(x.UnmarkBytes)
		if d := int64(x.RcvdBytes) - f.last; d > 0 {
			f.inflight -= 256 * d
			f.last += d
		}
		n.met["unmarked"] += int(x.UnmarkPkts)
		if x.Done {
			require.Zero(n.t, f.left, "done, and something is left")
			require.Equal(n.t, f.next-1, f.cack, "done, and something has not come")
			f.busy = false
		}
	case port.ActionNacked, port.ActionLost:
		c.pkts--
		c.waiting++
		c.rtx += int64(x.Size)
		f.inflight -= int64(x.Size)
	case port.ActionClosing:
		require.Equal(n.t, f.next, x.PSN)
		require.Equal(n.t, f.id, x.Peer)
		n.leave(x)
		return
	case port.ActionFreed:
		f.open, f.closing = false, false
		return
	default:
		require.Fail(n.t, "it should not stop", "%+v", x)
	}
	require.True(n.t, c.pkts >= 0 && c.waiting >= 0 && c.backlog >= 0 && c.rtx >= 0, "%+v after %+v", c, x)
	n.view(int(x.PDC/port.Slots), kind, n.r.IntN(30))
}

// sent is a packet that leaves: new ones come one PSN after the other, and the others have been lost.
func (n *network) sent(x *port.Act, f *flow, c *counts) {
	header := n.s.cfg[port.RegHeader]
	require.False(n.t, f.closing || !f.open)
	if x.IsRtx {
		c.waiting--
		c.rtx -= int64(x.Size)
		require.Less(n.t, f.next-1-x.PSN, uint32(port.Window), "what it sends again has been sent")
		n.met["resent"]++
	} else {
		c.backlog -= int64(x.Size)
		require.Equal(n.t, f.next, x.PSN)
		f.next++
		m := int(x.Size - header)
		require.Equal(n.t, min(f.left, 128), m)
		f.left -= m
		require.Equal(n.t, f.left == 0, x.Eom)
	}
	c.pkts++
	f.inflight += int64(x.Size)
	n.leave(x)
}

// leave hands a packet to the network.
func (n *network) leave(x *port.Act) {
	if n.r.IntN(100) < n.loss {
		n.met["packet lost"]++
		return
	}
	p := *x
	n.events = append(n.events, arrival{at: n.now + uint64(n.r.IntN(n.far)), packet: &p})
}

// answer hands a record to the network, in some cases twice.
func (n *network) answer(r port.Rec) {
	for range 1 + n.r.IntN(12)/11 {
		if n.r.IntN(100) < n.loss {
			n.met["record lost"]++
			continue
		}
		r := r
		n.events = append(n.events, arrival{at: n.now + uint64(n.r.IntN(n.far)), rec: &r})
	}
}

// arrives is a packet at its destination.
func (n *network) arrives(x *port.Act) {
	f := &n.flows[x.PDC]
	rec := port.Rec{PdsType: port.PdsTypeAckCc, Dpdcid: x.PDC + 1, Spdcid: f.id, PSN: x.PSN, AckPSN: x.PSN, Retx: x.IsRtx}
	if x.Kind == port.ActionClosing {
		if x.Peer != f.id || f.gone && n.r.IntN(2) == 0 {
			rec.PdsType, rec.NackCode = port.PdsTypeNack, codeInvDpdcid
		}
		f.gone = true
		n.answer(rec)
		return
	}
	if x.Syn && f.seen == nil {
		f.id, f.start = uint16(n.r.Uint32()), x.PSN-uint32(x.PSNOffset)
		f.cack, f.seen = f.start-1, map[uint32]uint32{}
	}
	if x.Syn && x.PSN-uint32(x.PSNOffset) != f.start || !x.Syn && x.Peer != f.id {
		n.met["of a former PDC"]++
		return
	}
	if n.r.IntN(100) < n.loss {
		rec.PdsType, rec.NackCode = port.PdsTypeNack, trimmed
		n.answer(rec)
		n.met["trimmed"]++
		return
	}
	if size, ok := f.seen[x.PSN]; ok {
		require.Equal(n.t, size, x.Size)
		n.met["came again"]++
	} else {
		f.seen[x.PSN] = x.Size
		f.rcvd += x.Size
	}
	for f.seen[f.cack+1] != 0 {
		f.cack++
	}
	if n.r.IntN(3) == 0 && !x.Ar {
		return
	}
	rec.Spdcid, rec.PSN, rec.RcvdBytes = f.id, f.cack, (f.rcvd+255)/256
	rec.SackBase = f.cack + 1 - uint32(n.r.IntN(20))
	if n.r.IntN(2) == 0 {
		rec.SackBase = x.PSN - uint32(n.r.IntN(60))
	}
	for i := range uint32(64) {
		if f.seen[rec.SackBase+i] != 0 {
			rec.SackBitmap |= 1 << i
		}
	}
	rec.Mpr = []uint8{0, 128, 64, 20}[n.r.IntN(4)]
	n.answer(rec)
}

// step is what happens until the next tick.
func (n *network) step() {
	n.now = (n.now + 1) % (1 << 48)
	var act port.Act
	waiting := n.events
	n.events = nil
	for _, e := range waiting {
		switch {
		case e.at > n.now && e.at-n.now < 1<<47:
			n.events = append(n.events, e)
		case e.packet != nil:
			n.arrives(e.packet)
		case e.view != nil:
			n.s.View(e.view)
		case n.s.Record(e.rec, n.now, &act):
			n.act(&act)
		}
	}
	if n.s.Waiting() && n.s.Turn(n.now, &act) {
		n.act(&act)
	}
	if n.now%4 == 0 && n.s.Timer(n.now, &act) {
		n.act(&act)
	}
	if n.r.IntN(20) == 0 {
		n.host(n.r.IntN(len(n.flows)))
	}
}

// ended reports whether all hosts are through.
func (n *network) ended() bool {
	for _, f := range n.flows {
		if f.open || f.rounds > 0 {
			return false
		}
	}
	return true
}

// TestNothingIsLostOrDoubled: whatever the network does, each message ends with done, all of it has come then, every
// packet is sent once and again only when it was lost, and the counts of ccc end where they began.
func TestNothingIsLostOrDoubled(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(16) {
		n := newNetwork(t, seed)
		for steps := 0; !n.ended(); steps++ {
			require.Less(t, steps, 3_000_000, "seed %d: it does not end", seed)
			n.step()
		}
		require.Equal(t, make([]counts, 2), n.ccc, "seed %d", seed)
		for k := range n.flows {
			p := n.s.pdcs.Row(k)
			require.Equal(t, int64(p.sum)-256*int64(p.rcvd), n.flows[k].inflight, "seed %d", seed)
			require.LessOrEqual(t, -n.flows[k].inflight, int64(255))
		}
		for name, x := range n.met {
			met[name] += x
		}
		if n.loss == 0 && n.far < 200 {
			require.Equal(t, n.met["resent"], n.met["LOST"])
		}
	}
	for _, name := range []string{"OPENED", "MESSAGE", "SENT", "ACKED", "NACKED", "LOST", "CLOSING", "FREED", "unmarked",
		"resent", "packet lost", "record lost", "trimmed", "came again"} {
		require.Greater(t, met[name], 50, "%s hardly met in %v", name, met)
	}
}
