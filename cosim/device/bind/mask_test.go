package bind

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A field that decides what is compared of others cannot be left out of the design, and a tie may be hexadecimal.
func TestMaskNeedsItsField(t *testing.T) {
	const example = "../../../hdl/examples/stream/"
	text, err := os.ReadFile(example + "old.yaml")
	require.NoError(t, err)
	load := func(edits ...string) error {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(example)))
		require.NoError(t, os.WriteFile(dir+"/dut.yaml", []byte(strings.NewReplacer(edits...).Replace(string(text))), 0o644))
		_, err := Load(dir+"/dut.yaml", lookup)
		return err
	}
	require.NoError(t, load("tx.sum: m_axis_tuser", "tx.sum: none\ntie: {mode: 0x1f}"))
	require.ErrorContains(t, load("m_axis_tkeep", "none"), "dut.yaml:16: tx.keep: the mask of data depends on it, so "+
		"it cannot be none")
	require.NoError(t, load("latency: elastic", "latency: elastic\norder: tag\nkey: keep"))
	require.ErrorContains(t, load("latency: elastic", "latency: elastic\norder: tag\nkey: data"),
		"key data: the schema gives it a mask")
	require.ErrorContains(t, load("m_axis_tlast", "none"), "dut.yaml:17: tx.last: the mask of sum depends on it, so it "+
		"cannot be none")
}
