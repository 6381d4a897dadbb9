package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Differing bytes are printed in lines of sixteen, only lines that differ, below the table of numbers.
func TestMismatchShowsBytesInWireOrder(t *testing.T) {
	want := "0200000000000202_0000000001080045_0042003200014000_4011267600000000"
	got := strings.Replace(want, "2676", "2677", 1)
	m := sampleMismatch()
	m.Fields = []Field{{Name: "tx_last", Want: "1", Got: "0", DiffLSB: "-1"},
		{Name: "tx_data", Want: want, Got: got, Byte: "byte 27: want 76, got 77"}}
	for i := range m.Window {
		m.Window[i].Want = append(m.Window[i].Want, Named{"tx_data", want + want})
		m.Window[i].Got = append(m.Window[i].Got, Named{"tx_data", want + want})
	}
	m.Window[4].Got[6].Value = want + got
	var b strings.Builder
	mismatchText(&b, m)
	require.Contains(t, b.String(), `
    field    want (model)  got (rtl)  difference in LSB
    tx_last             1          0                 -1
    tx_data in wire order: byte 27: want 76, got 77
       16  want 00 42 00 32 00 01 40 00 40 11 26 76 00 00 00 00
           got  00 42 00 32 00 01 40 00 40 11 26 77 00 00 00 00
`)
	require.NotContains(t, b.String(), want, "a column as wide as a beat")
	require.Equal(t, 1, strings.Count(b.String(), "[59] 76 / 77"), b.String())
	m.Fields = m.Fields[1:]
	m.Event, m.Place, m.Fields[0].Offset = "", "beat 2 of packet 7 at tx", 128
	b.Reset()
	mismatchText(&b, m)
	require.NotContains(t, b.String(), "want (model)")
	require.Contains(t, b.String(),
		"    tx_data differs, in an output that is not the response to one event\n"+
			"    place  beat 2 of packet 7 at tx\n")
	require.Contains(t, b.String(), "      144  want 00 42 00 32")
	for text, names := range map[string][]string{
		"a handshake differs, not the response to an event":                          {"tx_valid", "rx_ready"},
		"an assertion of the RTL failed":                                             {"assertion"},
		"tx_keep, tx_data differ, in outputs that are not the response to one event": {"tx_valid", "tx_keep", "tx_data"},
	} {
		var m Mismatch
		for _, n := range names {
			m.Fields = append(m.Fields, Field{Name: n})
		}
		require.Equal(t, text, m.Unanswered())
	}
	require.True(t, zero("0x0"))
	require.True(t, zero("0000000000000000_0000000000000000"))
	require.False(t, zero("0000000000000000_0000000000000001"))
}
