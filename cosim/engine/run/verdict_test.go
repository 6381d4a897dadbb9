package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// A design that never worked is an error of its binding; a design that did work is wrong.
func TestBoundOrWrong(t *testing.T) {
	t.Parallel()
	b, err := event.Parse([]byte("block: b\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: " +
		"8}]}\n  - {name: rsp, dir: out, fields: [{name: y, width: 8}, {name: z, width: 70}]}\n"))
	require.NoError(t, err)
	for _, c := range []struct {
		find   elastic.Finding
		before report.Result
		want   error
	}{
		{elastic.Finding{Kind: elastic.Stuck, Never: true}, report.Result{}, elastic.ErrNeverReady},
		{elastic.Finding{Kind: elastic.Stuck, Never: true}, report.Result{Events: 1}, nil},
		{elastic.Finding{Kind: elastic.Stuck}, report.Result{}, nil},
		{elastic.Finding{Kind: elastic.Extra, Early: true}, report.Result{}, elastic.ErrReset},
		{elastic.Finding{Kind: elastic.Extra, Early: true}, report.Result{Responses: 1}, nil},
		{elastic.Finding{Kind: elastic.Extra}, report.Result{}, nil},
		{elastic.Finding{Kind: elastic.Missing}, report.Result{Events: 3}, elastic.ErrNeverAnswer},
		{elastic.Finding{Kind: elastic.Missing}, report.Result{Events: 3, Responses: 1}, nil},
		{elastic.Finding{Kind: elastic.Wrong}, report.Result{}, nil},
		{elastic.Finding{Kind: elastic.Unstable}, report.Result{}, nil},
		{elastic.Finding{Kind: elastic.Differs}, report.Result{}, nil},
	} {
		e := &answers{engine: &engine{}, spec: elastic.DefaultSpec(b), events: c.before.Events, responses: c.before.Responses}
		require.ErrorIs(t, e.bound(&c.find), c.want, "%s after %d responses", c.find.Kind, c.before.Responses)
	}

	// For fields that the design lacks, the report shows the value that arrived.
	l := event.NewLayout(b)
	e := &answers{spec: elastic.Spec{Block: b, Skip: l.Out.StreamMask("rsp")}}
	l.Out.Slot("rsp", "y").Set(e.spec.Skip, 0)
	want, got := make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
	for i := range want {
		want[i], got[i] = ^uint64(0), 0
	}
	spared := e.spec.Spare(want, got)
	require.Equal(t, uint64(0xff), l.Out.Slot("rsp", "y").Get(spared))
	z := l.Out.Slot("rsp", "z")
	require.Zero(t, spared[z.Word])
	require.Zero(t, spared[z.Word+1]&63)
	require.Equal(t, ^uint64(0), want[z.Word], "the caller's")
}
