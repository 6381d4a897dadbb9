package fault

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
)

// forBlocks runs a test for each block and skips blocks on which no campaign is possible.
func forBlocks(t *testing.T, test func(*testing.T, string)) {
	for _, block := range block.Blocks() {
		t.Run(block, func(t *testing.T) {
			if err := Ready("../../..", block); err != nil {
				t.Skip(err)
			}
			test(t, block)
		})
	}
}

func TestReady(t *testing.T) {
	require.NoError(t, Ready("../../..", "txstate"))
	require.ErrorIs(t, Ready("../../..", "nothing"), ErrFault)
	require.ErrorContains(t, Ready("../../..", "nothing"), "block nothing has no RTL: no nothing.sv in hdl/rtl")
	require.ErrorContains(t, Ready("../../..", "gw_sweep"), "block gw_sweep has no catalogue of hand-written faults")
}

// TestCatalogApplies checks every hand-written fault against the current RTL.
func TestCatalogApplies(t *testing.T) {
	total := 0
	forBlocks(t, func(t *testing.T, block string) {
		d, err := Load("../../..", block)
		require.NoError(t, err)
		hand, err := d.Catalog()
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(hand), 15)
		total += len(hand)
		for _, f := range hand {
			require.NotEqual(t, f.module.Text, f.Planted(), f.Name)
			again, err := d.Find(f.Name, 0)
			require.NoError(t, err)
			require.Equal(t, f.String(), again.String())
		}
	})
	require.GreaterOrEqual(t, total, 200)
}

// The faults drawn for a block that contains other blocks are not in those blocks; files that both use are included.
func TestDrawStaysOutOfBlocksInside(t *testing.T) {
	d, err := Load("../../..", "switchport")
	require.NoError(t, err)
	files := map[string]bool{}
	for _, f := range d.Draw(1) {
		files[f.File] = true
	}
	for _, in := range []string{"switchport.sv", "switchport_read.sv", "switchport_write.sv", "switchport_slots.sv",
		"gw_credit.sv", "gw_rsp_fifo.sv"} {
		require.True(t, files[in], in)
	}
	for _, out := range []string{"egress.sv", "egress_queue.sv", "trimmer.sv", "intmd.sv", "intmd_table.sv"} {
		require.NotNil(t, d.Module(out))
		require.False(t, files[out], out)
	}
	require.Equal(t, len(d.All()), len(d.Draw(1)))
	alone, err := Load("../../..", "trimmer")
	require.NoError(t, err)
	for _, m := range alone.Modules {
		require.False(t, alone.inner[m.File], m.File)
	}
}

func TestCatalogRefuses(t *testing.T) {
	d := designOf(t, "  logic z;\n  assign z = a_i[0] & a_i[1];\n")
	good := entry{Name: "n", Rule: "r", File: "demo.sv", Find: "a_i[0] & a_i[1]", Replace: "a_i[0] | a_i[1]", Why: "w"}
	f, err := d.apply(good)
	require.NoError(t, err)
	require.Equal(t, "assign z = a_i[0] | a_i[1];", f.After)
	require.Equal(t, "&", d.Modules[0].Text[f.start:f.end], "only what differs is replaced")
	require.True(t, f.guardable())

	for _, c := range []struct {
		change func(*entry)
		want   string
	}{
		{func(e *entry) { e.Find = "a_i[2]" },
			"fault: hand-written fault n: its text occurs 0 times in demo.sv, not once; update the catalogue: a_i[2]"},
		{func(e *entry) { e.Find = "a_i" }, "hand-written fault n: its text occurs 3 times in demo.sv"},
		{func(e *entry) { e.File = "other.sv" }, "hand-written fault n: block demo has no module in other.sv"},
		{func(e *entry) { e.Why = "" }, "lacks one of"},
		{func(e *entry) { e.Replace = e.Find }, "lacks one of"},
	} {
		e := good
		c.change(&e)
		_, err := d.apply(e)
		require.ErrorIs(t, err, ErrFault)
		require.ErrorContains(t, err, c.want)
	}
}

func TestFindRefuses(t *testing.T) {
	d, err := Load("../../..", "txstate")
	require.NoError(t, err)
	for _, id := range []string{"0", "100000", "no-such-fault"} {
		_, err := d.Find(id, 1)
		require.ErrorIs(t, err, ErrFault)
		require.ErrorContains(t, err, id)
	}
	_, err = Load("../../..", "nothing")
	require.ErrorContains(t, err, "module nothing")
}

// TestPlant checks that a planted copy is whole and differs in one file, and that hdl/rtl is not touched.
func TestPlant(t *testing.T) {
	d, err := Load("../../..", "txstate")
	require.NoError(t, err)
	f := d.Draw(1)[0]
	dir := filepath.Join(t.TempDir(), "rtl")
	faulty := d.RTL.Module(f.module.Name)
	before, err := os.ReadFile(filepath.Join(d.RTL.Dir, faulty))
	require.NoError(t, err)
	require.NoError(t, d.Plant(f, dir))
	planted, err := launch.ReadRTL(dir)
	require.NoError(t, err)
	require.Equal(t, d.RTL.Files, planted.Files)
	for _, x := range d.RTL.Files {
		want, err := os.ReadFile(filepath.Join(d.RTL.Dir, x))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, x))
		require.NoError(t, err)
		if x == faulty {
			require.Equal(t, before, want)
			require.NotEqual(t, string(want), string(got))
		} else {
			require.Equal(t, string(want), string(got))
		}
	}
	require.ErrorContains(t, d.Plant(f, dir), "is not empty")
}

func TestSurvivors(t *testing.T) {
	const one = "- {block: demo, file: demo.sv, operator: relation, before: 'a < b', after: 'a <= b', why: w}\n"
	b, err := readSurvivors([]byte(one), "demo")
	require.NoError(t, err)
	require.Equal(t, "w", b.arguments[key{"demo.sv", "relation", "a < b", "a <= b"}])
	require.Empty(t, b.stale([]*Fault{{File: "demo.sv", Operator: "relation", Before: "a < b", After: "a <= b"}}))
	require.Equal(t, []string{"demo.sv relation: a < b -> a <= b"},
		b.stale([]*Fault{{File: "demo.sv", Operator: "relation", Before: "a < c", After: "a <= c"}}))

	other, err := readSurvivors([]byte(one), "ccc")
	require.NoError(t, err)
	require.Empty(t, other.arguments)

	_, err = readSurvivors([]byte(one+one), "demo")
	require.ErrorContains(t, err, "appears twice")
	_, err = readSurvivors([]byte("- {block: demo, file: f, operator: o, before: b, after: a}\n"), "demo")
	require.ErrorContains(t, err, "entry 1 (f b) lacks one of")
	_, err = readSurvivors([]byte("- {blok: demo}\n"), "demo")
	require.ErrorContains(t, err, "survivors.yaml")
}

// TestSurvivorsAreKnown checks that every argument still names a fault that the generator produces.
func TestSurvivorsAreKnown(t *testing.T) {
	forBlocks(t, func(t *testing.T, block string) {
		d, err := Load("../../..", block)
		require.NoError(t, err)
		b, err := LoadSurvivors(block)
		require.NoError(t, err)
		require.Empty(t, b.stale(d.All()))
	})
}
