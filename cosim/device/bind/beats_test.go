package bind

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// packetBlocks knows the blocks with packets, too.
func packetBlocks(block string) (*event.Block, error) {
	switch block {
	case trimmer.BlockName:
		return trimmer.Schema(), nil
	case switchport.BlockName:
		return switchport.Schema(), nil
	}
	return lookup(block)
}

const kite = "../../../hdl/examples/trimmer_256/dut.yaml"

// What a dut.yaml may not say about beats: one error each, with its line, its cause and what to do.
func TestBeatsMistakes(t *testing.T) {
	text, err := os.ReadFile(kite)
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{"latency: elastic", "latency: exact", "dut.yaml:9: beats: a bus of another width needs other cycles, so that its " +
			"packets are compared, and not its cycles; give latency: elastic"},
		{"{width: 256}", "{width: 96}", "dut.yaml:9: beats: width 96: the design's bus has 64, 128, 256, 512 or 1024 bits"},
		{"{width: 256}", "{width: 2048}", "beats: width 2048"},
		{"{width: 256}", "{width: 256.5}", "dut.yaml:9: 256.5 is not a whole number"},
		{"{width: 256}", "{}", "dut.yaml:9: beats: width 0"},
		{"{width: 256}", "256", "dut.yaml:9: keys with values are required here: {width: BITS}"},
		{"{width: 256}", "{bits: 256}", `dut.yaml:9: unknown key "bits"`},
		{"block: trimmer", "block: txstate", "dut.yaml:9: beats: block txstate has no stream of packets"},
		{"block: trimmer", "block: switchport", "dut.yaml:9: beats: the answers of block switchport depend on the " +
			"cycles in which its streams meet"},
		{"tx.keep: m_axis_tkeep", "tx.keep: none", "tx.keep: beats are cut by it, so it comes from the design"},
		{"tx.last: m_axis_tlast", "tx.last: 1", "tx.last: beats are cut by it, so it comes from the design"},
		{"tx_valid: m_axis_tvalid", "tx_valid: on change", "tx_valid: on change: where beats are cut anew"},
	} {
		require.Equal(t, 1, strings.Count(string(text), c.old), c.old)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "kite_trim.sv"), nil, 0o644))
		file := filepath.Join(dir, "dut.yaml")
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
		_, err := Load(file, packetBlocks)
		require.ErrorContains(t, err, c.want, c.new)
	}
	// A wider bus than the block's cannot go on without a ready.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kite_trim.sv"), nil, 0o644))
	file := filepath.Join(dir, "dut.yaml")
	require.NoError(t, os.WriteFile(file, []byte(strings.NewReplacer("{width: 256}", "{width: 1024}",
		"tx_ready: m_axis_tready", "tx_ready: none").Replace(string(text))), 0o644))
	_, err = Load(file, packetBlocks)
	require.ErrorContains(t, err, "tx_ready: a beat of 1024 bits is 2 of the block's, for which the design has to wait")
}

// The map names the design's own width, and dut init finds it.
func TestBeatsOfTheDesign(t *testing.T) {
	ctx := simulator(t)
	b, m, err := CheckFile(ctx, kite, packetBlocks)
	require.NoError(t, err)
	require.Equal(t, 256, m.Port("s_axis_tdata").Width)
	f, err := b.Foreign(ctx)
	require.NoError(t, err)
	for _, line := range []string{"logic [255:0] e_rx_data;", "assign p_s_axis_tkeep[31:0] = e_rx_keep[31:0];",
		"goldwire_cut #(.A(512), .B(256), .S(60))", "goldwire_join #(.A(256), .B(512), .LAST(1)", "goldwire_turns #(.N(2)",
		"module goldwire_fold"} {
		require.Contains(t, f.Adapter, line)
	}
	file := filepath.Join(filepath.Dir(kite), "kite_trim.sv")
	text, err := Init(ctx, InitSpec{File: file, Blocks: []*event.Block{trimmer.Schema()}})
	require.NoError(t, err)
	require.Contains(t, string(text), "beats: {width: 256}  # packets are cut anew at the edge: the block has 512 bits")
	require.Contains(t, string(text), "latency: elastic")
	require.Contains(t, string(text), "  rx.data: s_axis_tdata\n")
	require.Contains(t, string(text), "  tx.keep: m_axis_tkeep\n")

	// With the width of another design the difference is an error, as it would be of any port.
	wrong := *b
	wrong.Beats = 128
	_, ps := wrong.wire(m)
	require.ErrorContains(t, ps.err(), "rx.data is 128 wide and s_axis_tdata 256")
}
