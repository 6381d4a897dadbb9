package txstate_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Packing what was unpacked gives the record back but for the control bits and the unused ones.
func TestPackAfterUnpack(t *testing.T) {
	l := event.NewLayout(txstate.Schema())
	require.Equal(t, txstate.Schema().Hash(), txstate.SchemaHash)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Uint64(), txstate.InWords, txstate.InWords).Draw(t, "in")
		out := rapid.SliceOfN(rapid.Uint64(), txstate.OutWords, txstate.OutWords).Draw(t, "out")
		var ev txstate.Event
		var rsp txstate.Response
		txstate.UnpackEvent(in, &ev)
		txstate.UnpackResponse(out, &rsp)
		gotIn, gotOut := make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords)
		txstate.PackEvent(&ev, gotIn)
		txstate.PackResponse(&rsp, gotOut)
		for i, m := range l.In.StreamMask("ev") {
			require.Equal(t, in[i]&m, gotIn[i])
		}
		for i, m := range l.Out.StreamMask("rsp") {
			require.Equal(t, out[i]&m, gotOut[i])
		}
		require.Equal(t, l.Equal(out, gotOut), txstate.EqualOut(out, gotOut))
	})
}

func TestFieldsStandWhereTheLayoutSays(t *testing.T) {
	l := event.NewLayout(txstate.Schema())
	in := make([]uint64, txstate.InWords)
	txstate.PackEvent(&txstate.Event{Kind: txstate.KindLoad, PDC: 0xbeef, PSN: 0xdeadbeef, Now: 1<<48 - 1,
		LoadRtxCount: 2, TimeShift: 5}, in)
	for name, want := range map[string]uint64{"kind": 3, "pdc": 0xbeef, "psn": 0xdeadbeef, "now": 1<<48 - 1,
		"load_rtx_count": 2, "time_shift": 5, "retx": 0} {
		require.Equal(t, want, l.In.Slot("ev", name).Get(in), name)
	}
}
