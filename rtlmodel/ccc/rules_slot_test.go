package ccc

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// unitOf returns a newUnit with the given number of slots; slot i holds 77 + i.
func unitOf(slots int) *unit {
	u := newUnit()
	u.cfg.numPdcs = uint8(slots)
	for i := range slots {
		u.st.LastRcvd[i] = 77 + uint32(i)
	}
	return u
}

// requireSlots fails unless slot i holds 77 + i in all slots but one.
func (u *unit) requireSlots(t *testing.T, but uint8, want uint32) {
	for i := range u.cfg.numPdcs {
		if i == but {
			require.Equal(t, want, u.st.LastRcvd[i], "slot %d", i)
		} else {
			require.Equal(t, 77+uint32(i), u.st.LastRcvd[i], "slot %d is a neighbour", i)
		}
	}
	for i := int(u.cfg.numPdcs); i < 16; i++ {
		require.Zero(t, u.st.LastRcvd[i], "slot %d does not exist", i)
	}
}

func TestBindLeavesNeighboursAndWindow(t *testing.T) {
	for _, slots := range []int{1, 4, 16} {
		for pdc := range uint8(slots) { // the last one too
			u := unitOf(slots)
			u.st.Inflight, u.st.InflightPkts, u.st.AvgDelay, u.st.SavedCwnd = 1000, 1, 9<<16, 5000
			want := u.st
			want.LastRcvd[pdc] = 0xABCDEF
			want.Inflight = 1255
			want.CccState = port.StatePending
			r := u.do(port.Event{Kind: port.KindBind, PDC: pdc, RcvdBytes: 0xABCDEF, Size: 255, Now: t0 + 5, Entropy: 8})
			require.Equal(t, want, u.st)
			u.requireSlots(t, pdc, 0xABCDEF)
			require.Equal(t, port.Response{Kind: port.KindBind, Entropy: 8, State: port.StatePending, Cwnd: 225000,
				Inflight: 1255, BaseRTT: 12000, AvgDelay: 9 << 16, CanSend: true}, r)
		}
	}
}

// A PDC that sent 1000 bytes, all acknowledged, has rcvd_bytes 4, which subtracted 1024 from inflight: -24. BIND with
// size 24 corrects it, and the ACKs of the new PDC count from 0.
func TestBindStartsANewPDC(t *testing.T) {
	u := newUnit()
	u.do(port.Event{Kind: port.KindSend, Size: 1000})
	r := u.do(port.Event{Kind: port.KindAck, PDC: 3, RcvdBytes: 4, AckedPkts: 1})
	require.Equal(t, int32(-24), r.Inflight)

	// Without BIND the new PDC's first ACK is 3 units behind the last ACK of the previous PDC, so it is stale.
	other := *u
	require.True(t, other.do(port.Event{Kind: port.KindAck, PDC: 3, RcvdBytes: 1}).Stale)

	r = u.do(port.Event{Kind: port.KindBind, PDC: 3, Size: 24})
	require.Equal(t, int32(0), r.Inflight)
	r = u.do(port.Event{Kind: port.KindAck, PDC: 3, RcvdBytes: 1})
	require.False(t, r.Stale)
	require.Equal(t, int32(-256), r.Inflight)
}

func TestBindStartsFromAGivenNumber(t *testing.T) {
	u := newUnit()
	u.do(port.Event{Kind: port.KindBind, PDC: 1, RcvdBytes: 1<<24 - 2})
	r := u.do(port.Event{Kind: port.KindAck, PDC: 1, RcvdBytes: 3}) // 5 units later, past the wrap
	require.Equal(t, [2]any{false, int32(-1280)}, [2]any{r.Stale, r.Inflight})
}

func TestBindSaturatesInflightAndUpdatesState(t *testing.T) {
	for _, over := range []int32{0, 1} {
		u := newUnit()
		u.st.Inflight = math.MaxInt32 - 255 + over
		r := u.do(port.Event{Kind: port.KindBind, Size: 255})
		require.Equal(t, [2]any{int32(math.MaxInt32), over == 1}, [2]any{r.Inflight, r.Saturated})
	}
	u := newUnit() // size has all 32 bits: -2^31 + 2^32 - 1 = 2^31 - 1
	u.st.Inflight = math.MinInt32
	r := u.do(port.Event{Kind: port.KindBind, Size: math.MaxUint32})
	require.Equal(t, [2]any{int32(math.MaxInt32), false}, [2]any{r.Inflight, r.Saturated})

	u = newUnit() // 220905 + 4096 = 225001 > 225000
	u.st.Backlog, u.st.Inflight, u.st.CccState = 1, 220904, port.StateReady
	require.Equal(t, port.StateReady, u.do(port.Event{Kind: port.KindBind}).State)
	require.Equal(t, port.StateActive, u.do(port.Event{Kind: port.KindBind, Size: 1}).State)
}

func TestLoadReadOfASlot(t *testing.T) {
	for _, slots := range []int{1, 2, 16} {
		for pdc := range uint8(slots) {
			u := unitOf(slots)
			r := u.do(port.Event{Kind: port.KindRead, Addr: 14, PDC: pdc})
			require.Equal(t, 77+uint64(pdc), r.Data)
			u.do(port.Event{Kind: port.KindLoad, Addr: 14, PDC: pdc, Data: 0xFFFF_FFFF_FF12_3456})
			u.requireSlots(t, pdc, 0x123456)
			require.Equal(t, uint64(0x123456), u.do(port.Event{Kind: port.KindRead, Addr: 14, PDC: pdc}).Data)
		}
	}
}

func TestRefusedSlot(t *testing.T) {
	for _, slots := range []int{1, 4, 15, 16} {
		for pdc := range uint8(16) {
			for _, ev := range []port.Event{
				{Kind: port.KindAck, RcvdBytes: 9, M: true, Pend: 3}, {Kind: port.KindBind, RcvdBytes: 9, Size: 9},
				{Kind: port.KindLoad, Addr: 14, Data: 5}, {Kind: port.KindRead, Addr: 14},
			} {
				u := unitOf(slots)
				*u.reg(port.RegMTU) = 65535 // above u.st.Cwnd, yet no floor: nothing changes
				u.st.Cwnd = 5000
				before := *u
				ev.PDC, ev.Entropy, ev.Ctx = pdc, 6, 1
				r := u.do(ev)
				name := fmt.Sprintf("%s pdc %d of %d", ev.Kind, pdc, slots)
				if int(pdc) < slots {
					require.False(t, r.Refused, name)
					continue
				}
				want := echo(ev)
				want.Refused = true
				require.Equal(t, want, r, name)
				require.Equal(t, before, *u, name)
			}
		}
	}
	u := unitOf(1) // no other event looks at pdc
	for _, ev := range []port.Event{
		{Kind: port.KindNewData}, {Kind: port.KindSend}, {Kind: port.KindNack}, {Kind: port.KindLoss},
		{Kind: port.KindSample}, {Kind: port.KindLoad, Addr: 13}, {Kind: port.KindRead, Addr: 13},
	} {
		ev.PDC = 15
		require.False(t, u.do(ev).Refused, "%s", ev.Kind)
	}
	require.True(t, u.do(port.Event{Kind: port.KindRead, Addr: 16}).Refused)
}

func TestSample(t *testing.T) {
	const hi = uint64(1) << 63
	for _, tc := range []struct {
		data        uint64
		valid, fell bool
		base, wnd   uint32
	}{
		{0, false, false, 12000, 225000},
		{1, true, true, 1, 4096},            // 18.75, raised to MTU
		{11999, true, true, 11999, 224981},  // 18.75 * 11999 = 224981.25
		{12000, true, false, 12000, 225000}, // base
		{12001, true, false, 12000, 225000}, // above
		{1<<31 - 1, true, false, 12000, 225000},
		{1 << 31, false, false, 12000, 225000},
		{1 << 32, false, false, 12000, 225000},
		{1<<32 + 1, false, false, 12000, 225000}, // all 64 bits count
		{1<<48 + 11999, false, false, 12000, 225000},
		{hi + 11999, false, false, 12000, 225000},
		{math.MaxUint64, false, false, 12000, 225000},
	} {
		t.Run(fmt.Sprintf("%#x", tc.data), func(t *testing.T) {
			u := newUnit()
			// A window that is over, and a state on which quick adapt would act: SAMPLE ignores both.
			u.st.QAEndtime, u.st.TriggerQA, u.st.AvgDelay, u.st.IncBytes = t0, true, 7<<16, 1<<30
			u.st.ReceivedBytes, u.st.InflightPkts, u.st.Inflight = 1<<20, 2, 500
			want := u.st
			want.BaseRTT, want.MaxWnd, want.CccState = tc.base, tc.wnd, port.StatePending
			// tx_valid and the other fields of an RTT sample have no effect.
			r := u.do(port.Event{Kind: port.KindSample, Now: t0 + 1<<20, Data: tc.data,
				PDC: 15, RtxCount: 2, M: true, Entropy: 3})
			require.Equal(t, want, u.st)
			require.Equal(t, port.Response{Kind: port.KindSample, Entropy: 3, State: port.StatePending, Cwnd: 225000,
				Inflight: 500, BaseRTT: tc.base, AvgDelay: 7 << 16, CanSend: true, RTTValid: tc.valid, BaseFell: tc.fell}, r)
		})
	}
}
