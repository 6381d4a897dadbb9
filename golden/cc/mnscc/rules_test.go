package mnscc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// TestNew: a context begins as NSCC's does at time 0, with a history of four samples of two round trips' age.
func TestNew(t *testing.T) {
	s, p, f := fresh(t)
	require.Equal(t, State{State: nscc.NewState(&p, 0)}, f)
	require.Equal(t, 4, s.History)
	require.Equal(t, 2.0, s.Age)
}

// TestValidSamples: what NSCC takes for a sample is one, at the ends of each condition too.
func TestValidSamples(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*nscc.Ack, *nscc.Params)
		want int
	}{
		"1 ps":   {func(e *nscc.Ack, _ *nscc.Params) { e.Tx = nscc.Tx{Sample: nscc.Given, RawRTT: 1} }, 1},
		"0":      {func(e *nscc.Ack, _ *nscc.Params) { e.Tx = nscc.Tx{Sample: nscc.Given} }, 0},
		"before": {func(e *nscc.Ack, _ *nscc.Params) { e.Tx = nscc.Tx{Sample: nscc.Given, RawRTT: -1} }, 0},
		"too long": {func(e *nscc.Ack, p *nscc.Params) {
			e.Tx = nscc.Tx{Sample: nscc.Given, RawRTT: p.MaxSample}
		}, 0},
		"just not": {func(e *nscc.Ack, p *nscc.Params) {
			e.Tx = nscc.Tx{Sample: nscc.Given, RawRTT: p.MaxSample - 1}
		}, 1},
		"of the only resend":     {func(e *nscc.Ack, _ *nscc.Params) { e.Tx.RtxCount, e.Tx.Retx = 1, true }, 1},
		"of the first of two":    {func(e *nscc.Ack, _ *nscc.Params) { e.Tx.RtxCount = 1 }, 0},
		"of one of several":      {func(e *nscc.Ack, _ *nscc.Params) { e.Tx.RtxCount, e.Tx.Retx = 2, true }, 0},
		"longest service":        {func(e *nscc.Ack, _ *nscc.Params) { e.Service, e.Time = 0xFFFE, e.Time+65533*128_000 }, 1},
		"longer than it can say": {func(e *nscc.Ack, _ *nscc.Params) { e.Service, e.Time = 0xFFFF, e.Time+65534*128_000 }, 0},
	} {
		s, p, f := fresh(t)
		e := ack(100, 13, 1)
		c.edit(e, &p)
		f.OnACK(&s, &p, &nscc.PDC{}, e)
		require.Len(t, f.past, c.want, name)
	}
}
