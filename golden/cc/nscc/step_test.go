package nscc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRTTRule(t *testing.T) {
	for _, c := range []struct {
		count uint8
		retx  bool
		valid bool
	}{{0, false, true}, {0, true, false}, {1, false, false}, {1, true, true}, {2, false, false}, {2, true,
		false}, {3, true, false}} {
		p, s := bench(t, nil)
		a := ack(0, false)
		a.Tx = Tx{TxTime: t0 - 13000, RtxCount: c.count, Retx: c.retx}
		r := s.OnACK(&p, &PDC{}, a)
		require.Equal(t, c.valid, r.HasRTT, "%+v", c)
		require.Equal(t, !c.valid, r.Action == NoRTT)
		if c.valid {
			require.Equal(t, 13005.0-128, r.RTT)
		} else {
			require.Equal(t, 80000.0-4096, s.Inflight, "the delta counts without a sample")
			require.Equal(t, 4096.0, s.AchievedBytes)
			require.Equal(t, 19.0, s.InflightPkts)
		}
	}
}

func TestRTTRange(t *testing.T) {
	p, s0 := bench(t, nil)
	for _, c := range []struct {
		name    string
		tx      Tx
		service uint16
		valid   bool
	}{
		{"one tick", Tx{TxTime: t0 + 5 - 129}, 1, true},
		{"zero", Tx{TxTime: t0 + 5 - 128}, 1, false},
		{"negative", Tx{TxTime: t0 + 5}, 1, false},
		{"largest", Tx{TxTime: p.TimeMod + t0 + 5 - 128 - (1<<31 - 1)}, 1, true},
		{"too large", Tx{TxTime: p.TimeMod + t0 + 5 - 128 - 1<<31}, 1, false},
		{"service 0 is invalid", Tx{TxTime: t0 - 13000}, 0, false},
		{"service 0xFFFF is over", Tx{TxTime: t0 - 9e6 + 1e6}, 0xFFFF, false},
		{"no transmit state", Tx{Sample: None, TxTime: t0 - 13000}, 1, false},
		{"given as it is", Tx{Sample: Given, RawRTT: 13000, RtxCount: 2}, 0, true},
	} {
		s := s0
		a := ack(0, false)
		a.Tx, a.Service = c.tx, c.service
		if a.TxTime >= p.TimeMod {
			a.TxTime -= p.TimeMod
		}
		r := s.OnACK(&p, &PDC{}, a)
		require.Equal(t, c.valid, r.HasRTT, c.name)
	}
}

func TestBaseRTT(t *testing.T) {
	for _, c := range []struct{ rtt, base, maxWnd float64 }{
		{12001, 12000, 225000},
		{12000, 12000, 225000},
		{11999, 11999, 224981}, // 1.5 * 12.5 B * 11999 = 224981.25
		{100, 100, 4096},       // never below one MTU
	} {
		p, s := bench(t, nil)
		r := s.OnACK(&p, &PDC{}, ack(c.rtt-12000, false))
		require.Equal(t, c.base, r.BaseRTT)
		require.Equal(t, c.maxWnd, s.MaxWnd)
		require.Equal(t, c.rtt-c.base, r.Delay, "a sample that lowers the base has no delay")
		require.Equal(t, 100000.0, s.Cwnd, "a lower max_wnd waits for the next growth")
	}
	p, s := bench(t, nil)
	s.MaxWnd = 200000 // as loaded
	s.OnACK(&p, &PDC{}, ack(0, false))
	require.Equal(t, 200000.0, s.MaxWnd, "a sample at the base changes nothing")
	p, s = bench(t, nil)
	r := s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{TxTime: t0 - 9995}, Reason: NoPDC, Size: 64})
	require.True(t, r.HasRTT)
	require.Equal(t, 10000.0, r.RTT)
	require.Equal(t, 10000.0, s.BaseRTT, "a NACK without trim samples too, with no service time taken off")
}

func TestNACK(t *testing.T) {
	for _, c := range []struct {
		name         string
		reason       Reason
		rccc, marked bool
		action       Action
		lb           Feedback
		cwnd         float64
		trim         bool
		trigger      bool
	}{
		{"trimmed", Trimmed, false, false, NackDec, NACK, 95904, true, true},
		{"trimmed, marked before", Trimmed, false, true, NackDec, NACK, 95904, true, true},
		{"last hop", TrimmedLastHop, false, false, NackDec, NoECN, 95904, true, true},
		{"last hop, marked before", TrimmedLastHop, false, true, NackDec, ECN, 95904, true, true},
		{"last hop under rccc", TrimmedLastHop, true, false, NOOP, NoECN, 100000, true, false},
		{"trimmed under rccc", Trimmed, true, false, NackDec, NACK, 95904, true, true},
		{"other reason", NoPktBuffer, false, true, NOOP, ECN, 100000, false, false},
		{"out of order", RODOutOfOrder, false, false, NOOP, NoECN, 100000, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, func(sp *Spec) { sp.RCCC = c.rccc })
			r := s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{Sample: None}, Reason: c.reason, Marked: c.marked, Size: 4096,
				Entropy: 9})
			require.Equal(t, c.action, r.Action)
			require.Equal(t, c.lb, r.LB)
			require.Equal(t, uint16(9), r.Entropy)
			require.Equal(t, c.cwnd, s.Cwnd)
			require.Equal(t, c.trigger, s.TriggerQA)
			require.Equal(t, c.trim, s.AvgDelay > 0)
			require.Equal(t, c.trim, s.BytesIgnored == 4096)
			require.Equal(t, 80000.0-4096, s.Inflight)
			require.Equal(t, []float64{1, 4096, 19}, []float64{s.WaitingRtx, s.RtxBacklog, s.InflightPkts})
		})
	}
	t.Run("fires quick adapt, with inflight after its own size", func(t *testing.T) {
		p, s := bench(t, nil)
		s.QAEnd, s.AchievedBytes = t0, 20000
		r := s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.Equal(t, QA, r.Action)
		require.Equal(t, 20000.0, s.Cwnd)
		require.Equal(t, 80000.0-4096, s.BytesToIgnore)
		require.False(t, s.TriggerQA)
		r = s.OnNACK(&p, &Nack{Time: t0 + 6, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.Equal(t, IGNORE, r.Action, "what follows belongs to the same congestion")
		require.Equal(t, 20000.0, s.Cwnd)
	})
	t.Run("never fulfils", func(t *testing.T) {
		p, s := bench(t, nil)
		s.LastAdjust, s.ReceivedBytes, s.IncBytes = 0, 1e6, 1e9
		r := s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.False(t, r.Fulfilled)
		require.Equal(t, 1e9, s.IncBytes)
	})
	t.Run("cwnd stays at one MTU", func(t *testing.T) {
		p, s := bench(t, nil)
		s.Cwnd = 5000
		s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.Equal(t, 4096.0, s.Cwnd)
	})
}

func TestInferredLoss(t *testing.T) {
	p, s := bench(t, nil)
	r := s.OnInferredLoss(&p, &Loss{Time: t0, Size: 4096, Entropy: 3})
	require.Equal(t, LossDec, r.Action)
	require.Equal(t, TIMEOUT, r.LB)
	require.Equal(t, 95904.0, s.Cwnd)
	require.Equal(t, 4096.0, s.BytesIgnored)
	require.Equal(t, 80000.0-4096, s.Inflight)
	require.Equal(t, []float64{1, 4096, 19}, []float64{s.WaitingRtx, s.RtxBacklog, s.InflightPkts})
	s.Cwnd = 4096 + 1
	s.OnInferredLoss(&p, &Loss{Time: t0, Size: 4096})
	require.Equal(t, 4096.0, s.Cwnd)
}

func TestUnmarkPutsInflightBackOnce(t *testing.T) {
	p, s := bench(t, nil)
	before := s
	s.OnInferredLoss(&p, &Loss{Time: t0, Size: 4096})
	a := ack(0, false)
	a.AckedPkts, a.UnmarkedPkts, a.UnmarkedBytes = 0, 1, 4096
	s.OnACK(&p, &PDC{}, a)
	require.Equal(t, before.Inflight-4096, s.Inflight)
	require.Equal(t, before.InflightPkts-1, s.InflightPkts)
	require.Zero(t, s.WaitingRtx)
	require.Zero(t, s.RtxBacklog)
}

func TestSchedulerStates(t *testing.T) {
	p := params(t, DefaultSpec(), Unit{Ps: 1000, Whole: true})
	s := NewState(&p, 0)
	require.Equal(t, Idle, s.CCC)
	var pdc PDC
	r := s.OnNewData(&p, &NewData{Bytes: 8192})
	require.Equal(t, Ready, r.CCC)
	r = s.OnSend(&p, &Send{Size: 4096})
	require.Equal(t, Ready, r.CCC)
	r = s.OnSend(&p, &Send{Size: 4096})
	require.Equal(t, Pending, r.CCC)
	r = s.OnInferredLoss(&p, &Loss{Time: 1, Size: 4096})
	require.Equal(t, Ready, r.CCC, "a packet to resend is something to send")
	r = s.OnSend(&p, &Send{Time: 2, Size: 4096, IsRtx: true})
	require.Equal(t, Pending, r.CCC)
	r = s.OnACK(&p, &pdc, &Ack{Time: 13000, Tx: Tx{TxTime: 0}, Service: 1, RcvdBytes: 32, AckedPkts: 2})
	require.Equal(t, Idle, r.CCC)
	require.Zero(t, r.Inflight)

	s.Cwnd = 4096
	s.OnNewData(&p, &NewData{Bytes: 8192})
	require.Equal(t, Ready, s.CCC, "one MTU of window sends one MTU")
	r = s.OnSend(&p, &Send{Size: 4096})
	require.Equal(t, Active, r.CCC)
	require.False(t, r.CanSend)

	p.RCCC = true
	s = NewState(&p, 0)
	require.Equal(t, Idle, s.OnCreditUpdate(&p, true).CCC)
	require.Equal(t, Active, s.OnNewData(&p, &NewData{Bytes: 1}).CCC)
	require.Equal(t, Ready, s.OnCreditUpdate(&p, false).CCC)

	s.Cwnd, s.Inflight = 4096, 4096
	r = s.OnCreditUpdate(&p, false)
	require.Equal(t, []any{Active, false, true}, []any{r.CCC, r.CanSend, r.AckRequest}, "the window is full")
	p.NoWindow = true
	r = s.OnCreditUpdate(&p, false)
	require.Equal(t, []any{Ready, true, false}, []any{r.CCC, r.CanSend, r.AckRequest}, "credit alone")
	r = s.OnCreditUpdate(&p, true)
	require.Equal(t, []any{Active, false, false}, []any{r.CCC, r.CanSend, r.AckRequest})
}

func TestCanSendAndAckRequest(t *testing.T) {
	p, s := bench(t, nil)
	for _, c := range []struct {
		cwnd, inflight float64
		can, ask       bool
	}{
		{100000, 95904, true, false}, // exactly one MTU left
		{100000, 95905, false, true}, // one byte less
		{16384, 0, true, false},      // as large as the trigger
		{16383, 0, true, true},       // smaller: ask
		{16384, -100, true, false},   // signed
		{16384, 20000, false, true},  // over the window
	} {
		s.Cwnd, s.Inflight = c.cwnd, c.inflight
		require.Equal(t, c.can, s.CanSend(&p), "%+v", c)
		require.Equal(t, c.ask, s.AckRequest(&p), "%+v", c)
	}
}

func TestSaturation(t *testing.T) {
	require.Equal(t, []float64{4294967295, 281474976710655, 2147483647, -2147483648},
		[]float64{maxCounter, maxIncBytes, maxInflight, minInflight})
	p, s := bench(t, nil)
	s.BytesIgnored, s.AchievedBytes, s.FiCount = maxCounter, maxCounter-4095, maxCounter-100
	s.Increase = true
	r := s.OnACK(&p, &PDC{}, ack(0, false))
	require.Equal(t, FAST, r.Action)
	require.Equal(t, float64(maxCounter), s.BytesIgnored)
	require.Equal(t, float64(maxCounter), s.AchievedBytes)
	require.Equal(t, float64(maxCounter), s.FiCount)
	require.NotZero(t, r.Flags&SatCounter)

	p, s = bench(t, nil)
	s.IncBytes = maxIncBytes - 20480*4096
	r = s.OnACK(&p, &PDC{}, ack(9000, false))
	require.Zero(t, r.Flags, "reaches the top exactly")
	r = s.OnACK(&p, &PDC{LastRcvd: 15}, ack(9000, false))
	require.Equal(t, SatInc, r.Flags)
	require.Equal(t, float64(maxIncBytes), s.IncBytes)

	p, s = bench(t, nil)
	s.Backlog, s.Inflight = 100, maxInflight-4096
	r = s.OnSend(&p, &Send{Size: 4096})
	require.Equal(t, Underflow, r.Flags)
	require.Zero(t, s.Backlog)
	r = s.OnSend(&p, &Send{Size: 1})
	require.NotZero(t, r.Flags&SatCounter)
	require.Equal(t, float64(maxInflight), s.Inflight)

	p, s = bench(t, nil)
	r = s.OnACK(&p, &PDC{LastRcvd: 20}, ack(0, false))
	require.Equal(t, OldAck, r.Flags)
	require.Zero(t, r.Delta)
	require.Equal(t, 80000.0, s.Inflight)
}

func TestCountersAtTheirEndsRaiseNoFlag(t *testing.T) {
	p, s := bench(t, nil)
	s.Backlog, s.InflightPkts = 4096, maxCounter-1
	require.Zero(t, s.OnSend(&p, &Send{Size: 4096}).Flags)
	require.Equal(t, []float64{0, maxCounter}, []float64{s.Backlog, s.InflightPkts})
	s.Inflight = minInflight + 4096
	require.Zero(t, s.OnInferredLoss(&p, &Loss{Size: 4096}).Flags)
	require.Equal(t, float64(minInflight), s.Inflight)
	require.NotZero(t, s.OnInferredLoss(&p, &Loss{Size: 1}).Flags&SatCounter)
	require.Equal(t, float64(minInflight), s.Inflight)
}

func TestResendLeavesTheBacklog(t *testing.T) {
	p, s := bench(t, nil)
	s.WaitingRtx, s.RtxBacklog = 3, 10000
	s.OnSend(&p, &Send{Size: 4096, IsRtx: true})
	require.Equal(t, []float64{2, 5904, 1e6, 84096, 21},
		[]float64{s.WaitingRtx, s.RtxBacklog, s.Backlog, s.Inflight, s.InflightPkts})
}

func TestLoadedRaisesWindows(t *testing.T) {
	p, _ := bench(t, nil)
	s := State{Cwnd: 0, SavedCwnd: 7}.Loaded(&p)
	require.Equal(t, 4096.0, s.Cwnd)
	require.Equal(t, 4096.0, s.SavedCwnd)
	require.Zero(t, State{Cwnd: 1e5}.Loaded(&p).SavedCwnd)
}

func TestTwoPDCsShareAContext(t *testing.T) {
	p, s := bench(t, nil)
	var a, b PDC
	s.OnACK(&p, &a, ack(8999, true))
	r := s.OnACK(&p, &b, ack(8999, true))
	require.Equal(t, 4096.0, r.Delta, "the same count on another PDC is new")
	require.Equal(t, 80000.0-2*4096, s.Inflight)
}

func TestNearestThreshold(t *testing.T) {
	p, s := bench(t, nil)
	r := s.OnACK(&p, &PDC{}, ack(8998, false))
	at, d := r.NearestTime()
	require.Equal(t, DelayTarget, at)
	require.Equal(t, 2.0, d)
	_, ok := r.Margin(AvgTarget)
	require.False(t, ok)
	at, d = r.NearestBytes()
	require.Equal(t, ReceivedBytes, at)
	require.Equal(t, 32768.0-4096, d)
}

// drive applies one random event with plausible and implausible inputs.
func drive(t *rapid.T, p *Params, s *State, pdcs []PDC, now *float64) Response {
	*now = p.after(*now, float64(rapid.IntRange(0, 30000).Draw(t, "dt")))
	tx := Tx{Sample: Given, RawRTT: float64(rapid.IntRange(-5, 60000).Draw(t, "rtt"))}
	size := float64(rapid.IntRange(1, 4096).Draw(t, "size"))
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return s.OnSend(p, &Send{Time: *now, Size: size, IsRtx: rapid.Bool().Draw(t, "rtx")})
	case 1:
		return s.OnNewData(p, &NewData{Time: *now, Bytes: 100 * size})
	case 2:
		return s.OnInferredLoss(p, &Loss{Time: *now, Size: size})
	case 3:
		return s.OnNACK(p, &Nack{Time: *now, Tx: tx, Size: size, Reason: Reason(rapid.IntRange(1, 4).Draw(t, "reason"))})
	default:
		pdc := &pdcs[rapid.IntRange(0, len(pdcs)-1).Draw(t, "pdc")]
		return s.OnACK(p, pdc, &Ack{Time: *now, Tx: tx, Service: 1,
			RcvdBytes: pdc.LastRcvd + uint32(rapid.IntRange(-20, 300).Draw(t, "units")),
			Marked:    rapid.Bool().Draw(t, "marked"), Restore: rapid.Bool().Draw(t, "rc"),
			Pend:      uint8(rapid.SampledFrom([]int{0, 0, 0, 1, 64, 127}).Draw(t, "pend")),
			AckedPkts: float64(rapid.IntRange(0, 5).Draw(t, "pkts"))})
	}
}

func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := DefaultSpec()
		c.Trimming = rapid.Bool().Draw(t, "trimming")
		c.Real = rapid.Bool().Draw(t, "real")
		p, err := c.Params(Unit{Ps: 1000, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		now := p.TimeMod - 1e5 // the clock wraps on the way
		s := NewState(&p, now)
		pdcs := make([]PDC, 2)
		for range 60 {
			b := s
			r := drive(t, &p, &s, pdcs, &now)
			// A window above max_wnd was there before max_wnd fell; it may not grow.
			shown := [...]float64{r.Cwnd, r.Inflight, r.BaseRTT, r.AvgDelay}
			if shown != [...]float64{s.Cwnd, s.Inflight, s.BaseRTT, s.AvgDelay} || r.CCC != s.CCC ||
				r.CanSend != s.CanSend(&p) || r.AckRequest != s.AckRequest(&p) {
				t.Fatalf("response %+v of state %+v", r, s)
			}
			if s.Cwnd < p.MTU || s.Cwnd > max(b.Cwnd, b.MaxWnd) {
				t.Fatalf("cwnd %v outside %v to %v: %+v", s.Cwnd, p.MTU, b.MaxWnd, r)
			}
			if s.MaxWnd < p.MTU || s.MaxWnd > p.InitWnd || s.BaseRTT > b.BaseRTT || s.BaseRTT <= 0 {
				t.Fatalf("max_wnd %v base_rtt %v", s.MaxWnd, s.BaseRTT)
			}
			for _, v := range []float64{s.Backlog, s.RtxBacklog, s.WaitingRtx, s.InflightPkts, s.IncBytes,
				s.AvgDelay, s.FiCount, s.BytesIgnored, s.BytesToIgnore, s.ReceivedBytes, s.AchievedBytes} {
				if !(v >= 0) {
					t.Fatalf("negative counter in %+v", s)
				}
			}
			if !p.Real && (s.Cwnd != float64(int64(s.Cwnd)) || s.IncBytes != float64(int64(s.IncBytes))) {
				t.Fatalf("fraction in cwnd %v or inc_bytes %v", s.Cwnd, s.IncBytes)
			}
			if idle := s.Backlog == 0 && s.WaitingRtx == 0; idle != (s.CCC == Idle || s.CCC == Pending) {
				t.Fatalf("state %v with backlog %v, %v to resend", s.CCC, s.Backlog, s.WaitingRtx)
			}
			if s.CCC == Ready && !r.CanSend || s.CCC == Active && r.CanSend {
				t.Fatalf("state %v, can send %v", s.CCC, r.CanSend)
			}
		}
	})
}

// The unit of time is a choice of the caller's: the same events in picoseconds
// and in nanoseconds take the same actions.
func TestUnitsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := DefaultSpec()
		c.Real = true // truncations to a unit are not the same in another unit
		ns, err := c.Params(Unit{Ps: 1000, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		ps, err := c.Params(Picosecond)
		if err != nil {
			t.Fatal(err)
		}
		a, b := NewState(&ns, 0), NewState(&ps, 0)
		var pa, pb PDC
		now := 0.0
		for range 60 {
			now += float64(rapid.IntRange(1, 9000).Draw(t, "dt"))
			e := Ack{Time: now, Service: 1, Tx: Tx{Sample: Given, RawRTT: float64(rapid.IntRange(9000, 40000).Draw(t, "rtt"))},
				RcvdBytes: pa.LastRcvd + 64, Marked: rapid.Bool().Draw(t, "marked")}
			f := e
			f.Time, f.RawRTT = 1000*e.Time, 1000*e.RawRTT
			ra, rb := a.OnACK(&ns, &pa, &e), b.OnACK(&ps, &pb, &f)
			if d := ra.AvgDelay - rb.AvgDelay/1000; math.Abs(d) > 1e-6 {
				t.Fatalf("average %v ns, %v ps", ra.AvgDelay, rb.AvgDelay)
			}
			if ra.Action != rb.Action || math.Abs(ra.Cwnd-rb.Cwnd) > 1e-9*rb.Cwnd {
				t.Fatalf("ns %v %v, ps %v %v", ra.Action, ra.Cwnd, rb.Action, rb.Cwnd)
			}
		}
	})
}

func TestNoAllocations(t *testing.T) {
	p, s := bench(t, nil)
	var pdc PDC
	a, n := ack(9000, true), &Nack{Time: t0, Reason: Trimmed, Size: 4096}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		a.Time += 100
		a.RcvdBytes++
		s.OnACK(&p, &pdc, a)
		s.OnNACK(&p, n)
		s.OnSend(&p, &Send{Size: 4096})
	}))
}

func BenchmarkOnACK(b *testing.B) {
	p, s := bench(b, nil)
	var pdc PDC
	a := ack(9000, false)
	b.ReportAllocs()
	for b.Loop() {
		a.Time += 100
		a.RcvdBytes++
		s.OnACK(&p, &pdc, a)
	}
}
