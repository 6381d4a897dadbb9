package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// judged returns by how much a record raised acks, nacks, stray and stale.
func (w *world) judged(r port.Rec) (out [4]uint32, act *port.Act) {
	before := w.s.Counters()
	act = w.record(r)
	after := w.s.Counters()
	for i, addr := range []int{port.WordAcks, port.WordNacks, port.WordStray, port.WordStale} {
		out[i] = after[addr] - before[addr]
	}
	return out, act
}

var (
	isAcked  = [4]uint32{1}
	isNacked = [4]uint32{0, 1}
	isStray  = [4]uint32{0, 0, 1}
	isStale  = [4]uint32{0, 0, 0, 1}
)

// with changes a record.
func with(r port.Rec, change func(*port.Rec)) port.Rec {
	change(&r)
	return r
}

// What becomes of a record. PDC 1 is open with PSNs 1000 to 1009 outstanding, 0 closing with una 500, 2 opening with
// 200 to 202 outstanding, 3 stopped, 4 opening with nothing sent.
func TestJudged(t *testing.T) {
	spdcid := func(x uint16) func(*port.Rec) { return func(r *port.Rec) { r.Spdcid = x } }
	dpdcid := func(x uint16) func(*port.Rec) { return func(r *port.Rec) { r.Dpdcid = x } }
	kind := func(x port.PdsType) func(*port.Rec) { return func(r *port.Rec) { r.PdsType = x } }
	for _, tc := range []struct {
		name string
		r    port.Rec
		want [4]uint32
		act  port.Action
	}{
		{"PDCID 0", with(ack(1, 1000), dpdcid(0)), isStray, 0},
		{"beyond the PDCs", ack(8, 1000), isStray, 0},
		{"a free PDC", ack(5, 1000), isStray, 0},
		{"a stopped PDC", ack(3, 1000), isStray, 0},
		{"NACK of a stopped PDC", nack(3, 0, trimmed, false), isStray, 0},
		{"a control packet", with(ack(1, 1000), kind(port.PdsTypeCp)), isStray, 0},
		{"data", with(ack(1, 1000), kind(2)), isStray, 0},
		{"another destination", with(ack(1, 1000), spdcid(78)), isStray, 0},
		{"which a NACK may have", with(nack(1, 1000, trimmed, false), spdcid(78)), isNacked, port.ActionNacked},
		{"and a PDC that opens", with(ack(2, 200), spdcid(78)), isAcked, port.ActionAcked},
		{"ACK", ack(1, 1000), isAcked, port.ActionAcked},
		{"ACK_CCX", with(ack(1, 1000), kind(port.PdsTypeAckCcx)), isAcked, port.ActionAcked},
		{"NACK_CCX", with(nack(1, 1000, trimmed, false), kind(port.PdsTypeNackCcx)), isNacked, port.ActionNacked},
		{"up to the last one sent", ack(1, 1009), isAcked, port.ActionAcked},
		{"what was not sent", ack(1, 1010), isStale, 0},
		{"of nothing new", ack(1, 999), isAcked, port.ActionAcked},
		{"4096 below", ack(1, 1<<32+999-4096), isAcked, port.ActionAcked},
		{"4097 below", ack(1, 1<<32+999-4097), isStale, 0},
		{"far away", ack(1, 1<<31+999), isStale, 0},
		{"before anything was sent", ack(4, 99), isStale, 0},
		{"ACK of a CLOSE", ack(0, 500), isAcked, port.ActionFreed},
		{"ACK below it", ack(0, 499), isStale, 0},
		{"ACK above it", ack(0, 501), isStale, 0},
		{"NACK of a CLOSE: INV_DPDCID", nack(0, 500, 0x0E, false), isNacked, port.ActionFreed},
		{"NACK of a CLOSE: PDC_HDR_MISMATCH", nack(0, 500, 0x0F, true), isNacked, port.ActionFreed},
		{"NACK of a CLOSE: CLOSING", nack(0, 500, 0x10, false), isStale, 0},
		{"NACK of a CLOSE: trimmed", nack(0, 500, trimmed, false), isStale, 0},
		{"NACK below it", nack(0, 499, 0x0E, false), isStale, 0},
		{"INV_DPDCID", nack(1, 1009, 0x0E, false), isNacked, port.ActionStopped},
		{"PDC_HDR_MISMATCH", nack(1, 1000, 0x0F, true), isNacked, port.ActionStopped},
		{"CLOSING of the lowest", nack(1, 1000, 0x10, true), isNacked, port.ActionStopped},
		{"CLOSING of another", nack(1, 1001, 0x10, false), isNacked, port.ActionNacked},
		{"CLOSING_IN_ERR", nack(1, 1000, 0x11, false), isNacked, port.ActionStopped},
		{"code 0x12", nack(1, 1000, 0x12, false), isNacked, port.ActionNacked},
		{"code 0x14", nack(1, 1000, 0x14, false), isNacked, port.ActionNacked},
		{"INVALID_SYN", nack(2, 200, 0x15, false), isNacked, port.ActionStopped},
		{"PDC_MODE_MISMATCH", nack(1, 1000, 0x16, false), isNacked, port.ActionStopped},
		{"NEW_START_PSN", nack(1, 1000, 0x17, false), isNacked, port.ActionStopped},
		{"code 0x18", nack(1, 1000, 0x18, false), isNacked, port.ActionNacked},
		{"code 0x0D", nack(1, 1000, 0x0D, false), isNacked, port.ActionNacked},
		{"a refusal of what was not sent", nack(1, 1010, 0x0E, false), isStale, 0},
		{"a refusal of what is acknowledged", nack(1, 999, 0x0E, false), isStale, 0},
		{"NACK of what was not sent", nack(1, 1010, trimmed, false), isStale, 0},
		{"NACK of a resend that was none", nack(1, 1000, trimmed, true), isStale, 0},
		{"NACK of a PDC that opens", nack(2, 202, trimmed, false), isNacked, port.ActionNacked},
	} {
		w := newWorld(t)
		w.opens(1, 1000, 10)
		require.NotNil(t, w.record(ack(1, 999)))
		w.load(0, port.WordUna, 0, 500)
		w.load(0, 0, 0, 1|4|77<<16)
		w.opens(2, 200, 3)
		w.load(3, 0, 0, 1|8|77<<16)
		w.opens(4, 100, 0)
		got, act := w.judged(tc.r)
		require.Equal(t, tc.want, got, tc.name)
		require.Equal(t, tc.act != 0, act != nil, tc.name)
		if act == nil {
			continue
		}
		require.Equal(t, tc.act, act.Kind, tc.name)
		p := w.pdc(int(act.PDC))
		require.Equal(t, tc.act != port.ActionFreed, p.Valid, tc.name)
		require.Equal(t, tc.act == port.ActionStopped, p.Stopped, tc.name)
		if tc.act == port.ActionStopped {
			require.Equal(t, &port.Act{Kind: tc.act, PDC: act.PDC, Now: 1000, Code: tc.r.NackCode}, act)
		}
		if tc.act == port.ActionFreed {
			require.Equal(t, &port.Act{Kind: tc.act, PDC: 0, Now: 1000}, act)
		}
	}
}

// CLOSING in a NACK stops a PDC only when nothing below is missing.
func TestClosingDestination(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 10, 5)
	require.NotNil(t, w.record(sack(0, 9, 10, 0b00110)))
	require.Equal(t, port.ActionNacked, w.record(nack(0, 13, codeClosing, false)).Kind)
	require.NotNil(t, w.record(sack(0, 9, 10, 0b10000)))
	w.load(0, port.WordAcked0, 0, 0b00111)
	require.Equal(t, port.ActionStopped, w.record(nack(0, 13, codeClosing, false)).Kind)
}

// An ACK moves una, counts what it acknowledges, and is done when nothing is left.
func TestAck(t *testing.T) {
	w := newWorld(t, port.RegHeader, 0)
	w.opens(6, 1<<32-3, 6)
	r := sack(6, 1<<32-2, 1<<32-3, 0b10001)
	r.RcvdBytes, r.ServiceTime, r.Pend, r.RC, r.M, r.Entropy, r.Mpr = 2, 333, 5, true, true, 0xBEEF, 100
	require.Equal(t, &port.Act{Kind: port.ActionAcked, PDC: 6, Now: 1000, PSN: 1<<32 - 2, Tx: true, RcvdBytes: 2,
		AckedPkts: 3, ServiceTime: 333, Pend: 5, RC: true, M: true, Entropy: 0xBEEF}, w.record(r))
	p := w.pdc(6)
	require.Equal(t, port.Words{Valid: true, Start: 1<<32 - 3, Una: 1<<32 - 1, Outstanding: 4, Peer: 77, Mpr: 100, Rcvd: 2,
		Sum: 768, Acked0: 0b100, CanSend: true, Next: 3, Sent: 6, Acks: 1, Turns: 6},
		func() port.Words { p.Size, p.Stamp = 0, 0; return p }())

	require.Equal(t, &port.Act{Kind: port.ActionAcked, PDC: 6, Now: 1000, RcvdBytes: 2}, w.record(ack(6, 1<<32-2)),
		"once more: no sample, and nothing new")
	require.NotNil(t, w.record(nack(6, 0, trimmed, false)))
	require.NotNil(t, w.record(nack(6, 2, trimmed, false)))
	x := w.record(with(ack(6, 2), func(r *port.Rec) { r.Retx, r.Probe = true, true }))
	require.Equal(t, &port.Act{Kind: port.ActionAcked, PDC: 6, Now: 1000, RcvdBytes: 2, AckedPkts: 1, UnmarkPkts: 2,
		UnmarkBytes: 256, Retx: true, Done: true}, x)
	require.Zero(t, w.pdc(6).Outstanding)
	require.False(t, w.record(ack(6, 2)).Tx)
	w.ask(port.Cmd{Kind: kMessage, PDC: 6, Data: 1})
	require.False(t, w.record(ack(6, 2)).Done, "something is left")
}

// Which PSNs the bitmap of a SACK covers. 1000 to 1127 are outstanding.
func TestSack(t *testing.T) {
	all := ^uint64(0)
	for _, tc := range []struct {
		base uint32
		bits uint64
		from int // first PSN - 1000 that is covered
		n    int
	}{{1000, all, 0, 64}, {1000, 2, 1, 1}, {1000 - 63, all, 0, 1}, {1000 - 64, all, 0, 0}, {1000 - 10, 1<<10 | 1<<9, 0, 1},
		{1001, all, 1, 64}, {1063, all, 63, 64}, {1064, all, 64, 64}, {1065, all, 65, 63}, {1127, all, 127, 1},
		{1128, all, 0, 0}, {1000 + 1<<31, all, 0, 0}, {1064, 1 << 63, 127, 1}, {1065, 1 << 63, 0, 0}} {
		for _, kind := range []port.PdsType{port.PdsTypeAck, port.PdsTypeAckCc, port.PdsTypeAckCcx} {
			w := newWorld(t)
			w.opens(0, 1000, 128)
			w.record(ack(0, 999)) // opened
			r := sack(0, 999, tc.base, tc.bits)
			r.PdsType = kind
			x := w.record(r)
			n := tc.n
			if kind == port.PdsTypeAck {
				n = 0
			}
			require.Equal(t, n, int(x.AckedPkts), "%+v", tc)
			una := uint32(1000)
			if tc.from == 0 {
				una += uint32(n)
			}
			require.Equal(t, una, w.pdc(0).Una)
			require.Equal(t, uint8(1000+128-una), w.pdc(0).Outstanding)
		}
	}
}

// una moves over what was acknowledged before, up to a whole window, and takes the marks with it.
func TestMove(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 1000, 128)
	require.Equal(t, 127, func() (n int) {
		n += int(w.record(sack(0, 999, 1001, ^uint64(0))).AckedPkts)
		n += int(w.record(sack(0, 999, 1065, ^uint64(0)>>1)).AckedPkts)
		return n
	}())
	require.Equal(t, uint32(1000), w.pdc(0).Una)
	x := w.record(ack(0, 1000))
	require.True(t, x.Done && x.Tx && x.AckedPkts == 1)
	require.Equal(t, [2]uint32{1128, 0}, [2]uint32{w.pdc(0).Una, uint32(w.pdc(0).Outstanding)})
	require.Equal(t, bitmap{}, w.s.pdcs.Row(0).acked)

	w = newWorld(t)
	w.opens(0, 0, 100)
	for _, psn := range []uint32{3, 70, 99} {
		w.record(nack(0, psn, trimmed, false))
	}
	w.send() // 3, again
	w.record(ack(0, 1))
	require.Equal(t, [3]bitmap{{}, {0, 1<<(68-64) | 1<<(97-64)}, {2}},
		[3]bitmap{w.s.pdcs.Row(0).acked, w.s.pdcs.Row(0).marked, w.s.pdcs.Row(0).resent})
	w.record(ack(0, 65))
	require.Equal(t, [2]bitmap{{1<<4 | 1<<33}, {}}, [2]bitmap{w.s.pdcs.Row(0).marked, w.s.pdcs.Row(0).resent})
}

// A sample is of a packet that the ACK acknowledges for the first time.
func TestSample(t *testing.T) {
	for _, tc := range []struct {
		name   string
		ackPSN uint32
		probe  bool
		tx     bool
	}{{"covered", 101, false, true}, {"a probe", 101, true, false}, {"by the bitmap", 104, false, true},
		{"not covered", 103, false, false}, {"acknowledged before", 102, false, false}, {"below", 99, false, false},
		{"not sent", 110, false, false}} {
		w := newWorld(t)
		w.opens(0, 100, 10)
		w.record(sack(0, 99, 102, 1))
		r := sack(0, 101, 104, 1)
		r.AckPSN, r.Probe = tc.ackPSN, tc.probe
		x := w.record(r)
		require.Equal(t, tc.tx, x.Tx, tc.name)
		require.Equal(t, map[bool]uint32{true: tc.ackPSN}[tc.tx], x.PSN, tc.name)
	}
}

// The action of an ACK_CC of type NSCC has its rcvd_bytes, which is kept only where it has grown. The action of every
// other ACK has the one that is kept.
func TestReceived(t *testing.T) {
	for _, tc := range []struct {
		kind       port.PdsType
		cc         uint8
		old, rcvd  uint32
		told, kept uint32
		says       bool
	}{
		{port.PdsTypeAckCc, 0, 5, 5, 5, 5, true},
		{port.PdsTypeAckCc, 0, 5, 6, 6, 6, true},
		{port.PdsTypeAckCc, 0, 5, 4, 4, 5, true},
		{port.PdsTypeAckCc, 0, 5, 5 + 1<<23 - 1, 5 + 1<<23 - 1, 5 + 1<<23 - 1, true},
		{port.PdsTypeAckCc, 0, 5, 5 + 1<<23, 5 + 1<<23, 5, true},
		{port.PdsTypeAckCc, 0, 1<<24 - 1, 3, 3, 3, true},
		{port.PdsTypeAckCc, 1, 5, 6, 5, 5, false},
		{port.PdsTypeAckCcx, 0, 5, 6, 5, 5, false},
		{port.PdsTypeAck, 0, 5, 6, 5, 5, false},
	} {
		w := newWorld(t)
		w.opens(0, 0, 4)
		w.load(0, port.WordRcvd, 0, tc.old)
		r := ack(0, 0)
		r.PdsType, r.CcType, r.RcvdBytes, r.ServiceTime, r.Pend, r.RC, r.Mpr = tc.kind, tc.cc, tc.rcvd, 9, 9, true, 55
		x := w.record(r)
		require.Equal(t, tc.told, x.RcvdBytes, "%+v", tc)
		require.Equal(t, tc.kept, w.pdc(0).Rcvd, "%+v", tc)
		require.Equal(t, [3]any{tc.says, tc.says, tc.says}, [3]any{x.ServiceTime == 9, x.Pend == 9, x.RC})
		require.Equal(t, tc.kind != port.PdsTypeAck, w.pdc(0).Mpr == 55)
	}
}

// A NACK concerns the transmission that it answers, and each only once.
func TestNack(t *testing.T) {
	w := newWorld(t)
	w.opens(4, 20, 3)
	r := nack(4, 21, 0x03, false)
	r.M, r.Entropy = true, 0xABCD
	require.Equal(t, &port.Act{Kind: port.ActionNacked, PDC: 4, Now: 1000, PSN: 21, Size: 192, Tx: true, Code: 3, M: true,
		Entropy: 0xABCD}, w.record(r))
	got, _ := w.judged(r)
	require.Equal(t, isStale, got, "it waits to be sent again")
	require.Equal(t, uint32(21), w.send().PSN)
	got, _ = w.judged(r)
	require.Equal(t, isStale, got, "of the first transmission")
	r.Retx = true
	require.True(t, w.record(r).Retx)
	require.Equal(t, uint32(21), w.send().PSN)
	w.record(sack(4, 19, 21, 1))
	got, _ = w.judged(r)
	require.Equal(t, isStale, got, "it has come")
	require.Equal(t, uint32(2), w.word(0, port.WordNacks))
}

// New acknowledgements end a row of timeouts, others do not.
func TestTriesEnd(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 0, 4)
	w.load(0, 0, 0, 1|5<<4|77<<16)
	w.record(ack(0, 1<<32-1))
	require.Equal(t, uint8(5), w.pdc(0).Tries)
	w.record(sack(0, 1<<32-1, 3, 1))
	require.Equal(t, uint8(0), w.pdc(0).Tries)
}
