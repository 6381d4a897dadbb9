package ccc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

func TestCaseErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"SEND size=1":                        "line 1: \"SEND\" comes before the first case",
		"case a\nPUSH size=1":                "line 2: \"PUSH\" is neither",
		"case a\n\nSEND colour=1":            "line 3: event field \"colour\": unknown",
		"case a\nSEND size":                  "want field=value",
		"case a\nSEND size=1 -> colour=1":    "response field \"colour\": unknown",
		"case a\nSEND size=1 -> saturated":   "want name=value, +flag or -flag",
		"case a\nwith colour=1":              "state field \"colour\": unknown",
		"case a\nSEND size=1\nwith cwnd=1":   "with must come before the first event",
		"case a\nreg COLOUR=1":               "register \"COLOUR\": unknown",
		"case a\nstate cwnd=1+":              "operand is missing",
		"case a\nSEND size=1\ncase a\nCLOSE": "named twice",
		"case A":                             "lower-case name",
	} {
		_, err := dialect.Parse(nil, "x.txt", text)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "x.txt line")
	}
}

// The wire fields that delta, delay and raw stand for.
func TestDerivedFields(t *testing.T) {
	cs, err := dialect.Parse(nil, "x.txt", `
case a
with base_rtt=500 last_rcvd2=10
reg TIME_SHIFT=1
ACK pdc=2 delta=512 delay=7 service_time=3 now=10000
ACK pdc=2 delta=256 raw=9
NACK raw=9 service_time=3`)
	require.NoError(t, err)
	var ev ccc.Event
	ccc.UnpackEvent(cs[0].Steps[1].Words, &ev)
	require.EqualValues(t, 12, ev.RcvdBytes)
	require.EqualValues(t, 10000-507-6, ev.TxTime)
	ccc.UnpackEvent(cs[0].Steps[2].Words, &ev)
	require.EqualValues(t, 13, ev.RcvdBytes)
	require.EqualValues(t, casefile.Epoch-9-2, ev.TxTime)
	ccc.UnpackEvent(cs[0].Steps[3].Words, &ev)
	require.EqualValues(t, casefile.Epoch-9, ev.TxTime)
	require.EqualValues(t, 3, ev.ServiceTime)
}
