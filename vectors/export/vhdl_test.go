package export

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export/exporttest"
	"github.com/goldwire/goldwire/vectors/format"
)

// vhdlOf exports the bench of a vector file of lane, and compiles it with the playback.
func vhdlOf(t *testing.T, data []byte) *exporttest.VHDL {
	t.Helper()
	exporttest.Need(t)
	b := exporttest.New(t, exported(t, data, "vhdl"), "lane")
	b.Compile()
	return b
}

// A VHDL bench passes on a design that answers as recorded, and no shortcut leads to its PASS.
func TestVHDLBench(t *testing.T) {
	b := vhdlOf(t, laneFile(t, format.PerCycle, 300))
	b.Passes()
	b.Passes("-gKNOWN=1")
	in, out := b.Lines("in.hex"), b.Lines("out.hex")
	b.Fails("cannot open nothing.hex", "-gIN_FILE=nothing.hex")
	for side, lines := range map[string][]string{"IN": in, "OUT": out} {
		try := func(want string, lines ...string) {
			t.Helper()
			b.Put("other.hex", lines)
			b.Fails(want, "-g"+side+"_FILE=other.hex")
		}
		last := len(lines) - 1
		try("other.hex ends at record 299 of 300", lines[:last]...)
		try("vectors go on after record 300", append(slices.Clone(lines), lines[last])...)
		try("digits, got", append(slices.Clone(lines[:last]), lines[last][1:])...)
		try("digits, got", append(slices.Clone(lines[:last]), lines[last]+"0")...)
		for _, unknown := range []string{"X", "z", "U", "-", "_"} {
			try("holds an unknown digit", append(slices.Clone(lines[:last]), unknown+lines[last][1:])...)
		}
	}
	// Nor does a simulator that goes on after a failure, or stops early.
	b.Put("short.hex", out[:200])
	for _, args := range [][]string{{"-gOUT_FILE=short.hex", "--assert-level=none"}, {"--stop-time=500ns"}} {
		text, _ := b.Run(args...)
		require.NotContains(t, text, "PASS", args)
	}
}

// Each control and each bit of each field of a valid output is compared, and named when it differs.
func TestVHDLBenchComparesEveryBit(t *testing.T) {
	b := vhdlOf(t, laneFile(t, format.PerCycle, 100))
	out := b.Lines("out.hex")
	for _, f := range b.Out {
		at := len(out) - 1 // the last cycle counts, too
		for f.Valid != "" && !exporttest.Bit(out[at], exporttest.Of(b.Out, f.Valid).LSB) {
			at--
		}
		for bit := 0; bit < f.Width; bit += 1 + f.Width/8 {
			broken := slices.Clone(out)
			broken[at] = exporttest.Flip(out[at], f.LSB+bit)
			b.Put("broken.hex", broken)
			b.Fails("  "+f.Name+": want ", "-gOUT_FILE=broken.hex")
		}
	}
	// The design sees an input that differs.
	in := b.Lines("in.hex")
	in[50] = exporttest.Flip(in[50], exporttest.Of(b.In, "cut_ready").LSB)
	b.Put("broken.hex", in)
	b.Fails(": want 0, got X", "-gIN_FILE=broken.hex")
}

// Vectors without a valid output, on both sides, do not pass: neither against the counts of the export, nor without.
func TestVHDLBenchThatComparesNothing(t *testing.T) {
	exporttest.Need(t)
	b := exporttest.New(t, exported(t, laneFile(t, format.PerCycle, 100), "vhdl"), "lane")
	out := b.Lines("out.hex")
	for i := range out {
		for _, valid := range []string{"cut_valid", "drop_valid"} {
			if bit := exporttest.Of(b.Out, valid).LSB; exporttest.Bit(out[i], bit) {
				out[i] = exporttest.Flip(out[i], bit)
			}
		}
	}
	b.Put("out.hex", out)
	b.Compile()
	b.Fails("cut was compared in 0 cycles, and is valid in ")
	pkg := filepath.Join(b.Dir, "lane_vec_pkg.vhd")
	text, err := os.ReadFile(pkg)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		if name, _, ok := strings.Cut(l, ":="); ok && strings.Contains(l, "CYCLES_") {
			lines[i] = name + ":= 0;"
		}
	}
	require.NoError(t, os.WriteFile(pkg, []byte(strings.Join(lines, "\n")), 0o644))
	b.Compile()
	b.Fails("nothing was compared")
}

// Masked bits may differ, all others may not; and transactions are refused.
func TestVHDLBenchWithMask(t *testing.T) {
	plain := laneFile(t, format.PerCycle, 100)
	h := laneHeader(t, format.PerCycle)
	h.Schema = strings.Replace(lane, "doc: the top", "when: why == 5", 1)
	block, err := event.Parse([]byte(h.Schema))
	require.NoError(t, err)
	h.SchemaHash = block.Hash()
	r, err := format.NewReader(bytes.NewReader(plain))
	require.NoError(t, err)
	var masked bytes.Buffer
	w, err := format.NewWriter(&masked, h)
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	b := vhdlOf(t, masked.Bytes())
	b.Passes()
	out := b.Lines("out.hex")
	at := func(name string) int { return exporttest.Of(b.Out, name).LSB }
	seen := [2]bool{}
	for i, l := range out {
		full := exporttest.Bit(l, at("drop.why")) && exporttest.Bit(l, at("drop.why")+2)
		if !exporttest.Bit(l, at("drop_valid")) || full && seen[1] || !full && seen[0] {
			continue
		}
		broken := slices.Clone(out)
		broken[i] = exporttest.Flip(l, at("drop.top"))
		b.Put("broken.hex", broken)
		if full {
			seen[1] = true
			b.Fails("  drop.top: want ", "-gOUT_FILE=broken.hex")
		} else {
			seen[0] = true
			b.Passes("-gOUT_FILE=broken.hex")
		}
	}
	require.Equal(t, [2]bool{true, true}, seen)
	b.Fails("cannot open none.hex", "-gMASK_FILE=none.hex")

	r, err = format.NewReader(bytes.NewReader(laneFile(t, format.PerTransaction, 100)))
	require.NoError(t, err)
	_, err = Write(t.Context(), dirSink(t.TempDir()), "vhdl", r)
	require.ErrorContains(t, err, "a VHDL bench plays cycles, and the file holds transactions: make it with vectors gen "+
		"--per cycle, or export --to sv")
}
