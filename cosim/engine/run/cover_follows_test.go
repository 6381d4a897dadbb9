package run_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
)

// collected plays items or an episode through the model of a block into a new collector, which sees each output record
// as changed by turn.
func collected(t *testing.T, block string, ep *stim.Episode, c *cover.Collector, turn func(in, out []uint64)) {
	t.Helper()
	m, in, out := newModel(t, block)
	d := drive.NewDriver(layoutOf(t, block))
	for d.Begin(ep); d.Drive(in); {
		m.Cycle(in, out)
		d.Observe(out)
		seen := append([]uint64(nil), out...)
		if turn != nil {
			turn(in, seen)
		}
		c.Cycle(in, seen)
	}
}

// A flipped bit in any field that a collector follows is a difference: the bins it reports are what happened. Bytes are
// left to the packet judge.
func TestCoverageFollowsEveryField(t *testing.T) {
	t.Parallel()
	for _, blk := range []string{"ackgen", "ackparse", "credit", "txpdc", "nic", "egress", "trimmer", "intmd",
		"switchport"} {
		l := layoutOf(t, blk)
		k, err := block.Lookup(blk)
		require.NoError(t, err)
		for _, s := range k.Schema.StreamsOf(event.Out) {
			for _, f := range s.Fields {
				name := blk + "." + s.Name + "." + f.Name
				if f.Name == "data" && s.Name == "tx" || f.Name == "keep" || f.Name == "last" {
					continue
				}
				t.Run(name, func(t *testing.T) {
					slot, valid, ready := l.Out.Slot(s.Name, f.Name), l.Out.Control(s.Name+"_valid"), l.In.Control(s.Name+"_ready")
					source := "random"
					if name == "switchport.cfgr.data" {
						source = "directed" // reads every register back
					}
					src, err := block.Open(blk, source, stim.Options{Seed: 4, Events: 3000})
					require.NoError(t, err)
					defer src.Close()
					c, err := block.NewCollector(blk, nil)
					require.NoError(t, err)
					seen, turned := 0, 0
					for ep, ok := src.Next(); ok && c.Differences() == 0; ep, ok = src.Next() {
						collected(t, blk, ep, c, func(in, out []uint64) {
							if out[0]&valid == 0 || in[0]&ready == 0 || in[0]&1 == 0 {
								return
							}
							if seen++; seen%5 == 0 {
								out[slot.Word] ^= 1 << slot.Bit
								turned++
							}
						})
					}
					require.NotZero(t, turned)
					require.NotZero(t, c.Differences(), "%d bits turned", turned)
				})
			}
		}
	}
}

// Traffic just outside a bin does not hit it.
func TestCoverageCountsNothingBeside(t *testing.T) {
	t.Parallel()
	words := func(block string, pack func(w []uint64)) []uint64 {
		w := make([]uint64, layoutOf(t, block).In.Words)
		pack(w)
		return w
	}
	enq := func(wait uint8, x egress.Enq) stim.Item {
		return stim.Item{Wait: wait, Words: words("egress", func(w []uint64) { egress.PackEnq(&x, w) })}
	}
	deq := func(pair bool, port uint8) stim.Item {
		return stim.Item{Lane: 1, Wait: stim.WaitAll, Pair: pair, Gap: 40,
			Words: words("egress", func(w []uint64) { egress.PackDeq(&egress.Deq{Port: port}, w) })}
	}
	set := func(addr int, v uint32) stim.Item {
		return enq(stim.WaitAll, egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v})
	}
	pkt := func(cls egress.Cls) stim.Item {
		return enq(stim.WaitAll, egress.Enq{Cls: cls, Len: 100, Trimmable: true})
	}
	// together is a grant and, in its cycle, a packet of a class.
	together := func(cls egress.Cls) []stim.Item {
		p := pkt(cls)
		p.Gap = 40
		return []stim.Item{p, deq(true, 0)}
	}
	beat := func(gap uint16, trim, last bool) stim.Item {
		x := trimmer.Rx{Keep: ^uint64(0), Last: last, Trim: trim, Len: 128}
		return stim.Item{Gap: gap, More: !last, Words: words("trimmer", func(w []uint64) { trimmer.PackRx(&x, w) })}
	}
	const full = "64_beats_in_a_row"
	run := func(n int, gap uint16) (out []stim.Item) {
		for i := range 2 * n {
			g := uint16(0)
			if i == n {
				g = gap
			}
			out = append(out, beat(g, false, true))
		}
		return out
	}
	cfg := func(k intmd.Kind, addr int, data uint32) stim.Item {
		return stim.Item{Lane: 2, Wait: stim.WaitAll, Words: words("intmd",
			func(w []uint64) { intmd.PackCfg(&intmd.Cfg{Kind: k, Addr: uint8(addr), Data: data}, w) })}
	}
	// ack is the example of intmd's contract.
	ack := func() (out []stim.Item) {
		frame, err := hex.DecodeString("020000000002020000000001080045b80044000140004011" +
			"25ee0a0000010a000002c00012b900307b99400000000000" +
			"0064000700090000000000000000000000000010000000640000494e000512fa0003")
		require.NoError(t, err)
		require.Len(t, frame, 82)
		for i := range 2 {
			var b [64]byte
			x := intmd.Rx{Keep: 1<<18 - 1, Last: i == 1, Len: 82}
			copy(b[:], frame[64*i:])
			for k := range x.Data {
				x.Data[k] = binary.LittleEndian.Uint64(b[8*k:])
			}
			out = append(out, stim.Item{Wait: stim.WaitAll * uint8(1-i), More: i == 0,
				Words: words("intmd", func(w []uint64) { intmd.PackRx(&x, w) })})
		}
		return out
	}
	acks := slices.Concat([]stim.Item{cfg(intmd.KindCfgWrite, intmd.RegStep, 0),
		cfg(intmd.KindCfgWrite, intmd.RegTime, 77)}, ack(), ack())
	rates := []stim.Item{cfg(intmd.KindCfgWrite, intmd.RegPeriod, 2)}
	for i := range 6 {
		rates = append(rates, cfg(intmd.KindRateWrite, 0, uint32(9+i%2)))
	}
	high := "limit_from_2^24_above_content_that_is_above_its_low_bits/TRIM"
	for _, c := range []struct {
		block string
		items []stim.Item
		bin   string
		want  int
		more  []stim.Reset
	}{
		{"egress", []stim.Item{pkt(0), deq(false, 0), deq(false, 0)}, "head_waits/grant_past_exclusive_without_credit", 0,
			nil},
		{"egress", []stim.Item{set(egress.RegTrim, 1<<23+50), pkt(0)}, high, 0, nil},
		{"egress", []stim.Item{set(egress.RegTrim, 1<<24+50), pkt(0)}, high, 1, nil},
		{"egress", []stim.Item{set(egress.RegTrim, 1<<24+100), pkt(0)}, high, 0, nil},
		{"egress", append([]stim.Item{set(egress.RegSched, 1), pkt(0)}, together(1)...),
			"drr_after_service/empty_with_arrival", 0, nil},
		{"egress", append([]stim.Item{set(egress.RegSched, 1), pkt(0)}, together(1)...), "drr_after_service/empty", 1, nil},
		{"egress", append([]stim.Item{set(egress.RegSched, 1), pkt(0)}, together(0)...),
			"drr_after_service/empty_with_arrival", 1, nil},
		{"trimmer", []stim.Item{beat(0, true, true), beat(0, true, true)}, "packet_right_after_trimmed/trimmed", 1, nil},
		{"trimmer", []stim.Item{beat(0, true, true), beat(1, true, true)}, "packet_right_after_trimmed/trimmed", 0, nil},
		{"trimmer", []stim.Item{beat(0, false, true), beat(0, true, true)}, "packet_right_after_trimmed/trimmed", 0, nil},
		{"trimmer", run(32, 0), "beats/" + full, 1, nil},
		{"trimmer", run(63, 1), "beats/" + full, 0, nil},
		{"trimmer", []stim.Item{beat(0, false, false), beat(0, false, false), beat(0, false, false), beat(0, false, true)},
			"len_against_frame/short_frame", 1, nil},
		{"trimmer", run(1, 0), "reset_comes/just_after_sweep", 0, []stim.Reset{{After: 2, Delay: 4, Low: 1}}},
		{"trimmer", run(1, 0), "reset_comes/later", 1, []stim.Reset{{After: 2, Delay: 4, Low: 1}}},
		{"intmd", acks, "rule/time_wraps_between_lookups", 0, nil},
		{"intmd", acks, "rule/bytes_wrap_between_lookups", 0, nil},
		{"intmd", acks, "rate_code_inserted/4", 2, nil},
		{"intmd", rates, "rate_write_in_tick/of_a_period_with_another_rate_new", 0, nil},
	} {
		t.Run(fmt.Sprintf("%s of %d items, %d times", c.bin, len(c.items), c.want), func(t *testing.T) {
			col, err := block.NewCollector(c.block, nil)
			require.NoError(t, err)
			collected(t, c.block, stim.Recorded("by-hand", c.block, 1,
				stim.DriveSpec{Resets: append([]stim.Reset{{Low: 2}}, c.more...)}, c.items), col, nil)
			require.Zero(t, col.Differences(), col.Difference())
			n, ok := col.Hits(c.bin)
			require.True(t, ok)
			require.EqualValues(t, c.want, n)
		})
	}
}
