package ackgen

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/contract"
)

// What is told of a response leads to it, by rules that the table names for the output. Explaining changes nothing, and
// each transfer is told once, before it comes.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/ackgen", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 12))
		slow := plainBlock{plainReceiver: newPlain(16)}
		m, err := New(Spec{Pdcs: 16})
		require.NoError(t, err)
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		next := func(stream string) *event.Decision {
			d := told[stream][0]
			told[stream] = told[stream][1:]
			require.Empty(t, d.Doubt)
			return d
		}
		var beats []port.Rx
		beat := 0
		for c := range 6000 {
			if len(beats) == 0 {
				beats = beatsOf(rng, draw(rng, slow.plainReceiver), rng.Uint32())
			}
			in := plainIn{rstN: c != 0, rxValid: rng.IntN(8) != 0, rx: beats[0], cfgValid: rng.IntN(40) == 0,
				cfg: drawCfg(rng, slow.plainReceiver), txReady: rng.IntN(8) != 0, indReady: rng.IntN(8) != 0, cfgrReady: true}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			in.pack(rec[:])
			out := slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got)
			if in.rxValid && out.rxReady {
				beats = beats[1:]
			}
			if out.indValid && in.indReady {
				d := next("ind")
				judgeInd(t, judgeTold(t, book, d), d, &out.ind)
				met[out.ind.Verdict.String()+out.ind.NackCode.String()]++
			}
			if out.txValid && in.txReady {
				d := next("tx")
				x := judgeTold(t, book, d)
				require.Equal(t, uint64(beat), x["beat"])
				if beat++; out.tx.Last {
					beat = 0
				}
				met["tx"]++
			}
			if out.cfgrValid {
				d := next("cfgr")
				judgeTold(t, book, d)
				if out.cfgr.Kind == port.KindRead && !out.cfgr.Refused {
					require.Contains(t, d.Before, uint64(out.cfgr.Data))
				}
				met["cfgr by "+d.By["cfgr_data"][0]]++
			}
		}
		require.LessOrEqual(t, len(told["ind"]), port.Inds)
		require.LessOrEqual(t, len(told["tx"]), 2*port.Answers)
	}
	for name := range plainNacks {
		if name != "NO_PDC" {
			require.NotZero(t, met["REFUSED"+name], "%s never met in %v", name, met)
		}
	}
	for _, name := range []string{"ACCEPTEDNONE", "DUPLICATENONE", "ASKEDNONE", "PROBEDNONE", "CLOSEDNONE", "EARLYNONE",
		"tx", "cfgr by cfg", "cfgr by timing", "cfgr by words"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// judgeTold holds what was told of a response against the contract, and returns the values by their names.
func judgeTold(t *testing.T, book *contract.Book, d *event.Decision) map[string]uint64 {
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
	for _, field := range port.Schema().Stream(d.Stream).Fields {
		require.NotEmpty(t, d.By[d.Stream+"_"+field.Name], field.Name)
	}
	require.Len(t, d.Before, port.NumWords)
	require.Len(t, d.After, port.NumWords)
	return got
}

// judgeInd holds what was told of an indication against it.
func judgeInd(t *testing.T, got map[string]uint64, d *event.Decision, x *port.Ind) {
	require.Equal(t, uint64(x.PSN), got["psn"])
	require.Equal(t, got["E"]-got["H"], got["plen"])
	if x.Pdcid == 0 {
		require.Equal(t, "counters", d.Concern)
		return
	}
	require.Equal(t, uint64(x.Pdcid)-1, got["k"])
	require.Equal(t, x.Opened, got["opened"] == 1)
	switch at := int32(got["d modulo 2^32"]); x.Verdict {
	case port.VerdictAccepted:
		require.True(t, at >= 0 && at < int32(got["MPR"]))
		rcvd := uint32(d.After[port.WordRcvd])
		if !x.Opened {
			rcvd -= uint32(d.Before[port.WordRcvd])
		}
		require.Equal(t, uint32(got["size"]), rcvd)
		require.Equal(t, uint32(d.Before[port.WordAccepted]+1), uint32(d.After[port.WordAccepted]))
	case port.VerdictDuplicate:
		require.True(t, at < 0 || got["bit d of seen"] == 1)
	case port.VerdictClosed:
		require.Zero(t, at)
		require.Zero(t, d.After[0]&1)
	}
	if !x.Opened {
		require.Equal(t, uint32(got["u"]), uint32(d.Before[port.WordCack]+1))
	}
}

// An explanation that begins late has the packets in flight without the steps of their decision.
func TestExplainLate(t *testing.T) {
	b := newBench(t, 4).opens()
	b.run(many(1, fAr), nil, takes, 3)
	var told []*event.Decision
	b.m.Explain(func(d *event.Decision) { told = append(told, d) })
	rest := append(one(fAr, 101, 7, 1), one(fSyn, 9, 8, 0)...)
	b.run(rest, []port.Cfg{{Kind: port.KindRead, PDC: 0, Addr: port.WordCack}}, takes, 60)
	got := ""
	for _, d := range told {
		require.Empty(t, d.Doubt)
		whole := len(d.Steps) > 0 && d.Steps[0].Name == "A"
		got += fmt.Sprint(d.Stream, " ", d.Concern, " ", whole, "; ")
	}
	require.Equal(t, "cfgr pdc=0 false; ind pdc=0 false; tx pdc=0 false; tx pdc=0 false; ind pdc=0 true; tx pdc=0 true; "+
		"tx pdc=0 true; ind pdc=1 true; tx pdc=1 true; tx pdc=1 true; ", got)
	b.m.Explain(nil)
	b.run(one(fAr, 102, 7, 1), nil, takes, 30)
	require.Len(t, told, 10)
}

// The state of what an event concerns.
func TestStateOf(t *testing.T) {
	b := newBench(t, 4).opens()
	b.run(many(2, fAr), nil, takes, 60)
	words := make([]uint64, port.NumWords)
	var in [port.InWords]uint64
	require.Equal(t, "counters", b.m.StateOf(0, in[:], words))
	require.Equal(t, []uint64{0, 2}, []uint64{words[port.WordCack], words[port.WordFrames]})
	for _, tc := range []struct {
		ev   port.Cfg
		want string
		cack uint64
	}{
		{port.Cfg{Kind: port.KindRead, Addr: 3}, "pdc=0", 101},
		{port.Cfg{Kind: port.KindLoad, PDC: 3, Addr: 18}, "pdc=3", 0},
		{port.Cfg{Kind: port.KindRead, PDC: 4}, "counters", 0},
		{port.Cfg{Kind: port.KindRead, Addr: 19}, "counters", 0},
		{port.Cfg{Kind: port.KindRead, Addr: 44}, "", 0},
		{port.Cfg{Kind: port.KindCfgRead, Addr: 3}, "", 0},
	} {
		port.PackCfg(&tc.ev, in[:])
		clear(words)
		require.Equal(t, tc.want, b.m.StateOf(1, in[:], words))
		require.Equal(t, tc.cack, words[port.WordCack])
	}
}
