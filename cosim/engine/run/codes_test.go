package run_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// The kinds of nic's notes are txpdc's actions: both sides copy them without a translation.
func TestNotesAreActions(t *testing.T) {
	want, got := port.Schema().Enum("action").Values, nic.Schema().Enum("act").Values
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, [2]any{want[i].Name, want[i].Value}, [2]any{got[i].Name, got[i].Value})
	}
}

// The NACK codes for which txpdc stops a PDC are those that its contract names, as packets number them.
func TestCodesThatStopAPDC(t *testing.T) {
	stop := []string{"INV_DPDCID", "PDC_HDR_MISMATCH", "CLOSING", "CLOSING_IN_ERR", "INVALID_SYN", "PDC_MODE_MISMATCH",
		"NEW_START_PSN"}
	stopped := 0
	for code := range 256 {
		s := txpdc.NewSource(txpdc.DefaultSpec())
		var rsp port.Response
		var act port.Act
		for addr, data := range []uint32{port.WordValid: 1, port.WordOutstanding: 1} {
			s.Command(&port.Cmd{Kind: port.KindLoad, Addr: uint8(addr), Data: data}, 0, &rsp, &act)
		}
		require.True(t, s.Record(&port.Rec{PdsType: port.PdsTypeNack, Dpdcid: 1, NackCode: uint8(code)}, 0, &act))
		name := uet.NackCode(code).String()
		if slices.Contains(stop, name) {
			stopped++
			require.Equal(t, port.ActionStopped, act.Kind, name)
		} else {
			require.Equal(t, port.ActionNacked, act.Kind, name)
		}
	}
	require.Equal(t, len(stop), stopped)
}
