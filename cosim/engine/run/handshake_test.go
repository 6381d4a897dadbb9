package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A response of an exact run that is withdrawn or changed while it waits is reported as a handshake violation, as in
// elastic runs. A wrong response, and one lost when it was not waiting, is not.
func TestExactBreakOfHandshake(t *testing.T) {
	t.Parallel()
	k, err := block.Lookup("ccc")
	require.NoError(t, err)
	e := &lockstep{engine: &engine{cfg: Config{Block: "ccc"}, kind: k, judge: score.NewJudge(k.Schema)}}
	e.params, err = k.Schema.Values(nil)
	require.NoError(t, err)
	open := func() *stim.Episode {
		src, err := block.Open("ccc", "random", stim.Options{Seed: 1, Events: 3000, Params: e.params, TickNs: 1})
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		ep, ok := src.Next()
		require.True(t, ok)
		return ep
	}
	l := e.judge.Layout()
	cwnd := l.Out.Slot("rsp", "cwnd")
	valid, ready := l.Out.Control("rsp_valid"), l.In.Control("rsp_ready")
	p, err := e.playerOf(open())
	require.NoError(t, err)
	var ins, wants []uint64
	waits, free := -1, -1 // cycles with a response that waited in the cycle before, and with one that did not
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for (waits < 0 || free < 0) && p.More(in) {
		p.Cycle(in, out)
		n := len(ins) / p.InWords
		if n > 0 && out[0]&valid != 0 && in[0]&l.In.Control("rst_n") != 0 {
			before := ins[(n-1)*p.InWords]
			if wants[(n-1)*p.OutWords]&valid != 0 && before&ready == 0 {
				waits = n
			} else if wants[(n-1)*p.OutWords]&valid == 0 {
				free = n
			}
		}
		ins, wants = append(ins, in...), append(wants, out...)
	}
	require.Positive(t, waits)
	require.Positive(t, free)

	tell := func(at int, damage func(got []uint64)) *report.Mismatch {
		got := append([]uint64(nil), wants[:(at+1)*p.OutWords]...)
		damage(got[at*p.OutWords:])
		rec, err := e.recordUntil(t.Context(), open(), uint64(at))
		require.NoError(t, err)
		m := &report.Mismatch{}
		w := &client.Mismatch{Cycle: uint64(at), From: uint64(at) - 1, In: ins[(at-1)*p.InWords : (at+1)*p.InWords],
			Want: wants[(at-1)*p.OutWords : (at+1)*p.OutWords], Got: got[(at-1)*p.OutWords:]}
		e.show(m, &device.Outcome{Result: client.Result{Mismatch: w}}, uint64(at), rec)
		return m
	}
	drop := func(got []uint64) { got[0] &^= valid }
	alter := func(got []uint64) { cwnd.Set(got, cwnd.Get(got)^1) }

	m := tell(waits, drop)
	require.Equal(t, report.Field{Name: "rsp_valid", Want: "held until rsp_ready", Got: "withdrawn before it was taken"},
		m.Fields[0])
	require.Equal(t, "rsp_valid", m.Fields[1].Name)
	require.Contains(t, m.Note, "breaks the handshake")
	require.NotEmpty(t, m.Event)

	m = tell(waits, alter)
	require.Equal(t, report.Field{Name: "rsp_valid", Want: "held until rsp_ready", Got: "changed before it was taken"},
		m.Fields[0])
	require.Equal(t, "rsp_cwnd", m.Fields[1].Name)

	for _, damage := range []func([]uint64){drop, alter} {
		m = tell(free, damage)
		require.Len(t, m.Fields, 1)
		require.Empty(t, m.Note)
	}
	low := elastic.Cycle{In: []uint64{0, 0, 0}, Out: wants[waits*p.OutWords : (waits+1)*p.OutWords]}
	stream, _ := elastic.Broke(k.Schema, low, elastic.Cycle{In: ins[:p.InWords], Out: make([]uint64, p.OutWords)})
	require.Equal(t, -1, stream, "a reset takes what waits away")
}
