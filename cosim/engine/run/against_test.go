package run

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/vectors/event"
)

// Two sizes of one block answer differently. A reference without a value for a field of the design would hide that.
func TestAgainstIsComparedInFull(t *testing.T) {
	t.Parallel()
	b,
		err := event.Parse([]byte("block: two\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: id, width: 4}, {name: y, width: 8}, {name: z, width: 70}]}\n  - {name: " +
		"log, dir: out, fields: [{name: l, width: 8}]}\n"))
	require.NoError(t, err)
	binding := func(latency bind.Latency, flush int, none ...string) *bind.Binding {
		x := &bind.Binding{Block: b, Latency: latency, Order: "stream", Flush: flush, Patience: 10,
			Reset: bind.Reset{Cycles: 4}, Map: map[string]bind.Expr{}}
		for _, name := range none {
			x.Map[name] = bind.Expr{None: true}
		}
		return x
	}
	sized := func(depth int) *bind.Binding {
		x := binding(bind.Elastic, 5)
		x.BlockParams = map[string]int{"Depth": depth}
		return x
	}
	require.NoError(t, (&Config{Bind: sized(4), Against: sized(4)}).checkReference())

	// A reference without a value for a field of the design would hide the difference.
	partial := &Config{Bind: binding(bind.Elastic, 5, "rsp.y"), Against: binding(bind.Elastic, 5, "rsp.y", "rsp.z",
		"log.l")}
	require.ErrorContains(t, partial.checkReference(), "leaves out rsp.z, log.l with none")
	require.NoError(t, (&Config{Bind: binding(bind.Elastic, 5, "rsp.y", "rsp.z"),
		Against: binding(bind.Elastic, 5, "rsp.y")}).checkReference())
	require.ErrorContains(t, (&Config{Bind: sized(4), Against: sized(8)}).checkReference(),
		"has the block_parameters map[Depth:4]")
	require.ErrorContains(t, (&Config{Bind: sized(4), Against: binding(bind.Elastic, 5)}).checkReference(),
		"give both the same")
}

// A reference whose RTL stops is an error that names it, and not a finding about the design compared with it.
func TestReferenceThatStops(t *testing.T) {
	t.Parallel()
	const take = "y_q                         <= y;"
	dir := edited(t, examples+"/old_new", take, take+"\n        if (ev_chan_i == 2'd1) $fatal(1, \"chan 1 is off\");",
		"ewma_old.sv", "old.yaml", "schema.yaml")
	ctx, cfg := bound(t, examples, "old_new/new_fixed.yaml")
	cfg.Against = other(t, dir, "old.yaml")
	res, err := Run(ctx, cfg)
	require.ErrorContains(t, err, "reference "+cfg.Against.File)
	require.ErrorContains(t, err, "chan 1 is off")
	require.Regexp(t, `^episode random/0, event \d+, chan=`, err)
	require.Zero(t, res.Mismatches)
	require.Nil(t, res.FirstMismatch)
}

// Fewer events must fail for the same reason and only in fields in which all of them failed.
func TestFails(t *testing.T) {
	t.Parallel()
	b,
		err := event.Parse([]byte("block: two\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: id, width: 4}, {name: y, width: 8}]}\n  - {name: log, dir: out, fields: " +
		"[{name: l, width: 8}]}\n"))
	require.NoError(t, err)
	e := &answers{engine: &engine{kind: &block.Block{Schema: b}, judge: score.NewJudge(b)}, spec: elastic.Spec{Block: b}}
	e.way = e
	l := event.NewLayout(b)
	words := func(stream, field string, v uint64) []uint64 {
		w := make([]uint64, l.Out.Words)
		l.Out.Slot(stream, field).Set(w, v)
		return w
	}
	none := make([]uint64, l.Out.Words)
	wrongID := &elastic.Finding{Kind: elastic.Wrong, Want: none, Got: words("rsp", "id", 3)}
	wrongY := &elastic.Finding{Kind: elastic.Wrong, Want: none, Got: words("rsp", "y", 3)}
	wrongLog := &elastic.Finding{Kind: elastic.Wrong, Stream: 1, Want: none, Got: words("log", "l", 3)}
	lost := &elastic.Finding{Kind: elastic.Wrong, Text: elastic.SeemsLost, Want: none, Got: words("rsp", "y", 3)}
	missing := &elastic.Finding{Kind: elastic.Missing, Want: none}
	extra := &elastic.Finding{Kind: elastic.Extra, Got: none}
	changed := &elastic.Finding{Kind: elastic.Unstable, Text: elastic.Altered, Want: none, Got: words("rsp", "y", 3)}
	dropped := &elastic.Finding{Kind: elastic.Unstable, Text: elastic.Withdrawn, Want: none, Got: none}
	rtl := func(text string) *elastic.Finding { return &elastic.Finding{Kind: elastic.RTL, Text: text} }
	for i, c := range []struct {
		whole, short *elastic.Finding
		want         bool
	}{
		{wrongY, wrongY, true}, {wrongY, wrongID, false}, {wrongY, wrongLog, false}, {wrongY, missing, false},
		{wrongY, changed, false},
		{lost, missing, true}, // seen when none follows
		{lost, wrongY, false}, {missing, lost, true}, {missing, extra, false}, {extra, missing, false},
		{changed, changed, true}, {changed, dropped, false}, {dropped, dropped, true},
		{rtl("[120] a.sv:7: depth 3"), rtl("[88] a.sv:7: depth 9"), true}, {rtl("a.sv: full"), rtl("a.sv: empty"), false},
		{wrongY, nil, false},
	} {
		why, short := e.reasonOf(c.whole), attempt{failed: c.short != nil, cycles: 7}
		if c.short != nil {
			short.why = e.reasonOf(c.short)
		}
		failed, cycles, err := e.fails(&why, &short, nil)
		require.NoError(t, err)
		require.Equal(t, []any{c.want, uint64(7)}, []any{failed, cycles}, "%d", i)
	}
	gone := errors.New("gone")
	why := e.reasonOf(wrongY)
	failed, _, err := e.fails(&why, &attempt{}, gone)
	require.False(t, failed)
	require.ErrorIs(t, err, gone)
	failed, _, err = e.fails(&why, &attempt{}, fmt.Errorf("reference: %w", &client.RTLError{}))
	require.False(t, failed)
	require.NoError(t, err)
}
