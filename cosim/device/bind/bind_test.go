package bind

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// lookup knows the blocks that the tests bind.
func lookup(block string) (*event.Block, error) {
	switch block {
	case ccc.BlockName:
		return ccc.Schema(), nil
	case egress.BlockName:
		return egress.Schema(), nil
	case txstate.BlockName:
		return txstate.Schema(), nil
	}
	return nil, os.ErrNotExist
}

func simulator(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	t.Cleanup(cancel)
	if _, err := launch.FindVerilator(ctx); err != nil {
		t.Skipf("no Verilator: %v", err)
	}
	return ctx
}

func TestRenamedDesignBinds(t *testing.T) {
	ctx := simulator(t)
	b, err := Load(filepath.Join("testdata", "renamed", "dut.yaml"), lookup)
	require.NoError(t, err)
	m, err := b.Elaborate(ctx)
	require.NoError(t, err)
	_, ps := b.wire(m)
	require.NoError(t, ps.err())
	require.Equal(t, 130, m.Port("res").Width)
	require.Equal(t, []Member{{"window", 98, 32, nil}, {"flying", 66, 32, nil}, {"average", 18, 48, nil},
		{"flags", 0, 18, nil}}, m.Port("res").Members)
	require.Equal(t, Port{Name: "bytes256", Dir: "in", Width: 32, Left: 0, Right: 31, Type: "logic [0:31]",
		Line: "testdata/renamed/nic_cc.sv:23"}, *m.Port("bytes256"))
	require.Contains(t, m.Params, "Flows")

	f, err := b.Foreign(ctx)
	require.NoError(t, err)
	require.Contains(t, f.Adapter, "assign p_areset = ~rst_ni;")
	require.Contains(t, f.Adapter, "assign p_req_n = ~ev_valid_i;")
	require.Contains(t, f.Adapter, "assign p_stamp_hi[15:0] = ev_now_i[47:32];")
	require.Contains(t, f.Adapter, "assign p_bytes256[25:25] = ev_is_rtx_i;")
	require.Contains(t, f.Adapter, "assign p_bytes256[31:26] = 6'h0;")
	require.Contains(t, f.Adapter, "assign rsp_cwnd_o = {p_res[129:98]};")
}
