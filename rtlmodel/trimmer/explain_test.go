package trimmer

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// What is told of a beat leads to it: the walk over the headers to the cause and the length, by a rule that the table
// names for the output. Explaining changes nothing, and each response is told once.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/trimmer", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 12))
		m, plain := New(), New()
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		var beats []port.Rx
		for c := range 4000 {
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			if len(beats) == 0 {
				beats = drawPacket(rng)
			}
			in := plainIn{rstN: c != 0, rxValid: rng.IntN(8) != 0, rx: beats[0], cfgValid: rng.IntN(20) == 0, cfg: drawCfg(rng),
				txReady: rng.IntN(8) != 0, cfgrReady: true}
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			plain.Cycle(rec[:], want[:])
			require.Equal(t, want, got)
			if in.rxValid && got[0]&port.OutRxReady != 0 {
				beats = beats[1:]
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
					require.Contains(t, d.Before, uint64(x.Data))
				}
				met["cfgr by "+d.By["cfgr_data"][0]]++
			}
		}
		require.Less(t, len(told["tx"]), 16)
	}
	for _, name := range []string{"decision/1", "decision/2", "decision/3", "decision/4", "decision/5", "decision/6",
		"decision/7", "decision/8", "decision/9", "decision/10", "cfgr by cfg", "cfgr by counters"} {
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
	data := d.By["tx_cause"] // the rule that leaves the packet as it came
	switch {
	case x.Trimmed:
		data = []string{ruleRewrite}
	case x.Marked:
		data = []string{ruleMarking}
	}
	require.Equal(t, data, d.By["tx_data"])
	if size, ok := got["T"]; ok && x.Trimmed {
		require.Equal(t, x.Last, (size+63)/64 == got["beat"]+1)
	}
	if m, ok := got["marked"]; ok {
		require.Equal(t, x.Marked, m == 1)
	}
	if x.Trimmed {
		if sum, ok := got["sum of pseudo header and UDP segment"]; ok {
			for sum > 0xffff {
				sum = sum&0xffff + sum>>16
			}
			if sum == 0xffff {
				sum = 0 // a checksum of 0 is sent as ones
			}
			require.Equal(t, got["C'"], 0xffff-sum)
		}
		if sum, ok := got["~HC + ~m + m' + ~n + n'"]; ok {
			for sum > 0xffff {
				sum = sum&0xffff + sum>>16
			}
			require.Equal(t, got["HC'"], 0xffff-sum)
		}
	}
	return d.By["tx_cause"][0]
}

// A doubtful explanation is left out: the decision told is held against the one that was made.
func TestExplainDoubts(t *testing.T) {
	cfg := DefaultConfig()
	d := event.NewDecision("tx")
	explainDecision(d, &cfg, make([]byte, 64), 64, &Side{Trim: true}, &Result{Trimmed: true, Size: 64})
	require.NotEmpty(t, d.Doubt)
	require.Empty(t, d.Steps)
}
