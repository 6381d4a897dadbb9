package ackparse

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/contract"
)

// What is told of a record leads to it, by rules that the table names for the output. Explaining changes nothing, and
// each response is told once, before it comes.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/ackparse", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 12))
		m, silent := New(), New()
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		var beats []port.Rx
		for c := range 3000 {
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			if len(beats) == 0 {
				beats = plain.BeatsOf(rng, draw(rng), rng.Uint32())
			}
			in := plainIn{rstN: c != 0, rxValid: rng.IntN(8) != 0, rx: beats[0], cfgValid: rng.IntN(20) == 0,
				cfg: drawCfg(rng), recReady: rng.IntN(8) != 0, cfgrReady: true}
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			silent.Cycle(rec[:], want[:])
			require.Equal(t, want, got)
			if in.rxValid && got[0]&port.OutRxReady != 0 {
				beats = beats[1:]
			}
			if got[0]&port.OutRecValid != 0 && in.recReady {
				var x port.Rec
				port.UnpackRec(got[:], &x)
				judgeTold(t, book, told["rec"][0], &x)
				met[x.PdsType.String()]++
				told["rec"] = told["rec"][1:]
			}
			if got[0]&port.OutCfgrValid != 0 {
				var x port.Cfgr
				port.UnpackCfgr(got[:], &x)
				d := told["cfgr"][0]
				told["cfgr"] = told["cfgr"][1:]
				if x.Kind == port.KindRead && !x.Refused {
					require.Contains(t, d.Before, uint64(x.Data))
				}
				met["cfgr by "+d.By["cfgr_data"][0]]++
			}
		}
		require.LessOrEqual(t, len(told["rec"]), port.Credits)
	}
	for _, name := range append([]string{"cfgr by cfg", "cfgr by timing"}, plainNames[16:]...) {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// judgeTold holds what was told of a record against it.
func judgeTold(t *testing.T, book *contract.Book, d *event.Decision, x *port.Rec) {
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
	for _, field := range port.Schema().Stream("rec").Fields {
		require.NotEmpty(t, d.By["rec_"+field.Name], field.Name)
	}
	require.Equal(t, uint64(x.PdsType), got["type"])
	require.Equal(t, uint64(x.Rest), got["E - P"]-got["O"])
	require.Equal(t, got["E"]-got["H"], got["plen"])
	require.Equal(t, uint64(x.Spdcid), got["be16[8]"])
	require.Equal(t, x.Native, got["n"] != 17)
	if base, ok := got["be16[14]"]; ok {
		require.Equal(t, x.SackBase, uint32(got["psn"])+uint32(int16(base)))
	}
	if c, ok := got["C"]; ok && c != 0 {
		require.Zero(t, got["sum of pseudo header and datagram"]%0xFFFF)
	}
	require.Equal(t, "counters", d.Concern)
	require.Equal(t, d.Before[port.WordFrames]+1, d.After[port.WordFrames])
}

// An explanation of another record is left out, and one that begins late has the records in flight without steps.
func TestExplainDoubts(t *testing.T) {
	cfg := DefaultConfig()
	f := plain.Packet{PDS: sample(typeAck)}
	frame := f.Bytes()
	var rec port.Rec
	require.True(t, Parse(&cfg, frame, &rec).Passed())
	require.Empty(t, explain(&cfg, frame, len(frame), &rec).Doubt)
	rec.PSN++
	d := explain(&cfg, frame, len(frame), &rec)
	require.NotEmpty(t, d.Doubt)
	require.Empty(t, d.Steps)
	require.NotEmpty(t, explain(&cfg, frame[:20], 20, &rec).Doubt)

	b := newBench(t)
	b.cycle(&ackOf(0)[0], nil, takes)
	b.cycle(nil, nil, takes)
	var told []*event.Decision
	b.m.Explain(func(d *event.Decision) { told = append(told, d) })
	b.run(ackOf(0), 2, 30)
	require.Len(t, told, 2)
	require.Empty(t, told[0].Steps)
	require.NotEmpty(t, told[1].Steps)
	require.Equal(t, uint64(2), told[1].After[port.WordAcks])

	words := make([]uint64, port.NumWords)
	require.Equal(t, "counters", b.m.StateOf(0, nil, words))
	require.Equal(t, told[1].After, words)
}
