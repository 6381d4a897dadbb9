package export

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// lane is a block with two streams in each direction and a field of 512 bits. testdata/lane_top.sv is its RTL: a packet
// leaves through cut with each lane XORed with the 64 low bits of the last cfg.v; a cfg is answered on drop. Each has
// one register, so ready is high when that is free or being taken.
const lane = `block: lane
title: sample
params:
  - {name: Lanes, default: 8, min: 8, max: 8}
enums:
  - {name: why, width: 3, values: [{name: NONE, value: 0}, {name: FULL, value: 5}]}
streams:
  - {name: pkt, dir: in, fields: [{name: data, width: 512}, {name: last, width: 1}]}
  - {name: cfg, dir: in, fields: [{name: why, width: 3, enum: why, open: true}, {name: v, width: 70}]}
  - {name: cut, dir: out, fields: [{name: data, width: 512}, {name: last, width: 1}]}
  - {name: drop, dir: out, fields: [{name: why, width: 3, enum: why, open: true},
      {name: top, width: 6, signed: true, q: Q2.4, unit: us, doc: the top}]}
`

func laneHeader(t testing.TB, per string) format.Header {
	b, err := event.Parse([]byte(lane))
	require.NoError(t, err)
	return format.Header{Block: b.Name, Per: per, Pairing: format.PairOrder, SchemaHash: b.Hash(),
		Params: map[string]int{"Lanes": 8},
		Source: "drawn", Seed: 3, Generator: "test", Args: []string{"vectors", "gen"}, Schema: lane}
}

// laneFile plays n cycles of random stimulus through a model of the block.
func laneFile(t testing.TB, per string, n int) []byte {
	h := laneHeader(t, per)
	b, err := event.Parse([]byte(lane))
	require.NoError(t, err)
	l := event.NewLayout(b)
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	ctl := func(r *event.Record, word uint64, name string) bool { return word&r.Control(name) != 0 }
	pktData, pktLast := l.In.Slot("pkt", "data"), l.In.Slot("pkt", "last")
	why, v := l.In.Slot("cfg", "why"), l.In.Slot("cfg", "v")
	cutData, cutLast := l.Out.Slot("cut", "data"), l.Out.Slot("cut", "last")
	dropWhy, dropTop := l.Out.Slot("drop", "why"), l.Out.Slot("drop", "top")
	r := rand.New(rand.NewPCG(1, 2))
	var buf bytes.Buffer
	w, err := format.NewWriter(&buf, h)
	require.NoError(t, err)
	w.Mark("drawn, 0", 3)

	var key uint64
	var cut, drop bool
	var data [8]uint64
	var last, code, top uint64
	held := [2]bool{}
	reset := false
	for i := range n {
		// valid stays high until the transfer, and its fields stay unchanged.
		word := l.In.Control("rst_n")
		if i < 2 || i == n/2 || i == n/2+1 {
			word, held = 0, [2]bool{}
		}
		fresh := [2]bool{!held[0], !held[1]}
		offer := [2]bool{held[0] || r.IntN(3) > 0, held[1] || r.IntN(3) > 0}
		if per == format.PerTransaction {
			// One input at a time, since two at once have no order; nothing is in flight at a reset or at the end.
			late := i%(n/2) >= n/2-5
			offer = [2]bool{offer[0] && i%2 == 0 && !late, offer[1] && i%2 == 1 && !late}
			fresh = [2]bool{true, true}
		}
		for k, name := range []string{"pkt_valid", "cfg_valid"} {
			if offer[k] {
				word |= l.In.Control(name)
			}
		}
		if r.IntN(4) > 0 {
			word |= l.In.Control("cut_ready")
		}
		if r.IntN(4) > 0 {
			word |= l.In.Control("drop_ready")
		}
		if per == format.PerTransaction {
			word |= l.In.Control("cut_ready") | l.In.Control("drop_ready")
		}
		if fresh[0] {
			for k := range 8 {
				in[pktData.Word+k] = r.Uint64()
			}
			pktLast.Set(in, uint64(r.IntN(2)))
		}
		if fresh[1] {
			why.Set(in, uint64(r.IntN(8)))
			in[v.Word], in[v.Word+1] = r.Uint64(), uint64(r.IntN(64))
		}
		in[0] = in[0]&^l.In.ControlMask() | word

		clear(out)
		if word&l.In.Control("rst_n") != 0 {
			if cut {
				out[0] |= l.Out.Control("cut_valid")
			}
			if drop {
				out[0] |= l.Out.Control("drop_valid")
			}
			if !cut || ctl(&l.In, word, "cut_ready") {
				out[0] |= l.Out.Control("pkt_ready")
			}
			if !drop || ctl(&l.In, word, "drop_ready") {
				out[0] |= l.Out.Control("cfg_ready")
			}
		}
		copy(out[cutData.Word:], data[:])
		cutLast.Set(out, last)
		dropWhy.Set(out, code)
		dropTop.Set(out, top)

		taken := [2]bool{ctl(&l.In, word, "pkt_valid") && ctl(&l.Out, out[0], "pkt_ready"),
			ctl(&l.In, word, "cfg_valid") && ctl(&l.Out, out[0], "cfg_ready")}
		gave := [2]bool{cut && ctl(&l.In, word, "cut_ready"), drop && ctl(&l.In, word, "drop_ready")}
		if per == format.PerCycle {
			require.NoError(t, w.Write(in, out))
		} else if word&l.In.Control("rst_n") == 0 {
			reset = true
		} else if taken[0] || taken[1] || gave[0] || gave[1] {
			ti, to := append([]uint64(nil), in...), append([]uint64(nil), out...)
			for k, name := range []string{"pkt_valid", "cfg_valid"} {
				if !taken[k] {
					ti[0] &^= l.In.Control(name)
				}
			}
			for k, name := range []string{"cut_valid", "drop_valid"} {
				if !gave[k] {
					to[0] &^= l.Out.Control(name)
				}
			}
			if reset {
				ti[0] &^= l.In.Control("rst_n")
				reset = false
			}
			require.NoError(t, w.Write(ti, to))
		}
		if word&l.In.Control("rst_n") == 0 {
			cut, drop, key = false, false, 0
			continue
		}
		cut, drop = cut && !gave[0], drop && !gave[1]
		if taken[0] {
			cut, last = true, pktLast.Get(in)
			for k := range data {
				data[k] = in[pktData.Word+k] ^ key
			}
		}
		if taken[1] {
			drop, code, key = true, why.Get(in), in[v.Word]
			top = in[v.Word+1] & 63
		}
		held = [2]bool{ctl(&l.In, word, "pkt_valid") && !taken[0], ctl(&l.In, word, "cfg_valid") && !taken[1]}
	}
	_, err = w.Close()
	require.NoError(t, err)
	return buf.Bytes()
}

// dirSink writes to a folder.
func dirSink(dir string) Sink {
	return func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(dir, name)) }
}

func exported(t testing.TB, data []byte, kind string) string {
	dir := t.TempDir()
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	_, err = Write(t.Context(), dirSink(dir), kind, r)
	require.NoError(t, err)
	return dir
}

// fromHex reads one word of in.hex or out.hex back into a record.
func fromHex(line string, words int) ([]uint64, error) {
	rec := make([]uint64, words)
	if len(line) != 16*words {
		return nil, fmt.Errorf("%d digits, not %d", len(line), 16*words)
	}
	for w := range rec {
		if _, err := fmt.Sscanf(line[16*(words-1-w):16*(words-w)], "%x", &rec[w]); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

// beforeReset writes two files from the out.hex of lane's transactions: less.hex without the last response before the
// reset in mid-file, late.hex with that response after the reset.
func beforeReset(t testing.TB, dir string) {
	t.Helper()
	lines := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return strings.Fields(string(text))
	}
	put := func(name string, out []string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(out, "\n")+"\n"), 0o666))
	}
	b, err := event.Parse([]byte(lane))
	require.NoError(t, err)
	l := event.NewLayout(b)
	reset := 0
	for i, line := range lines("in.hex") {
		rec, err := fromHex(line, l.In.Words)
		require.NoError(t, err)
		if rec[0]&l.Reset() == 0 {
			reset = i
		}
	}
	require.Positive(t, reset)
	out := lines("out.hex")
	none := strings.Repeat("0", len(out[0]))
	require.Equal(t, none, out[reset])
	last := reset - 1
	for out[last] == none {
		last--
	}
	out[reset], out[last] = out[last], none
	put("late.hex", out)
	out[reset] = none
	put("less.hex", out)
}
