package ccc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// record draws a record of n words with any bits.
func record(t *rapid.T, n int) []uint64 {
	return rapid.SliceOfN(rapid.Uint64(), n, n).Draw(t, "record")
}

func masked(rec, mask []uint64) []uint64 {
	out := make([]uint64, len(rec))
	for i := range rec {
		out[i] = rec[i] & mask[i]
	}
	return out
}

// Packing what was unpacked gives the record back but for the control bits and the unused ones.
func TestPackAfterUnpack(t *testing.T) {
	l := event.NewLayout(ccc.Schema())
	require.Equal(t, l.In.Words, ccc.EventWords)
	require.Equal(t, l.Out.Words, ccc.ResponseWords)
	require.Equal(t, l.Out.StreamMask("rsp"), ccc.ResponseMask[:])
	rapid.Check(t, func(t *rapid.T) {
		in, out := record(t, ccc.InWords), record(t, ccc.OutWords)
		var ev ccc.Event
		var rsp ccc.Response
		ccc.UnpackEvent(in, &ev)
		ccc.UnpackResponse(out, &rsp)
		gotIn, gotOut := record(t, ccc.InWords), record(t, ccc.OutWords)
		ccc.PackEvent(&ev, gotIn)
		ccc.PackResponse(&rsp, gotOut)
		require.Equal(t, masked(in, l.In.StreamMask("ev")), gotIn)
		require.Equal(t, masked(out, l.Out.StreamMask("rsp")), gotOut)
		require.Equal(t, l.Equal(out, gotOut), ccc.EqualOut(out, gotOut))
	})
}

// EqualOut is the compare rule, bit by bit.
func TestEqualOutSeesEachBit(t *testing.T) {
	l := event.NewLayout(ccc.Schema())
	for _, valid := range []uint64{0, ccc.OutRspValid} {
		want := make([]uint64, ccc.OutWords)
		want[0] = valid
		for bit := range 64 * ccc.OutWords {
			got := append([]uint64(nil), want...)
			got[bit/64] ^= 1 << (bit % 64)
			seen := ccc.ResponseMask[bit/64]>>(bit%64)&1 == 1 && valid != 0 || bit < len(l.Out.Controls)
			require.Equal(t, !seen, ccc.EqualOut(want, got), "valid %x bit %d", valid, bit)
			require.Equal(t, !seen, l.Equal(want, got), "valid %x bit %d", valid, bit)
		}
	}
}

// The generated code puts each field where the layout says, with its sign.
func TestFieldsStandWhereTheLayoutSays(t *testing.T) {
	l := event.NewLayout(ccc.Schema())
	in, out := make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	ccc.PackEvent(&ccc.Event{Kind: ccc.KindNack, Ctx: 0xabcd, Now: 1<<48 - 2, RcvdBytes: 1<<24 - 3, Pend: 0x55,
		Reason: 200, Data: 1 << 63, RC: true}, in)
	for name, want := range map[string]uint64{"kind": 7, "ctx": 0xabcd, "now": 1<<48 - 2, "rcvd_bytes": 1<<24 - 3,
		"pend": 0x55, "reason": 200, "data": 1 << 63, "rc": 1, "m": 0} {
		require.Equal(t, want, l.In.Slot("ev", name).Get(in), name)
	}
	ccc.PackResponse(&ccc.Response{Inflight: -5, Action: ccc.ActionLossDec, State: ccc.StateReady,
		AvgDelay: 1 << 47, EtaApplied: true}, out)
	s := l.Out.Slot("rsp", "inflight")
	require.EqualValues(t, -5, s.Field.Signed64(s.Get(out)))
	require.Equal(t, uint64(1)<<47, l.Out.Slot("rsp", "avg_delay").Get(out))
	require.Equal(t, uint64(1), l.Out.Slot("rsp", "eta_applied").Get(out))
	require.Equal(t, "LOSS_DEC", ccc.Schema().Format(&l.Out.Slot("rsp", "action").Field,
		l.Out.Slot("rsp", "action").Get(out)))
	require.Zero(t, in[0]&ccc.InControl|out[0]&ccc.OutControl)
	var rsp ccc.Response
	ccc.UnpackResponse(out, &rsp)
	require.EqualValues(t, -5, rsp.Inflight)
}

// Bits beyond a field's width do not reach its neighbours.
func TestPackDropsExcessBits(t *testing.T) {
	in := make([]uint64, ccc.InWords)
	ccc.PackEvent(&ccc.Event{Kind: 0xff, PDC: 0xff, Profile: 0xff, Now: ^uint64(0), RcvdBytes: ^uint32(0), RtxCount: 0xff,
		Pend: 0xff, Addr: 0xff, TxTime: ^uint64(0)}, in)
	var ev ccc.Event
	ccc.UnpackEvent(in, &ev)
	require.Equal(t, ccc.Event{Kind: 15, PDC: 15, Profile: 15, Now: 1<<48 - 1, RcvdBytes: 1<<24 - 1, RtxCount: 3,
		Pend: 127, Addr: 31, TxTime: 1<<48 - 1}, ev)
}

func TestStateWords(t *testing.T) {
	b := ccc.Schema()
	require.Len(t, b.Words, ccc.NumWords)
	for _, w := range b.Words {
		require.Equal(t, w.Mask(), ccc.WordMask[w.Addr])
	}
	rapid.Check(t, func(t *rapid.T) {
		var x ccc.Words
		data := record(t, ccc.NumWords+1)
		for i, d := range data {
			x.SetWord(i, d)
		}
		for i := range ccc.NumWords {
			require.Equal(t, data[i]&ccc.WordMask[i], x.Word(i))
		}
		require.Zero(t, x.Word(ccc.NumWords))
	})
	x := ccc.Words{Inflight: -2, SavedCwnd: 7, CccState: ccc.StateActive}
	require.Equal(t, uint64(7)<<ccc.WordSavedCwndLSB|0xfffffffe, x.Word(ccc.WordInflight))
	require.Equal(t, uint64(2)<<ccc.WordCccStateLSB, x.Word(ccc.WordCccState))
}

// TestStateOrder: the words of a state are each address once, but last_rcvd once for each slot.
func TestStateOrder(t *testing.T) {
	for _, slots := range []int{1, ccc.MaxNumPdcs} {
		var seen [][2]int
		for i := range ccc.StateLen(slots) {
			a, s := ccc.StateAt(i, slots)
			seen = append(seen, [2]int{a, s})
		}
		var want [][2]int
		for a := range ccc.NumWords {
			for s := range map[bool]int{true: slots, false: 1}[a == ccc.WordLastRcvd] {
				want = append(want, [2]int{a, s})
			}
		}
		require.Equal(t, want, seen)
	}
}

func TestTables(t *testing.T) {
	b := ccc.Schema()
	require.Equal(t, b.Hash(), ccc.SchemaHash)
	require.Equal(t, b.Name, ccc.BlockName)
	require.Len(t, b.Registers, ccc.NumRegs)
	for _, r := range b.Registers {
		g := ccc.RegInfo[r.Addr]
		require.Equal(t, []any{r.Name, r.Addr, r.Width, r.Reset, r.Unit, r.Q},
			[]any{g.Name, g.Addr, g.Width, g.Reset, g.Unit, g.Q})
	}
	require.Equal(t, "TARGET_QDELAY", ccc.RegInfo[ccc.RegTargetQDelay].Name)
	require.Equal(t, "CFG_READ", ccc.KindCfgRead.String())
	require.Equal(t, "Kind(14)", ccc.Kind(14).String())
	for name, want := range map[string]int{"LATENCY": ccc.Latency, "STALL": ccc.Stall, "CREDITS": ccc.Credits,
		"IN_FIFO_DEPTH": ccc.InFIFODepth} {
		v, ok := b.Constant(name)
		require.True(t, ok)
		require.Equal(t, want, v, name)
	}
}

func TestPackDoesNotAllocate(t *testing.T) {
	in, out := make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	var ev ccc.Event
	var rsp ccc.Response
	require.Zero(t, testing.AllocsPerRun(100, func() {
		ccc.PackEvent(&ev, in)
		ccc.UnpackEvent(in, &ev)
		ccc.PackResponse(&rsp, out)
		ccc.UnpackResponse(out, &rsp)
	}))
}

func BenchmarkPack(b *testing.B) {
	in, out := make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	var ev ccc.Event
	var rsp ccc.Response
	b.ReportAllocs()
	for b.Loop() {
		ccc.UnpackEvent(in, &ev)
		ccc.PackResponse(&rsp, out)
	}
}
