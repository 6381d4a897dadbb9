package score_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Every field of every block: a difference in its lowest and in its highest bit is seen, named, and is the
// only one; without valid it is none.
func TestDiffSeesEveryField(t *testing.T) {
	for _, b := range []*event.Block{ccc.Schema(), txstate.Schema()} {
		j := score.NewJudge(b)
		out := &j.Layout().Out
		for i := range out.Slots {
			s := &out.Slots[i]
			for _, bit := range []int{0, s.Field.Width - 1} {
				want, got := make([]uint64, out.Words), make([]uint64, out.Words)
				s.Set(got, 1<<bit)
				require.Empty(t, j.Diff(want, got), "%s.%s without valid", b.Name, s.Field.Name)
				require.True(t, j.Layout().Equal(want, got))
				valid := out.Control(s.Stream + "_valid")
				want[0] |= valid
				got[0] |= valid
				diff := j.Diff(want, got)
				require.Len(t, diff, 1, "%s.%s bit %d", b.Name, s.Field.Name, bit)
				require.Equal(t, s.Stream+"_"+s.Field.Name, diff[0].Name)
				require.NotEqual(t, diff[0].Want, diff[0].Got)
				require.False(t, j.Layout().Equal(want, got))
			}
		}
	}
}

func TestDiffSeesEveryHandshake(t *testing.T) {
	j := score.NewJudge(ccc.Schema())
	for _, c := range j.Layout().Out.Controls {
		want, got := make([]uint64, ccc.OutWords), make([]uint64, ccc.OutWords)
		got[0] |= 1 << c.Bit
		diff := j.Diff(want, got)
		require.Len(t, diff, 1)
		require.Equal(t, score.Difference{Name: c.Name, Want: "0", Got: "1"}, diff[0])
	}
}

func TestDiffCountsLSBs(t *testing.T) {
	j := score.NewJudge(ccc.Schema())
	record := func(r ccc.Response) []uint64 {
		w := make([]uint64, ccc.OutWords)
		ccc.PackResponse(&r, w)
		w[0] |= ccc.OutRspValid
		return w
	}
	diff := j.Diff(record(ccc.Response{Inflight: -1, Cwnd: 10, Action: ccc.ActionFair}),
		record(ccc.Response{Inflight: 2, Cwnd: 7, Action: ccc.ActionProp}))
	require.Equal(t, []score.Difference{
		{Name: "rsp_action", Stream: "rsp", Want: "FAIR", Got: "PROP"},
		{Name: "rsp_cwnd", Stream: "rsp", Want: "10", Got: "7", LSB: big.NewInt(-3)},
		{Name: "rsp_inflight", Stream: "rsp", Want: "-1", Got: "2", LSB: big.NewInt(3)},
	}, diff)
	require.Equal(t, "rsp_inflight: want -1, got 2 (+3 LSB)", diff[2].String())
	require.Equal(t, "rsp_action: want FAIR, got PROP", diff[0].String())
}

func TestDescribe(t *testing.T) {
	j := score.NewJudge(ccc.Schema())
	words := func(e ccc.Event) string {
		w := make([]uint64, ccc.InWords)
		ccc.PackEvent(&e, w)
		return j.Describe(&j.Layout().In, "ev", w)
	}
	require.Equal(t, "ACK ctx=3 now=1200 m=1", words(ccc.Event{Kind: ccc.KindAck, Ctx: 3, Now: 1200, M: true}))
	require.Equal(t, "CFG_WRITE addr=MTU data=9000", words(ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegMTU,
		Data: 9000}))
	require.Equal(t, "CFG_READ addr=31", words(ccc.Event{Kind: ccc.KindCfgRead, Addr: 31}))
	require.Equal(t, "LOAD addr=5", words(ccc.Event{Kind: ccc.KindLoad, Addr: 5}))
}

// Of the bytes of a beat only the words that are not zero are given, with their places.
func TestDescribeBytes(t *testing.T) {
	j := score.NewJudge(trimmer.Schema())
	in := &j.Layout().In
	data, last := in.Slot("rx", "data"), in.Slot("rx", "last")
	w := make([]uint64, in.Words)
	words := func() string { return j.Describe(in, "rx", w) }
	require.Equal(t, "data=0", words())
	last.Set(w, 1)
	require.Equal(t, "data=0 last=1", words())
	w[data.Word+1] = 0x4500080100000000
	require.Equal(t, "data[8..15]=0000000001080045 last=1", words())
	w[data.Word+2] = 1 << 56
	w[data.Word+7] = 2
	require.Equal(t, "data[8..23]=0000000001080045_0000000000000001 data[56..63]=0200000000000000 last=1", words())
	for k := range 8 {
		w[data.Word+k] = 1
	}
	require.Equal(t, "data="+strings.Repeat("_0100000000000000", 8)[1:]+" last=1", words())
}

// Bytes of a packet are text in wire order, and a difference names the first byte.
func TestBytesAreInWireOrder(t *testing.T) {
	for _, b := range []*event.Block{trimmer.Schema(), intmd.Schema(), switchport.Schema()} {
		j := score.NewJudge(b)
		out := &j.Layout().Out
		s := out.Slot("tx", "data")
		want, got := make([]uint64, out.Words), make([]uint64, out.Words)
		want[0] |= out.Control("tx_valid")
		for k := range 8 {
			want[s.Word+k] = 0x0706050403020100 + 0x0808080808080808*uint64(k)
		}
		copy(got, want)
		got[s.Word+2] ^= 0x75 << 24
		diff := j.Diff(want, got)
		require.Len(t, diff, 1)
		require.Nil(t, diff[0].LSB)
		require.Equal(t, "byte 19: want 13, got 66", diff[0].Byte)
		const head, tail = "0001020304050607_08090a0b0c0d0e0f_",
			"_18191a1b1c1d1e1f_2021222324252627_28292a2b2c2d2e2f_3031323334353637_38393a3b3c3d3e3f"
		require.Equal(t, head+"1011121314151617"+tail, diff[0].Want)
		require.Equal(t, head+"1011126614151617"+tail, diff[0].Got)
		require.Equal(t, "tx_data: byte 19: want 13, got 66; want "+diff[0].Want+", got "+diff[0].Got, diff[0].String())
		got[s.Word] ^= 1
		got[s.Word+7] ^= 1 << 63
		require.Equal(t, "byte 0: want 00, got 01, and 2 more", j.Diff(want, got)[0].Byte)
		copy(got, want)
		out.Slot("tx", "keep").Set(got, 0xffff<<48)
		diff = j.Diff(want, got)
		require.Len(t, diff, 1)
		require.Equal(t, "tx_keep: want 0x0, got 0xffff000000000000", diff[0].String())
	}
}
