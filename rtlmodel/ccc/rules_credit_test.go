package ccc

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// withCredit returns a newUnit whose profile has credit on and, with noWindow, no window. It holds 10000 bytes of
// credit, no longer speculates, and the newest pull was number 100.
func withCredit(noWindow bool) *unit {
	u := newUnit()
	*u.reg(port.RegCtrl) = 2
	if noWindow {
		*u.reg(port.RegCtrl) = 2 | 8
	}
	u.st.Credit, u.st.LastPull, u.st.Speculating = 10000, 100, false
	return u
}

// The largest credit is max(MTU, MAX_WND), but at most 2^31 - 1; OPEN gives it whatever CTRL is.
func TestOpenGivesTheLargestCredit(t *testing.T) {
	for _, tc := range []struct {
		mtu, maxWnd uint64
		want        int32
	}{
		{4096, 225000, 225000}, {4096, 4095, 4096}, {65535, 0, 65535},
		{4096, 1<<31 - 1, math.MaxInt32}, {4096, 1 << 31, math.MaxInt32}, {4096, math.MaxUint32, math.MaxInt32},
	} {
		for ctrl := range uint64(16) {
			u := newUnit()
			*u.reg(port.RegMTU), *u.reg(port.RegMaxWnd), *u.reg(port.RegCtrl) = tc.mtu, tc.maxWnd, ctrl
			u.st.Credit, u.st.LastPull, u.st.Speculating = -5, 7, false
			r := u.do(port.Event{Kind: port.KindOpen, Profile: profile, Credit: 1<<24 - 1})
			require.Equal(t, [3]any{tc.want, uint32(1<<24 - 1), true}, [3]any{u.st.Credit, u.st.LastPull, u.st.Speculating})
			require.True(t, r.CanSend)
			require.False(t, r.SpecEnded || r.Granted)
		}
	}
}

// With credit off (CTRL bit 3 alone does nothing) no event touches credit or answers with a target, and neither the
// view nor the state depends on it.
func TestCreditOff(t *testing.T) {
	for _, ctrl := range []uint64{0, 8} {
		for _, ev := range []port.Event{
			{Kind: port.KindNewData, Size: 1}, {Kind: port.KindSend, Size: 100}, {Kind: port.KindAck}, {Kind: port.KindNack},
			{Kind: port.KindLoss}, {Kind: port.KindBind}, {Kind: port.KindSample}, {Kind: port.KindRead},
		} {
			u := newUnit()
			*u.reg(port.RegCtrl) = ctrl
			u.st.Credit, u.st.LastPull, u.st.Speculating = -1, 100, true
			u.st.Backlog, u.st.RtxBacklog, u.st.WaitingRtx, u.st.InflightPkts = 1000, 1000, 2, 2
			ev.Now, ev.Credit, ev.Share = t0, 200, 9
			r := u.do(ev)
			require.Equal(t, [3]any{int32(-1), uint32(100), true}, [3]any{u.st.Credit, u.st.LastPull, u.st.Speculating})
			require.Equal(t, [3]any{false, false, uint32(0)}, [3]any{r.SpecEnded, r.Granted, r.Target})
			require.True(t, r.CanSend)
			require.False(t, r.AckRequest)
			if ev.Kind != port.KindRead {
				require.Equal(t, port.StateReady, r.State)
			}
			u.st.Inflight = 225000 // no window: bit 3 has no effect alone
			r = u.do(port.Event{Kind: port.KindSample})
			require.Equal(t, [3]any{false, true, port.StateActive}, [3]any{r.CanSend, r.AckRequest, r.State})
		}
		u := newUnit()
		*u.reg(port.RegCtrl), *u.reg(port.RegMTU) = ctrl, 65535
		u.st.Cwnd = 5000
		before, ev := u.st, port.Event{Kind: port.KindCredit, Ctx: 6, Entropy: 7, Credit: 1}
		want := echo(ev)
		want.Refused = true
		require.Equal(t, want, u.do(ev))
		require.Equal(t, before, u.st, "no floor and no stop")
	}
}

// fits is the window's condition: cwnd 20000 with inflight 15904 takes one more MTU, with 15905 it does not. cwnd is
// above ACK_GEN_TRIGGER, so ack_request depends on the window by inflight alone.
func TestViewWithCredit(t *testing.T) {
	for _, tc := range []struct {
		ctrl     uint64
		inflight int32
		credit   int32
		backlog  uint64
		canSend  bool
		ask      bool
	}{
		{0, 15904, 0, 1, true, false}, {0, 15905, 1, 1, false, true}, {0, 15904, -1, 0, true, false},
		{8, 15904, 0, 1, true, false}, {8, 15905, 1, 1, false, true}, {8, 15904, -1, 0, true, false},
		{2, 15904, 1, 1, true, false}, {2, 15904, 0, 1, false, true}, {2, 15904, math.MinInt32, 1, false, true},
		{2, 15905, 1, 1, false, true}, {2, 15905, 0, 1, false, true}, {2, 15904, 1, 0, true, true},
		{10, 15904, 1, 1, true, false}, {10, 15905, 1, 1, true, false}, {10, math.MaxInt32, 1, 1, true, false},
		{10, 15905, 0, 1, false, true}, {10, 15905, 1, 0, true, true}, {10, 15904, 0, 0, false, true},
	} {
		u := newUnit()
		*u.reg(port.RegCtrl) = tc.ctrl
		u.st.Cwnd, u.st.Inflight, u.st.Credit, u.st.Backlog = 20000, tc.inflight, tc.credit, tc.backlog
		u.st.RtxBacklog = 5000 // without effect
		r := u.do(port.Event{Kind: port.KindRead})
		require.Equal(t, [2]bool{tc.canSend, tc.ask}, [2]bool{r.CanSend, r.AckRequest}, "%+v", tc)
		u.st.WaitingRtx = 1 // something to send: the state is READY if can_send
		r = u.do(port.Event{Kind: port.KindSample})
		want := port.StateActive
		if tc.canSend {
			want = port.StateReady
		}
		require.Equal(t, want, r.State, "%+v", tc)
		// A cwnd below the trigger asks for an ACK, unless the window holds nothing back.
		*u.reg(port.RegAckGenTrigger) = 20001
		require.Equal(t, tc.ask || tc.ctrl != 10, u.do(port.Event{Kind: port.KindRead}).AckRequest, "%+v", tc)
	}
}

func TestSendTakesCredit(t *testing.T) {
	for _, tc := range []struct {
		credit int32
		size   uint32
		want   int32
		sat    bool
	}{
		{10000, 0, 10000, false}, {10000, 4096, 5904, false}, {10000, 10000, 0, false}, {10000, 10001, -1, false},
		{-1, 5, -6, false}, {math.MinInt32 + 5, 5, math.MinInt32, false}, {math.MinInt32 + 5, 6, math.MinInt32, true},
		{math.MaxInt32, math.MaxUint32, math.MinInt32, false}, {math.MaxInt32 - 1, math.MaxUint32, math.MinInt32, true},
	} {
		for _, is := range []struct{ rtx, request bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
			u := withCredit(true)
			u.st.Credit, u.st.Speculating = tc.credit, true
			u.st.Backlog, u.st.RtxBacklog, u.st.WaitingRtx = math.MaxUint32, math.MaxUint32, 2
			u.st.Inflight = math.MinInt32 // so that inflight does not saturate
			r := u.do(port.Event{Kind: port.KindSend, Size: tc.size, IsRtx: is.rtx, NoCredit: is.request, Credit: 300})
			want, sat := tc.want, tc.sat
			if is.request {
				want, sat = tc.credit, false
			}
			require.Equal(t, [2]any{want, sat}, [2]any{u.st.Credit, r.Saturated}, "%+v %+v", tc, is)
			require.Equal(t, [2]any{uint32(100), true}, [2]any{u.st.LastPull, u.st.Speculating}, "SEND does not stop it")
			require.Equal(t, want > 0, r.CanSend)
			require.Equal(t, want > 0, r.State == port.StateReady, "the state sees the credit after the event")
			require.False(t, r.SpecEnded || r.Granted)
		}
	}
}

// ACK, also a stale one, NACK for any reason, LOSS of a packet while others wait to be resent, and CREDIT, also one
// that grants nothing, end speculation.
func TestSpeculationEnds(t *testing.T) {
	for _, tc := range []struct {
		name string
		ev   port.Event
		rtx  uint32 // rtx_backlog before
		ends bool
	}{
		{"ACK", port.Event{Kind: port.KindAck}, 0, true},
		{"stale ACK", port.Event{Kind: port.KindAck, RcvdBytes: 1 << 23}, 0, true},
		{"ACK with a sample", ackOf(256, 12000), 0, true},
		{"NACK of a trim", port.Event{Kind: port.KindNack, Now: t0, Reason: 1}, 0, true},
		{"NACK of a trim at the last hop", port.Event{Kind: port.KindNack, Now: t0, Reason: 2}, 0, true},
		{"NACK without reason", port.Event{Kind: port.KindNack, Now: t0}, 0, true},
		{"NACK of code 200", port.Event{Kind: port.KindNack, Now: t0, Reason: 200}, 0, true},
		{"first LOSS", port.Event{Kind: port.KindLoss, Size: 4096}, 0, false},
		{"another LOSS", port.Event{Kind: port.KindLoss}, 1, true},
		{"CREDIT", port.Event{Kind: port.KindCredit, Credit: 100}, 0, true},
		{"NEW_DATA", port.Event{Kind: port.KindNewData, Size: 1}, 1, false},
		{"SEND", port.Event{Kind: port.KindSend, NoCredit: true}, 1, false},
		{"BIND", port.Event{Kind: port.KindBind}, 1, false},
		{"SAMPLE", port.Event{Kind: port.KindSample, Data: 13000}, 1, false},
		{"READ", port.Event{Kind: port.KindRead}, 1, false},
		{"LOAD", port.Event{Kind: port.KindLoad, Addr: 13}, 1, false},
	} {
		for _, noWindow := range []bool{false, true} {
			for _, credit := range []int32{math.MinInt32, -1, 0, 1, math.MaxInt32} {
				for _, speculating := range []bool{false, true} {
					u := withCredit(noWindow)
					u.st.Credit, u.st.Speculating = credit, speculating
					u.st.Backlog, u.st.RtxBacklog, u.st.WaitingRtx, u.st.InflightPkts = 9000, tc.rtx, 1, 1
					r := u.do(tc.ev)
					want := credit
					if tc.ends && speculating && credit > 0 {
						want = 0
					}
					name := fmt.Sprintf("%s %d %v", tc.name, credit, speculating)
					require.Equal(t, want, u.st.Credit, name)
					require.Equal(t, [2]bool{speculating && !tc.ends, speculating && tc.ends},
						[2]bool{u.st.Speculating, r.SpecEnded}, name)
					require.Equal(t, want > 0, r.CanSend, name)
					require.Equal(t, want <= 0, r.AckRequest, name)
					if k := tc.ev.Kind; k != port.KindRead && k != port.KindLoad {
						require.Equal(t, want > 0, r.State == port.StateReady, name)
						require.Equal(t, want <= 0, r.State == port.StateActive, name)
					}
					require.False(t, r.Granted, name)
				}
			}
		}
	}
	// LOSS asks for rtx_backlog before it adds its own packet, and saturation leaves it above 0.
	u := withCredit(false)
	u.st.Speculating = true
	require.False(t, u.do(port.Event{Kind: port.KindLoss, Size: 1}).SpecEnded)
	require.True(t, u.do(port.Event{Kind: port.KindLoss, Size: 1}).SpecEnded)
	require.False(t, u.do(port.Event{Kind: port.KindLoss, Size: 1}).SpecEnded, "once")
}

func TestPull(t *testing.T) {
	const half = 1 << 23
	for _, tc := range []struct {
		credit     int32
		last, pull uint32
		want       int32
		granted    bool
	}{
		{10000, 100, 100, 10000, false},                                   // repeated
		{10000, 100, 101, 10256, true},                                    //
		{-300, 100, 101, -44, true},                                       //
		{-256, 100, 101, 0, true},                                         // not enough to send
		{10000, 100, 99, 10000, false},                                    // overtaken
		{10000, 1<<24 - 1, 1, 10512, true},                                // wraps: two quanta
		{10000, 1, 1<<24 - 1, 10000, false},                               //
		{224744, 100, 101, 225000, true},                                  // 225000 is the most
		{224745, 100, 101, 225000, true},                                  //
		{225000, 100, 101, 225000, true},                                  // still granted
		{math.MaxInt32, 100, 101, 225000, true},                           // more than the most comes down to it
		{math.MaxInt32, 100, 100, math.MaxInt32, false},                   // but only with a pull that counts
		{math.MinInt32, 100, 100 + half - 1, -256, true},                  // -2^31 + 2^31 - 256
		{math.MinInt32 + 256 + 224999, 100, 100 + half - 1, 224999, true}, //
		{math.MinInt32 + 256 + 225001, 100, 100 + half - 1, 225000, true}, //
		{10000, 100, 100 + half - 1, 225000, true},                        //
		{10000, 100, 100 + half, 10000, false},                            //
		{10000, 100 + half, 100, 10000, false},                            // half the range either way
		{10000, 101 + half, 100, 225000, true},                            // 2^23 - 1 the other way round
	} {
		for _, speculating := range []bool{false, true} {
			u := withCredit(false)
			u.st.Credit, u.st.LastPull, u.st.Backlog = tc.credit, tc.last, 1
			want := tc.want
			if speculating { // the credit comes on top of min(credit, 0)
				u.st.Speculating = true
				if tc.credit > 0 {
					want = 0
					if tc.granted {
						want = int32(min(256*int64((tc.pull-tc.last)&(1<<24-1)), 225000))
					}
				}
			}
			last := tc.last
			if tc.granted {
				last = tc.pull
			}
			r := u.do(port.Event{Kind: port.KindCredit, Ctx: 5, Entropy: 6, Credit: tc.pull})
			name := fmt.Sprintf("%+v %v", tc, speculating)
			require.Equal(t, [3]any{want, last, false}, [3]any{u.st.Credit, u.st.LastPull, u.st.Speculating}, name)
			state := port.StateActive
			if want > 0 {
				state = port.StateReady
			}
			require.Equal(t, port.Response{Kind: port.KindCredit, Ctx: 5, Entropy: 6, State: state, Cwnd: 225000,
				BaseRTT: 12000, CanSend: want > 0, AckRequest: want <= 0, Granted: tc.granted, SpecEnded: speculating},
				r, name)
		}
	}
	// The most follows the registers: max(4096, 1000) and 2^31 - 1.
	for maxWnd, want := range map[uint64]int32{1000: 4096, math.MaxUint32: math.MaxInt32} {
		u := withCredit(false)
		*u.reg(port.RegMaxWnd) = maxWnd
		u.st.Credit = math.MaxInt32 - 10
		u.do(port.Event{Kind: port.KindCredit, Credit: 101})
		require.Equal(t, want, u.st.Credit)
	}
}

// An ACK that carries credit is two events. Sent 3 packets of 4096 on speculation: credit 225000 - 12288 = 212712. The
// ACK voids it; the pull of 64 quanta gives 16384.
func TestAckThenCredit(t *testing.T) {
	u := newUnit()
	*u.reg(port.RegCtrl) = 2
	u.do(port.Event{Kind: port.KindOpen, Profile: profile, Now: t0, Credit: 1<<24 - 4})
	u.do(port.Event{Kind: port.KindNewData, Size: 1 << 20})
	for range 3 {
		require.True(t, u.do(port.Event{Kind: port.KindSend, Size: 4096}).CanSend)
	}
	require.Equal(t, int32(212712), u.st.Credit)
	r := u.do(ackOf(4096, 12000))
	require.Equal(t, [4]any{true, false, port.StateActive, int32(0)}, [4]any{r.SpecEnded, r.CanSend, r.State, u.st.Credit})
	r = u.do(port.Event{Kind: port.KindCredit, Credit: 60})
	require.Equal(t, [4]any{true, true, port.StateReady, int32(16384)}, [4]any{r.Granted, r.CanSend, r.State, u.st.Credit})
	require.Equal(t, uint32(60), u.st.LastPull)
}

// The registers are those of the context's profile: after a LOAD of word 0 those of the profile it loads, also for the
// view of the LOAD.
func TestCreditFollowsTheProfile(t *testing.T) {
	u := withCredit(false)
	u.cfg.sets[2] = u.cfg.sets[profile]
	u.cfg.sets[2][port.RegCtrl] = 0
	u.st.Credit = 0
	require.False(t, u.do(port.Event{Kind: port.KindRead}).CanSend)
	require.True(t, u.do(port.Event{Kind: port.KindLoad, Addr: port.WordProfile, Data: 2 << port.WordProfileLSB}).CanSend)
	require.True(t, u.do(port.Event{Kind: port.KindCredit, Credit: 101}).Refused)
	u.do(port.Event{Kind: port.KindLoad, Addr: port.WordProfile, Data: profile << port.WordProfileLSB})
	require.True(t, u.do(port.Event{Kind: port.KindCredit, Credit: 101, Profile: 2}).Granted)
}

// State word 15: credit in bits 31..0, last_pull in 55..32, speculating in 56.
func TestCreditWord(t *testing.T) {
	u := withCredit(false)
	r := u.do(port.Event{Kind: port.KindLoad, Addr: 15, Data: 0xFFAB_CDEF_FFFF_FFFE})
	require.Equal(t, [3]any{int32(-2), uint32(0xABCDEF), true}, [3]any{u.st.Credit, u.st.LastPull, u.st.Speculating})
	require.Equal(t, [2]bool{false, true}, [2]bool{r.CanSend, r.AckRequest}, "the view sees what was loaded")
	require.Equal(t, uint64(0x01AB_CDEF_FFFF_FFFE), u.do(port.Event{Kind: port.KindRead, Addr: 15}).Data)
	u.do(port.Event{Kind: port.KindLoad, Addr: 15, Data: 0xFE00_0000_7FFF_FFFF})
	require.Equal(t, [3]any{int32(math.MaxInt32), uint32(0), false},
		[3]any{u.st.Credit, u.st.LastPull, u.st.Speculating}, "LOAD does not clamp to the most")
}
