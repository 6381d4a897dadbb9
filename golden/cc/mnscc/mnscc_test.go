package mnscc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc"
)

const us = 1e6 // ps

func fresh(t *testing.T) (Spec, nscc.Params, State) {
	base := nscc.DefaultSpec()
	base.SenderGbps, base.ConfigBaseRTTPs, base.MTU, base.AckGenTrigger = 100, 12*us, 4096, 4096
	p, err := base.Params(nscc.Picosecond)
	require.NoError(t, err)
	return DefaultSpec(), p, NewState(&p)
}

// ack is an ACK at a time with a raw round trip, both us.
func ack(at, rtt float64, n uint32) *nscc.Ack {
	return &nscc.Ack{Time: at * us, Tx: nscc.Tx{Sample: nscc.FromTx, TxTime: (at-rtt)*us - 128_000}, Service: 1,
		RcvdBytes: 16 * n, AckedPkts: 1}
}

// TestMedian: the lower middle of the newest; base_rtt follows the raw sample.
func TestMedian(t *testing.T) {
	s, p, f := fresh(t)
	var pdc nscc.PDC
	f.OnSend(&p, &nscc.Send{Size: 40 * 4096})
	for i, c := range []struct{ rtt, median, base float64 }{
		{13, 1, 12}, {20, 1, 12}, {14, 2, 12}, {30, 2, 12}, {16, 4, 12}, {11, 2, 11}, {40, 4, 11},
	} {
		r := f.OnACK(&s, &p, &pdc, ack(float64(100+i), c.rtt, uint32(i+1)))
		require.Equal(t, c.median*us, f.Median, i)
		require.Equal(t, c.base*us, f.BaseRTT, i)
		require.Equal(t, c.median*us, r.Delay, "NSCC judges by the median")
		require.Equal(t, min(i+1, 4), f.Seen)
	}
}

// TestHistory: H for a window of 20 packets is 4, for 7 is 3, for less than 4 is 1; old samples are dropped.
func TestHistory(t *testing.T) {
	for w, want := range map[float64]int{20: 4, 8: 4, 7: 3, 4: 2, 3: 1, 1: 1} {
		s, p, f := fresh(t)
		for range 6 {
			f.push(&s, &p, sample{0, 5}, w*4096)
		}
		require.Equal(t, want, f.Seen, w)
	}
	s, p, f := fresh(t)
	age := 2 * (f.BaseRTT + p.Target)
	f.push(&s, &p, sample{0, 9}, 1e6)
	f.push(&s, &p, sample{age, 8}, 1e6)
	require.Equal(t, 2, f.Seen)
	f.push(&s, &p, sample{age + 1, 7}, 1e6)
	require.Equal(t, 2, f.Seen)
	require.Equal(t, 7.0, f.Median)
}

// TestNoSample: an ACK without a valid sample adds nothing, and is NSCC's to the bit.
func TestNoSample(t *testing.T) {
	for name, edit := range map[string]func(*nscc.Ack){
		"none": func(e *nscc.Ack) { e.Tx.Sample = nscc.None }, "resent": func(e *nscc.Ack) { e.Tx.RtxCount = 2 },
		"no service": func(e *nscc.Ack) { e.Service = 0 }, "too long a service": func(e *nscc.Ack) { e.Service = 0xFFFF },
		"echo": func(e *nscc.Ack) { e.Tx.Retx = true }, "future": func(e *nscc.Ack) { e.Tx.TxTime = e.Time },
	} {
		s, p, f := fresh(t)
		plain := f.State
		var a, b nscc.PDC
		e := ack(100, 20, 1)
		edit(e)
		require.Equal(t, plain.OnACK(&p, &b, e), f.OnACK(&s, &p, &a, e), name)
		require.Equal(t, plain, f.State, name)
		require.Empty(t, f.past, name)
	}
}

// TestOneOfEachIsNSCC: with a history of one sample the state stays NSCC's.
func TestOneOfEachIsNSCC(t *testing.T) {
	s, p, f := fresh(t)
	s.History = 1
	plain := f.State
	var a, b nscc.PDC
	for i := range 200 {
		rtt := 11 + float64(i*7919%23)
		e := ack(100+float64(i)/2, rtt, uint32(i+1))
		e.Marked = i%5 == 0
		f.OnACK(&s, &p, &a, e)
		plain.OnACK(&p, &b, e)
		require.Equal(t, plain.Cwnd, f.Cwnd, i)
		require.Equal(t, plain.AvgDelay, f.AvgDelay, i)
	}
}

func TestSpec(t *testing.T) {
	s := DefaultSpec()
	require.NoError(t, s.Validate())
	s.History = 0
	require.EqualError(t, s.Validate(), "mnscc spec: history = 0: want from 1 to 64")
}
