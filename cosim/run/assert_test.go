package run

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The switch port's assertions see a packet that leaves the trimmer with another length than was booked, also where no
// output shows it: behind the trimmer nothing depends on a length that is too great.
func TestSwitchAssertionsSeeBookedLength(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../hdl/rtl")))
	path := filepath.Join(dir, "switchport/switchport_read.sv")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	find := []byte("deqr_i.ce, length,\n                 deqr_i.len, in_port")
	require.Equal(t, 1, bytes.Count(text, find))
	text = bytes.Replace(text, find, []byte("deqr_i.ce, length,\n                 length, in_port"), 1)
	require.NoError(t, os.WriteFile(path, text, 0o644))
	res, err := Run(t.Context(), Config{Root: "../..", Block: "switchport", Source: "directed", Case: "booked/size/ipv4",
		Seed:     1,
		NoShrink: true, RTLDir: dir, Assert: true})
	require.NoError(t, err)
	require.NotNil(t, res.FirstMismatch)
	require.Len(t, res.FirstMismatch.Fields, 1)
	require.Contains(t, res.FirstMismatch.Fields[0].Got, "a packet leaves the trimmer with another length than was booked")
}
