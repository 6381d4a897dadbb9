package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

func TestTarget(t *testing.T) {
	type state struct {
		backlog uint64 // before the SEND of size bytes
		rtx     uint32
		credit  int32
		cwnd    uint32
	}
	for _, tc := range []struct {
		name     string
		state    state
		ev       port.Event
		spec     bool
		noWindow bool
		lastPull uint32
		want     uint32
	}{
		// 50000 - 4096 + 600 left; credit 10000 - 4096 = 5904 left; 40600 bytes are 158.6 quanta.
		{name: "what is left to send less the credit left", state: state{50000, 600, 10000, 225000},
			ev: port.Event{Size: 4096}, lastPull: 100, want: 259},
		// The same with a resent packet of 600: 50000 + 0 - (10000 - 600) = 40600.
		{name: "resent", state: state{50000, 600, 10000, 225000}, ev: port.Event{Size: 600, IsRtx: true},
			lastPull: 100, want: 259},
		// A request takes no credit: 50000 - 4096 + 600 - 10000 = 36504, 142.6 quanta.
		{name: "request", state: state{50000, 600, 10000, 225000}, ev: port.Event{Size: 4096, NoCredit: true},
			lastPull: 100, want: 243},
		{name: "a whole quantum", state: state{1280, 0, 1024, 225000}, lastPull: 100, want: 101},
		{name: "a byte more", state: state{1281, 0, 1024, 225000}, lastPull: 100, want: 102},
		{name: "a byte less", state: state{1279, 0, 1024, 225000}, lastPull: 100, want: 101},
		{name: "nothing wanted", state: state{1024, 0, 1024, 225000}, lastPull: 100, want: 100},
		// -1 gives floor(254 / 256) = 0 quanta, -255 floor(0 / 256) = 0, -256 floor(-1 / 256) = -1.
		{name: "a byte too much credit", state: state{1023, 0, 1024, 225000}, lastPull: 100, want: 100},
		{name: "255 bytes too much", state: state{1024, 0, 1279, 225000}, lastPull: 100, want: 100},
		{name: "256 bytes too much", state: state{1024, 0, 1280, 225000}, lastPull: 100, want: 99},
		{name: "257 bytes too much", state: state{1024, 0, 1281, 225000}, lastPull: 100, want: 99},
		{name: "wraps upwards", state: state{2560, 0, 0, 225000}, lastPull: 1<<24 - 3, want: 7},
		{name: "wraps downwards", state: state{0, 0, 2560, 225000}, lastPull: 3, want: 1<<24 - 7},
		// The window: 20000 + 4096 = 24096, 94.1 quanta. At 24096 bytes left it does not matter, at 24097 it does.
		{name: "window", state: state{1 << 40, 5, 0, 20000}, want: 95},
		{name: "window and credit", state: state{1 << 40, 5, -160, 20000}, want: 95}, // 24256: 94.75
		{name: "at the window", state: state{24064, 0, 0, 19968}, want: 94},          // 19968 + 4096 = 24064 = 94 * 256
		{name: "past the window", state: state{24065, 0, 0, 19968}, want: 94},
		{name: "no window", state: state{24065, 0, 0, 19968}, noWindow: true, want: 95},
		// The most: 225000 bytes are 878.9 quanta, 2^31 - 1 bytes 2^23.
		{name: "most", state: state{1 << 47, math.MaxUint32, 0, math.MaxUint32}, want: 879},
		{name: "most, no window", state: state{1 << 47, math.MaxUint32, 0, 4096}, noWindow: true, want: 879},
		// Both extremes: 0 - (2^31 - 1) gives floor(-2147483392 / 256) = -2^23 + 1; 225000 + 2^31 gives 2^23 + 879.
		{name: "largest credit", state: state{0, 0, math.MaxInt32, 4096}, want: 1<<23 + 1},
		{name: "least credit", state: state{1 << 47, 0, math.MinInt32, math.MaxUint32}, want: 1<<23 + 879},
		// Speculation: the context asks for at least an MTU, 16 quanta, while there is new data left.
		{name: "speculating", state: state{1, 0, 225000, 225000}, spec: true, lastPull: 100, want: 116},
		{name: "speculating, more wanted", state: state{4097, 0, 0, 225000}, spec: true, lastPull: 100, want: 117},
		{name: "speculating, as much wanted", state: state{4096, 0, 0, 225000}, spec: true, lastPull: 100, want: 116},
		{name: "speculating, the last packet", state: state{100, 0, 356, 225000}, spec: true, lastPull: 100,
			ev: port.Event{Size: 100}, want: 99}, // 0 - 256
		{name: "speculating, only to resend", state: state{0, 100, 356, 225000}, spec: true, lastPull: 100, want: 99},
		// Share: 40600 wanted as above. 1/2: 20300, 79.3; 1/65536: 0.6; 65535/65536: 40599.4, 158.6.
		{name: "half", state: state{40600, 0, 0, 225000}, ev: port.Event{Share: 1 << 15}, want: 80},
		{name: "least share", state: state{40600, 0, 0, 225000}, ev: port.Event{Share: 1}, want: 0},
		{name: "least share of 2^16", state: state{65536, 0, 0, 225000}, ev: port.Event{Share: 1}, want: 1},
		{name: "most of it", state: state{40600, 0, 0, 225000}, ev: port.Event{Share: 65535}, want: 159},
		// 256 * 65535 / 65536 = 255.996, floored to 255; 257 * 65535 / 65536 = 256.996, floored to 256.
		{name: "floored", state: state{257, 0, 0, 225000}, ev: port.Event{Share: 65535}, want: 1},
		{name: "not floored to less", state: state{258, 0, 0, 225000}, ev: port.Event{Share: 65535}, want: 2},
		// -1 * 1 / 65536 floors to -1, which is no quantum; -511 / 2 floors to -256, which is one; -510 / 2 is -255.
		{name: "negative, least share", state: state{0, 0, 1, 225000}, ev: port.Event{Share: 1}, lastPull: 100, want: 100},
		{name: "negative, half", state: state{0, 0, 511, 225000}, ev: port.Event{Share: 1 << 15}, lastPull: 100, want: 99},
		{name: "negative, less", state: state{0, 0, 510, 225000}, ev: port.Event{Share: 1 << 15}, lastPull: 100, want: 100},
		// The share comes after the minimum of speculation: 4096 / 4 is four quanta.
		{name: "share of the minimum", state: state{1, 0, 225000, 225000}, spec: true, ev: port.Event{Share: 1 << 14},
			lastPull: 100, want: 104},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := withCredit(tc.noWindow)
			s := tc.state
			u.st.Backlog, u.st.RtxBacklog, u.st.Credit, u.st.Cwnd = s.backlog, s.rtx, s.credit, s.cwnd
			u.st.WaitingRtx, u.st.LastPull, u.st.Speculating = 1, tc.lastPull, tc.spec
			ev := tc.ev
			ev.Kind, ev.Credit = port.KindSend, 12345
			r := u.do(ev)
			require.Equal(t, tc.want, r.Target)
			require.Equal(t, tc.lastPull, u.st.LastPull)
		})
	}
}

// Only SEND answers with a target.
func TestOnlySendHasATarget(t *testing.T) {
	for _, k := range append([]port.Kind{port.KindOpen, port.KindClose}, onContext...) {
		u := withCredit(false)
		u.st.Backlog = 1 << 20
		r := u.do(port.Event{Kind: k, Profile: profile, Now: t0, Size: 1, Credit: 500})
		require.Equal(t, k == port.KindSend, r.Target != 0, "%s", k)
	}
}
