package intmd

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// What is told of a beat leads to it: the walk over the headers to the cause, the entry and the checksum, by a rule
// that the table names for the output. Explaining changes nothing, and each response is told once.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/intmd", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 32))
		spec := Spec{NumPorts: []int{1, 4, 7, 64}[seed%4]}
		m, err := New(spec)
		require.NoError(t, err)
		plain, err := New(spec)
		require.NoError(t, err)
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		packet, next := drawPacket(rng, spec.NumPorts), 0
		for c := range 5000 {
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			if next == len(packet.beats) {
				packet, next = drawPacket(rng, spec.NumPorts), 0
			}
			in := plainIn{rstN: c != 0, rxValid: rng.IntN(8) != 0, rx: plainBeat{packet.beats[next], packet, next},
				cntValid: rng.IntN(2) == 0,
				cnt: port.Cnt{Port: uint8(rng.IntN(spec.NumPorts)), Op: port.Op(rng.IntN(2)), TxBytes: rng.Uint32(),
					Qlen: rng.Uint32() >> rng.IntN(32)},
				cfgValid: rng.IntN(20) == 0, cfg: drawCfg(rng, spec.NumPorts),
				txReady: rng.IntN(8) != 0, cfgrReady: true}
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			plain.Cycle(rec[:], want[:])
			require.Equal(t, want, got)
			if in.rxValid && got[0]&port.OutRxReady != 0 {
				next++
			}
			if got[0]&port.OutTxValid != 0 && in.txReady {
				var x port.Tx
				port.UnpackTx(got[:], &x)
				met[judgeTold(t, book, told["tx"][0], &x)]++
				told["tx"] = told["tx"][1:]
			}
			if got[0]&port.OutCfgrValid != 0 {
				var x port.Cfgr
				port.UnpackCfgr(got[:], &x)
				d := told["cfgr"][0]
				told["cfgr"] = told["cfgr"][1:]
				if x.Kind == port.KindRead && !x.Refused {
					require.Contains(t, d.Before, x.Data)
				}
				met["cfgr by "+d.By["cfgr_data"][0]]++
			}
		}
		require.Less(t, len(told["tx"]), 16)
	}
	for _, name := range []string{"decision/1", "decision/2", "decision/3", "decision/4", "decision/5", "decision/6",
		"decision/7", "decision/8", "decision/9", "cfgr by cfg", "cfgr by counters", "cfgr by clock-counters-table"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// judgeTold holds what was told of a beat against it and returns the rule of its cause.
func judgeTold(t *testing.T, book *contract.Book, d *event.Decision, x *port.Tx) string {
	require.Empty(t, d.Doubt)
	got := map[string]uint64{}
	for _, s := range d.Steps {
		require.NotNil(t, book.Rule(s.Rule), s.Rule)
		got[s.Name] = s.Value.Uint64()
	}
	for output, rules := range d.By {
		for _, r := range rules {
			require.True(t, book.Decides(output, r), "%s comes from %s", output, r)
		}
	}
	at, inserted := got["I"]
	require.Equal(t, x.Inserted, inserted)
	if !inserted {
		return d.By["tx_cause"][0]
	}
	require.Equal(t, uint64(x.Hops), got["h"]+1)
	entry := got["entry.B"]<<60 | got["entry.TS"]<<36 | got["entry.txBytes"]<<16 | got["entry.qLen"]
	if sum, ok := got["~C + 2 (~l + l') + ~g + g'"]; ok {
		sum += entry>>48 + entry>>32&0xffff + entry>>16&0xffff + entry&0xffff
		for sum > 0xffff {
			sum = sum&0xffff + sum>>16
		}
		if sum == 0xffff {
			sum = 0 // a checksum of 0 is sent as ones
		}
		require.Equal(t, 0xffff-sum, got["C'"])
	}
	if at/64 == got["beat"] && at%64 <= 56 && got["added beat"] == 0 && x.Keep == ^uint64(0) {
		var bytes [64]byte
		for i, w := range x.Data {
			for k := range 8 {
				bytes[8*i+k] = byte(w >> (8 * k))
			}
		}
		for k := range uint64(8) {
			require.Equal(t, byte(entry>>(56-8*k)), bytes[at%64+k])
		}
	}
	return d.By["tx_cause"][0]
}
