package export

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

var pers = []string{format.PerCycle, format.PerTransaction}

// A VHDL bench passes on a design that answers as recorded, and no shortcut leads to its PASS.
func TestVHDLBench(t *testing.T) {
	for _, per := range pers {
		b := vhdlOf(t, laneFile(t, per, 100))
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
			try(fmt.Sprintf("other.hex ends at record %d of %d", last, len(lines)), lines[:last]...)
			try(fmt.Sprintf("vectors go on after record %d", len(lines)), append(slices.Clone(lines), lines[last])...)
			try("digits, got", append(slices.Clone(lines[:last]), lines[last][1:])...)
			try("digits, got", append(slices.Clone(lines[:last]), lines[last]+"0")...)
			for _, unknown := range []string{"X", "_"} {
				try("holds an unknown digit", append(slices.Clone(lines[:last]), unknown+lines[last][1:])...)
			}
		}
		// Nor does a simulator that goes on after a failure, or stops early.
		b.Put("short.hex", out[:50])
		for _, args := range [][]string{{"-gOUT_FILE=short.hex", "--assert-level=none"}, {"--stop-time=300ns"}} {
			text, _ := b.Run(args...)
			require.NotContains(t, text, "PASS", args)
		}
	}
}

// Each control of a cycle and each bit of each field of a valid output is compared, and named when it differs.
func TestVHDLBenchComparesEveryBit(t *testing.T) {
	for _, per := range pers {
		b := vhdlOf(t, laneFile(t, per, 100))
		out := b.Lines("out.hex")
		for _, f := range b.Out {
			if f.Valid == "" && per == format.PerTransaction {
				continue
			}
			at := len(out) - 1 // the last record counts, too
			for f.Valid != "" && !exporttest.Bit(out[at], exporttest.Of(b.Out, f.Valid).LSB) {
				at--
			}
			for bit := 0; bit < f.Width; bit += 1 + f.Width/2 {
				broken := slices.Clone(out)
				broken[at] = exporttest.Flip(out[at], f.LSB+bit)
				b.Put("broken.hex", broken)
				b.Fails("  "+f.Name+": want ", "-gOUT_FILE=broken.hex")
			}
		}
		// The design sees an input that differs.
		in, name := b.Lines("in.hex"), "pkt.data"
		if per == format.PerCycle {
			name = "cut_ready"
		}
		at, f := 50, exporttest.Of(b.In, name)
		for f.Valid != "" && !exporttest.Bit(in[at], exporttest.Of(b.In, f.Valid).LSB) {
			at++
		}
		in[at] = exporttest.Flip(in[at], f.LSB)
		b.Put("broken.hex", in)
		b.Fails(", got ", "-gIN_FILE=broken.hex")
	}
}

// A bench of transactions takes any latency, and fails on what no design may do with its streams.
func TestVHDLBenchOfTransactions(t *testing.T) {
	b := vhdlOf(t, laneFile(t, format.PerTransaction, 100))
	b.Passes("-gIDLE=40", "-gSTALL=60")
	b.Fails("-gIDLE and -gSTALL: give 0 to 99", "-gSTALL=100")
	// A response that is not expected fails, even if it waits at the end.
	out := b.Lines("out.hex")
	none := strings.Repeat("0", len(out[0]))
	at := len(out) - 1
	for out[at] == none {
		at--
	}
	out[at] = none
	b.Put("less.hex", out)
	for _, flush := range []string{"20", "40", "80"} {
		b.Fails("", "-gOUT_FILE=less.hex", "-gSTALL=99", "-gFLUSH="+flush)
	}
	// Nor does a reset hide one.
	beforeReset(t, b.Dir)
	b.Fails("goldwire vectors show", "-gOUT_FILE=less.hex", "-gSTALL=0")
	b.Fails("waits or has come by cycle", "-gOUT_FILE=late.hex", "-gSTALL=0")
	b.Fails("waits or has come by cycle", "-gOUT_FILE=late.hex", "-gSTALL=99", "-gFLUSH=20")
	bit := func(list []exporttest.Field, name string) int { return exporttest.Of(list, name).LSB }
	pkt, cut := bit(b.Out, "pkt_ready"), bit(b.Out, "cut_valid")
	for _, c := range []struct{ want, old, new string }{
		{"nothing moved for 101 cycles", fmt.Sprintf("outs(%d) <= ins(", pkt), fmt.Sprintf("outs(%d) <= '0' and ins(", pkt)},
		{"pkt_ready is X or Z", fmt.Sprintf("outs(%d) <= ins(", pkt), fmt.Sprintf("outs(%d) <= 'X' or ins(", pkt)},
		{"cut_valid is X or Z", fmt.Sprintf("outs(%d) <= o(", cut), fmt.Sprintf("outs(%d) <= 'Z' and o(", cut)},
		{"cut_valid fell before cut_ready", "rst_ni = '1' and cut_ready_i = '1'", "rst_ni = '1'"},
		{"before cut_ready takes it: data", "if rst_ni = '1' and cut_ready_i = '1'",
			fmt.Sprintf("outs(%d) <= 'X'; if rst_ni = '1' and cut_ready_i = '1'", bit(b.Out, "cut.data"))},
		{"  cut: 0 of ", fmt.Sprintf("outs(%d) <= o(", cut), fmt.Sprintf("outs(%d) <= '0' and o(", cut)},
	} {
		b.Plant("", c.old, c.new)
		b.Fails(c.want, "-gTIMEOUT=100")
	}
}

// Vectors without a valid output, on both sides, do not pass: neither against the counts of the export, nor without.
func TestVHDLBenchThatComparesNothing(t *testing.T) {
	exporttest.Need(t)
	for _, per := range pers {
		b := exporttest.New(t, exported(t, laneFile(t, per, 100), "vhdl"), "lane")
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
		b.Fails("cut was compared in 0 records, and is valid in ")
		pkg := filepath.Join(b.Dir, "lane_vec_pkg.vhd")
		text, err := os.ReadFile(pkg)
		require.NoError(t, err)
		zero := regexp.MustCompile(`(VALID_.*:=) \d+;`).ReplaceAllString(string(text), "$1 0;")
		require.NoError(t, os.WriteFile(pkg, []byte(zero), 0o644))
		b.Compile()
		b.Fails("nothing was compared")
	}
}

// Masked bits may differ, all others may not.
func TestVHDLBenchWithMask(t *testing.T) {
	for _, per := range pers {
		plain := laneFile(t, per, 100)
		h := laneHeader(t, per)
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
	}
}
