package cc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
)

// TestHtsimCountsBytes: a flow whose last packets end on no multiple of 256 bytes has
// nothing in flight when all has arrived, across the wrap of the count too. Rounded
// bytes would leave it below zero, and a quick adapt then makes the flow ignore every
// mark for ever.
func TestHtsimCountsBytes(t *testing.T) {
	made, err := HtsimNSCC(nil)(Config{
		LinkGbps: 100, BaseRTT: 12 * units.Microsecond, MTU: 4150, HeaderBytes: 64, AckTrigger: 16 << 10, Trim: true,
		QAGate: -1,
	})
	require.NoError(t, err)
	h := made.(*htsimCC)
	h.Step(&Event{Kind: KindOpen})
	rcvd, now := uint32(1<<32-3*4150), units.Picos(0)
	h.last[0] = rcvd
	for range 10 {
		now += 12 * units.Microsecond
		require.Equal(t, int64(4150), h.Step(&Event{Time: now, Kind: KindSend, Size: 4150}).Inflight)
		rcvd += 4150
		out := h.Step(&Event{Time: now, Kind: KindAck, RcvdBytes: RcvdUnits(rcvd), RcvdExact: rcvd})
		require.Zero(t, out.Inflight)
	}
	old := h.Step(&Event{Time: now, Kind: KindAck, RcvdExact: rcvd - 4150})
	require.Zero(t, old.Inflight, "an overtaken ACK counts nothing")

	// Four packets are trimmed, and their NACKs end the window of quick adapt.
	for range 4 {
		h.Step(&Event{Time: now, Kind: KindSend, Size: 4150})
	}
	now += 100 * units.Microsecond
	require.Equal(t, "QA", h.Step(&Event{Time: now, Kind: KindNack, Size: 4150, Reason: ReasonTrimmed, M: true}).Action)
	require.Equal(t, int64(4*4150), h.st.BytesToIgnore, "what was in flight")
	for range 3 {
		h.Step(&Event{Time: now, Kind: KindNack, Size: 4150, Reason: ReasonTrimmed, M: true})
	}
	now += 100 * units.Microsecond
	h.st.BytesToIgnore = 0
	h.st.TriggerQA = true
	require.Equal(t, "QA", h.Step(&Event{Time: now, Kind: KindAck, RcvdExact: rcvd, M: true}).Action)
	require.Zero(t, h.st.BytesToIgnore, "nothing is in flight")
}
