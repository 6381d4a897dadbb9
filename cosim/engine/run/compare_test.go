package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// recordFile writes the answers of a configuration's design to a file.
func recordFile(t *testing.T, cfg Config, file string) format.Totals {
	t.Helper()
	f, err := os.Create(file)
	require.NoError(t, err)
	totals, err := Record(t.Context(), cfg, record.Spec{Per: format.PerTransaction}, f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return totals
}

// A file made with another mask is refused with both compare hashes: bits that its masks hid would be compared, or bits
// that the design's masks hide would not. The same holds for a saved case.
func TestExpectRefusesAnotherMask(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cfg := bound(t, examples, "stream/old.yaml")
	cfg.Events = 400
	file, saved := filepath.Join(dir, "f.gwv"), filepath.Join(dir, "case.json")
	recordFile(t, cfg, file)
	expect := func(edit func(tx *bind.Binding)) (*report.Result, error) {
		_, x := bound(t, examples, "stream/new.yaml")
		x.Source, x.Expect = "file", file
		edit(x.Bind)
		return Run(ctx, x)
	}
	res, err := expect(func(*bind.Binding) {})
	require.NoError(t, err)
	require.Equal(t, report.Pass, res.Verdict(), res.Reason())

	ours := cfg.Bind.Block.CompareHash()
	for _, when := range []string{"", "last == 1 && keep == 15"} {
		var theirs string
		res, err = expect(func(b *bind.Binding) {
			b.Block.Stream("tx").Field("sum").When = when
			theirs = b.Block.CompareHash()
		})
		require.Nil(t, res)
		require.ErrorContains(t, err, file+": it has the compare hash "+ours+", and ")
		require.ErrorContains(t, err, theirs+": field tx.sum is compared when last == 1, and ")
	}

	c := SavedCase{Block: cfg.Bind.Block.Name, Schema: cfg.Bind.Block.Hash(), Compare: ours}
	require.NoError(t, c.fits(cfg.Bind.Block, nil))
	cfg.Bind.Block.Stream("tx").Field("sum").When = ""
	require.ErrorContains(t, c.fits(cfg.Bind.Block, nil),
		"compare hash "+ours+", and the schema of block "+c.Block+" has "+cfg.Bind.Block.CompareHash())

	// The case that a run saves contains the hash.
	_, again := bound(t, examples, "stream/new.yaml")
	again.Against, again.Events, again.SaveCase = other(t, examples, "stream/old.yaml"), 800, saved
	again.Bind.Block.Stream("tx").Field("sum").When, again.Against.Block.Stream("tx").Field("sum").When = "", ""
	res, err = Run(ctx, again)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	kept, err := ReadCase(saved)
	require.NoError(t, err)
	require.Equal(t, again.Bind.Block.CompareHash(), kept.Compare)
}

// What the dut.yaml of the recorded design left open is in the file, and in the report of every run with it.
func TestExpectReportsWhatTheFileLeavesOpen(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f.gwv")
	ctx, cfg := bound(t, examples, "old_new/old.yaml")
	cfg.Events, cfg.Bind.Relax = 300, []string{"rsp." + bind.DataChanges}
	recordFile(t, cfg, file)
	_, x := bound(t, examples, "old_new/old.yaml")
	x.Source, x.Expect = "file", file
	res, err := Run(ctx, x)
	require.NoError(t, err)
	require.Equal(t, []string{"rsp.data_changes (of the reference)"}, res.Relaxed)
	require.Equal(t, report.Pass, res.Verdict(), res.Reason())

	zero, err := bind.ParseExpr("0")
	require.NoError(t, err)
	cfg.Bind.Relax = nil
	for name := range cfg.Bind.Map {
		if name == "rsp.y" {
			cfg.Bind.Map[name] = zero
		}
	}
	recordFile(t, cfg, file)
	all := res.Compared.Fields
	res, err = Run(ctx, x)
	require.NoError(t, err)
	require.Equal(t, []string{"rsp.y (a constant of the reference's map)"}, res.Uncompared)
	require.Less(t, res.Compared.Fields, all)
	require.EqualValues(t, 1, res.Mismatches, "the design answers something else than the constant")
}
