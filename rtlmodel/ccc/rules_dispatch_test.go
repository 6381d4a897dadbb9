package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// unit is one context and a configuration, for tests of single rules. Its profile is not the first, and the registers
// of all other profiles hold values that would break every rule.
type unit struct {
	cfg Config
	st  State
}

// t0 is the time at which the context of a unit was opened, profile its profile.
const (
	t0      = uint64(1)<<47 + 1<<20
	profile = 5
)

// onContext lists the kinds that change or show an open context.
var onContext = []port.Kind{port.KindLoad, port.KindRead, port.KindNewData, port.KindSend, port.KindAck, port.KindNack,
	port.KindLoss, port.KindBind, port.KindSample, port.KindCredit}

// newUnit returns an open context with default configuration: MTU 4096, windows 225000, base RTT
// 12000, target 9000, 4 slots. A quick-adapt window is running; it ends at t0 + 21000, the latest possible end.
func newUnit() *unit {
	u := &unit{cfg: DefaultConfig()}
	for p := range u.cfg.sets {
		if p != profile {
			for addr := range u.cfg.sets[p] {
				u.cfg.sets[p][addr] = 0xA5A5_A5A5 & (1<<port.RegInfo[addr].Width - 1)
			}
		}
	}
	u.do(port.Event{Kind: port.KindOpen, Profile: profile, Now: t0})
	u.st.QAValid, u.st.QAEndtime = true, t0+21000
	return u
}

// reg returns the address of a register as the context sees it, for a test to set.
func (u *unit) reg(addr uint8) *uint64 {
	if addr == port.RegTimeShift {
		return &u.cfg.timeShift
	}
	return &u.cfg.sets[profile][addr]
}

func (u *unit) do(ev port.Event) port.Response {
	var r port.Response
	Apply(&u.cfg, &u.st, &ev, &r)
	return r
}

// echo returns the response that carries only the echoed fields.
func echo(ev port.Event) port.Response {
	return port.Response{Kind: ev.Kind, Ctx: ev.Ctx, Entropy: ev.Entropy}
}

func TestUnknownKindsAreRefusedFirst(t *testing.T) {
	for k := port.Kind(14); k <= 15; k++ {
		ev := port.Event{Kind: k, Ctx: 0xFFFF, Entropy: 5}
		want := echo(ev)
		want.Refused = true
		u := newUnit()
		before := *u
		require.Equal(t, want, u.do(ev))
		require.Equal(t, before, *u)
		var r port.Response
		Apply(&u.cfg, nil, &ev, &r) // before the check of ctx
		require.Equal(t, want, r)
	}
}

func TestNoContext(t *testing.T) {
	for _, k := range append([]port.Kind{port.KindOpen, port.KindClose}, onContext...) {
		ev := port.Event{Kind: k, Ctx: 0xABCD, Entropy: 9, Addr: 31, Size: 7, PDC: 15, Profile: 15, Data: 0xF00}
		want := echo(ev)
		want.NoContext = true
		var r port.Response
		cfg := DefaultConfig()
		Apply(&cfg, nil, &ev, &r) // out of range
		require.Equal(t, want, r, "%s", k)
		if k == port.KindOpen {
			continue
		}
		u := &unit{cfg: cfg} // invalid; before the check of addr and pdc
		require.Equal(t, want, u.do(ev), "%s", k)
		require.Equal(t, State{}, u.st)
	}
}

func TestOpen(t *testing.T) {
	for _, tc := range []struct{ mtu, maxWnd, want uint64 }{
		{4096, 225000, 225000}, {4096, 4095, 4096}, {4096, 4096, 4096}, {4096, 4097, 4097},
	} {
		u := newUnit()
		*u.reg(port.RegMTU), *u.reg(port.RegMaxWnd) = tc.mtu, tc.maxWnd
		u.st.Inflight, u.st.AvgDelay = -5, 9 // opening a valid context resets it
		u.st.LastRcvd = [16]uint32{7, 7, 7, 7}
		r := u.do(port.Event{Kind: port.KindOpen, Ctx: 3, Now: 55, Profile: profile, PDC: 15, Credit: 0xABCDEF})
		require.Equal(t, State{Valid: true, Words: port.Words{
			Profile: profile,
			Cwnd:    uint32(tc.want), MaxWnd: uint32(tc.want), BaseRTT: 12000, LastAdjustTime: 55, LastDecTime: 55,
			Credit: int32(tc.want), LastPull: 0xABCDEF, Speculating: true,
		}}, u.st)
		require.Equal(t, port.Response{Kind: port.KindOpen, Ctx: 3, State: port.StateIdle, Cwnd: uint32(tc.want),
			BaseRTT: 12000,
			CanSend: true, AckRequest: tc.want < 16384}, r)
	}
}

func TestCloseHasNoView(t *testing.T) {
	u := newUnit()
	ev := port.Event{Kind: port.KindClose, Entropy: 4}
	require.Equal(t, echo(ev), u.do(ev))
	require.Equal(t, State{}, u.st)
	require.True(t, u.do(ev).NoContext)
	require.False(t, u.do(port.Event{Kind: port.KindOpen}).NoContext)
}

func TestLoadReadEveryWord(t *testing.T) {
	for addr := range uint8(32) {
		u := newUnit()
		*u.reg(port.RegMTU) = 1
		data := uint64(math.MaxUint64)
		if addr == port.WordProfile {
			data = data&^0xF00 | profile<<8 // 15 is refused
		}
		load := port.Event{Kind: port.KindLoad, Addr: addr, Data: data, PDC: 3}
		before := *u
		r := u.do(load)
		if addr >= 16 {
			want := echo(load)
			want.Refused = true
			require.Equal(t, want, r)
			require.Equal(t, before, *u)
			load.Kind, want.Kind = port.KindRead, port.KindRead
			require.Equal(t, want, u.do(load))
			continue
		}
		require.Zero(t, r.Data)
		after := u.st
		r = u.do(port.Event{Kind: port.KindRead, Addr: addr, Data: 12345, PDC: 3})
		require.Equal(t, port.WordMask[addr]&data, r.Data)
		require.Equal(t, after, u.st, "READ changes nothing")
		require.Equal(t, u.st.Cwnd, r.Cwnd, "READ carries the view")
	}
}

func TestLoadLeavesStateAlone(t *testing.T) {
	u := newUnit()
	r := u.do(port.Event{Kind: port.KindLoad, Addr: 0, Data: profile<<8 | 3<<4})
	require.Equal(t, port.StateReady, r.State, "update_state does not run")
	u.do(port.Event{Kind: port.KindLoad, Addr: 2, Data: 0xFFFF_FFFF})
	require.Equal(t, int32(-1), u.st.Inflight)
}

func TestNewData(t *testing.T) {
	const top = 1<<48 - 1
	for _, tc := range []struct {
		backlog uint64
		size    uint32
		want    uint64
		sat     bool
	}{
		{0, 1, 1, false}, {top - math.MaxUint32, math.MaxUint32, top, false},
		{top - math.MaxUint32 + 1, math.MaxUint32, top, true}, {top, 0, top, false}, {top, 1, top, true},
	} {
		u := newUnit()
		u.st.Backlog = tc.backlog
		r := u.do(port.Event{Kind: port.KindNewData, Size: tc.size})
		require.Equal(t, tc.want, u.st.Backlog)
		require.Equal(t, tc.sat, r.Saturated)
		require.Equal(t, port.StateReady, r.State)
		require.Equal(t, port.ActionNone, r.Action)
	}
}

func TestSend(t *testing.T) {
	u := newUnit()
	u.st.Backlog = 5000
	r := u.do(port.Event{Kind: port.KindSend, Size: 5000})
	require.False(t, r.Underflow)
	require.Equal(t, [3]any{uint64(0), int32(5000), uint32(1)}, [3]any{u.st.Backlog, u.st.Inflight, u.st.InflightPkts})
	require.Equal(t, port.StatePending, r.State)
	require.True(t, u.do(port.Event{Kind: port.KindSend, Size: 1}).Underflow)

	u = newUnit()
	u.st.WaitingRtx, u.st.RtxBacklog, u.st.Backlog = 1, 100, 7
	require.False(t, u.do(port.Event{Kind: port.KindSend, IsRtx: true, Size: 100}).Underflow)
	require.Equal(t, [3]uint64{0, 0, 7}, [3]uint64{uint64(u.st.WaitingRtx), uint64(u.st.RtxBacklog), u.st.Backlog})
	require.True(t, u.do(port.Event{Kind: port.KindSend, IsRtx: true}).Underflow, "waiting_rtx below zero")
	u.st.WaitingRtx = 1
	require.True(t, u.do(port.Event{Kind: port.KindSend, IsRtx: true, Size: 1}).Underflow, "rtx_backlog below zero")

	u = newUnit()
	u.st.Backlog, u.st.Inflight, u.st.InflightPkts = 10, math.MaxInt32-4, math.MaxUint32-1
	require.False(t, u.do(port.Event{Kind: port.KindSend, Size: 4}).Saturated)
	require.True(t, u.do(port.Event{Kind: port.KindSend, Size: 0}).Saturated, "inflight_pkts")
	require.Equal(t, uint32(math.MaxUint32), u.st.InflightPkts)
	u.st.InflightPkts = 0
	require.True(t, u.do(port.Event{Kind: port.KindSend, Size: 1}).Saturated, "inflight")
	require.Equal(t, int32(math.MaxInt32), u.st.Inflight)
}

func TestView(t *testing.T) {
	for _, tc := range []struct {
		name       string
		cwnd       uint32
		inflight   int32
		trigger    uint64
		canSend    bool
		ackRequest bool
	}{
		{"inflight + MTU = cwnd", 20000, 20000 - 4096, 0, true, false},
		{"one byte more", 20000, 20000 - 4095, 0, false, true},
		{"cwnd below the trigger", 20000, 0, 20001, true, true},
		{"cwnd at the trigger", 20000, 0, 20000, true, false},
		{"negative inflight", 4096, math.MinInt32, 0, true, false},
		{"largest inflight", math.MaxUint32, math.MaxInt32, 0, true, false},
		{"inflight past cwnd", 4096, math.MaxInt32, 0, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.Cwnd, u.st.Inflight = tc.cwnd, tc.inflight
			*u.reg(port.RegAckGenTrigger) = tc.trigger
			r := u.do(port.Event{Kind: port.KindRead})
			require.Equal(t, [2]bool{tc.canSend, tc.ackRequest}, [2]bool{r.CanSend, r.AckRequest})
		})
	}
}

func TestUpdateState(t *testing.T) {
	for _, tc := range []struct {
		backlog  uint64
		waiting  uint32
		pkts     uint32
		inflight int32
		want     port.State
	}{
		{0, 0, 0, 0, port.StateIdle},
		{0, 0, 1, 0, port.StatePending},
		{1, 0, 0, 0, port.StateReady},
		{0, 1, 0, 0, port.StateReady},
		{1, 0, 0, 225000 - 4095, port.StateActive},
		{0, 1, 9, 225000 - 4095, port.StateActive},
	} {
		u := newUnit()
		u.st.Backlog, u.st.WaitingRtx, u.st.InflightPkts, u.st.Inflight = tc.backlog, tc.waiting, tc.pkts, tc.inflight
		require.Equal(t, tc.want, u.do(port.Event{Kind: port.KindNewData}).State, "%+v", tc)
	}
}
