package cc

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/timely"
	"github.com/goldwire/goldwire/golden/units"
)

// TestRows: names are sorted, each has a line of text and makes a context that answers its first
// event; the default is among them.
func TestRows(t *testing.T) {
	rows := Rows()
	require.True(t, slices.IsSorted(Names(rows)), Names(rows))
	cfg := Config{LinkGbps: 100, BaseRTT: 12 * units.Microsecond, MTU: 4096, HeaderBytes: 64, MaxWnd: 225_000,
		AckTrigger: 16 << 10, QAGate: -1}
	for _, r := range rows {
		require.NotEmpty(t, r.About)
		c, err := r.New(cfg)
		require.NoError(t, err, r.Name)
		_, own := c.(Losses)
		require.Equal(t, own, r.OwnLosses, r.Name)
		out := c.Step(&Event{Kind: KindOpen})
		require.True(t, out.CanSend, r.Name)
		require.Positive(t, out.Cwnd, r.Name)
		require.Equal(t, r.Windowless, out.Cwnd == NoWindow, r.Name)
		if r.Windowless {
			require.True(t, out.Rate > 0 || r.Needs.Credit, r.Name)
		}
	}
	r, err := Find("", rows)
	require.NoError(t, err)
	require.Equal(t, Default, r.Name)
	_, err = Find("bbr", rows)
	require.EqualError(t, err, "cc = bbr: want one of "+strings.Join(Names(rows), ", "))
}

// TestCheck: each need is refused where it is not met, and met where it is.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		needs Needs
		meets Network
		want  string
	}{
		{Needs{ECN: true}, Network{ECN: true}, "needs ECN marks"},
		{Needs{CNP: 1}, Network{ECN: true}, "needs ECN marks"},
		{Needs{Retrace: true}, Network{Retrace: true}, "set retrace to on"},
		{Needs{INT: "data"}, Network{INT: "data"}, "telemetry of switches in data packets: set int to data"},
		{Needs{INT: "ack"}, Network{INT: "ack"}, "telemetry of switches in ack packets: set int to ack"},
		{Needs{SwitchRate: true}, Network{SwitchRate: true}, "switches that compute a rate"},
		{Needs{Trim: true}, Network{Trim: true}, "switches that trim"},
		{Needs{Credit: true}, Network{Credit: true}, "receivers that grant credit"},
	} {
		r := Row{Name: "x", Needs: c.needs}
		require.ErrorContains(t, r.Check(Network{}), "cc = x: ")
		require.ErrorContains(t, r.Check(Network{}), c.want)
		require.NoError(t, r.Check(c.meets))
	}
	one := Row{Name: "x", Needs: Needs{OneConnection: true}}
	require.NoError(t, one.Check(Network{PDCs: 1}))
	require.EqualError(t, one.Check(Network{PDCs: 2}),
		"cc = x: follows one connection of a context, and nic.pdcs = 2: set nic.pdcs to 1")
	plain := Row{Needs: Needs{EveryAck: true}}
	require.NoError(t, plain.Check(Network{}))
}

// TestDCQCN: the control follows its algorithm's rate and timers, by its own events alone.
func TestDCQCN(t *testing.T) {
	c, err := DCQCN(nil)(Config{LinkGbps: 100, MTU: 4096})
	require.NoError(t, err)
	out := c.Step(&Event{Kind: KindOpen})
	require.Equal(t, Out{Cwnd: NoWindow, Rate: 100, CanSend: true}, out, "no timer before the first CNP")
	out = c.Step(&Event{Kind: KindSend, Size: 4096})
	require.Equal(t, int64(4096), out.Inflight)
	us := units.Microsecond
	out = c.Step(&Event{Kind: KindCNP, Time: 7 * us})
	require.Equal(t, Out{Cwnd: NoWindow, Inflight: 4096, Rate: 50, Timer: 62 * us, CanSend: true, Action: "CUT"}, out)
	out = c.Step(&Event{Kind: KindAck, M: true, RcvdBytes: 16, Time: 30 * us})
	require.Equal(t, Out{Cwnd: NoWindow, Rate: 50, Timer: 62 * us, CanSend: true}, out,
		"marks of ACKs are not its business")
	out = c.Step(&Event{Kind: KindTimer, Time: 62 * us})
	require.Equal(t, 75.0, out.Rate)
	require.Equal(t, "FAST", out.Action)
	require.Equal(t, 117*us, out.Timer)
	out = c.Step(&Event{Kind: KindOpen})
	require.Equal(t, Out{Cwnd: NoWindow, Rate: 100, CanSend: true}, out)
}

// TestTIMELY: the control gives its algorithm the bytes that ACKs newly acknowledge and the RTT of packets that were
// sent once.
func TestTIMELY(t *testing.T) {
	c, err := TIMELY(func(s *timely.Spec) { s.FirstGbps = 50 })(Config{LinkGbps: 100, MTU: 4096})
	require.NoError(t, err)
	start := Out{Cwnd: NoWindow, Rate: 50, CanSend: true}
	require.Equal(t, start, c.Step(&Event{Kind: KindOpen}))
	for range 8 {
		c.Step(&Event{Kind: KindSend, Size: 16 << 10})
	}
	us := units.Microsecond
	var rcvd uint32
	now := 1000 * us
	ack := func(edit func(*Event), rtt units.Picos) Out {
		rcvd, now = rcvd+64, now+us
		ev := Event{Kind: KindAck, Time: now, RcvdBytes: rcvd, TxValid: true, TxTime: now - rtt}
		if edit != nil {
			edit(&ev)
		}
		return c.Step(&ev)
	}
	require.Equal(t, "FIRST", ack(nil, 60*us).Action)
	for name, edit := range map[string]func(*Event){
		"freed":        func(ev *Event) { ev.TxValid = false },
		"resent":       func(ev *Event) { ev.RtxCount = 1 },
		"of a resend":  func(ev *Event) { ev.RtxCount, ev.Retx = 1, true },
		"nothing new":  func(ev *Event) { rcvd -= 64; ev.RcvdBytes = rcvd; ev.TxValid = false },
		"out of order": func(ev *Event) { rcvd -= 64; ev.RcvdBytes = rcvd - 64; ev.TxValid = false },
	} {
		out := ack(edit, 499*us)
		require.Equal(t, 50.0, out.Rate, name)
		require.Empty(t, out.Action, name)
	}
	out := ack(func(ev *Event) { ev.ServiceTime = 100 }, 70*us)
	require.Equal(t, "GRADIENT", out.Action)
	require.InDelta(t, 32.5, out.Rate, 1e-9, "the delay at the receiver is part of the RTT")
	require.Equal(t, int64(3*16<<10), out.Inflight)
	require.Zero(t, out.Timer)
	for _, kind := range []Kind{KindCNP, KindTimer, KindNack, KindLoss, KindNewData} {
		require.InDelta(t, 32.5, c.Step(&Event{Kind: kind, Size: 4096}).Rate, 1e-9, kind)
	}
	require.Equal(t, start, c.Step(&Event{Kind: KindOpen}))

	_, err = TIMELY(func(s *timely.Spec) { s.Segment = 0 })(Config{LinkGbps: 100})
	require.EqualError(t, err, "timely spec: segment = 0: want from 1 to 1e+15 bytes")
}
