package switchport

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// What the blocks inside tell belongs to the note, the answer and the beat that come of it, also when accesses to
// egress lie between requests. Explaining changes nothing, and each response is told once.
func TestExplain(t *testing.T) {
	books := map[string]*contract.Book{}
	for _, name := range []string{"egress", "trimmer", "intmd"} {
		b, err := event.Load("../../vectors/event/" + name + "/schema.yaml")
		require.NoError(t, err)
		books[name], err = contract.Open("../../vectors/event/"+name, b)
		require.NoError(t, err)
	}
	met := map[string]int{}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 42))
		spec := Spec{NumPorts: []int{1, 3, 4, 9}[seed%4], Depth: []int{2, 4, 64}[seed%3], Slots: []int{4, 8, 128}[seed%3]}
		m, err := New(spec)
		require.NoError(t, err)
		plain, err := New(spec)
		require.NoError(t, err)
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		// next returns the values of the next decision of a stream.
		next := func(stream string) map[string]uint64 {
			require.NotEmpty(t, told[stream], stream)
			d := told[stream][0]
			told[stream] = told[stream][1:]
			require.Empty(t, d.Doubt)
			got := map[string]uint64{}
			for _, s := range d.Steps {
				block, rule, _ := strings.Cut(s.Rule, "/")
				require.NotNil(t, books[block].Rule(rule), s.Rule)
				got[block+" "+s.Name] = s.Value.Uint64()
			}
			return got
		}
		var beats []port.Rx
		out := uint64(0) // beats of the packet at tx that have left
		for c := range 6000 {
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			if len(beats) == 0 {
				beats = drawPacket(rng, spec)
			}
			in := plainIn{rstN: c != 0, rxValid: rng.IntN(8) != 0, rx: beats[0], grantValid: rng.IntN(2) == 0,
				cfgValid: rng.IntN(30) == 0, cfg: drawCfg(rng, spec), txReady: rng.IntN(8) != 0, noteReady: rng.IntN(4) != 0,
				grReady: rng.IntN(4) != 0, cfgrReady: rng.IntN(4) != 0}
			in.grant.Port = uint8(rng.IntN(spec.NumPorts + 1))
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			plain.Cycle(rec[:], want[:])
			require.Equal(t, want, got)
			if in.rxValid && got[0]&port.OutRxReady != 0 {
				beats = beats[1:]
			}
			if got[0]&port.OutNoteValid != 0 && in.noteReady {
				var x port.Note
				port.UnpackNote(got[:], &x)
				if v := next("note"); x.Verdict != port.VerdictNone {
					require.Equal(t, [2]uint64{uint64(x.Cls), uint64(x.Len)}, [2]uint64{v["egress c"], v["egress n"]})
					met["note "+x.Verdict.String()]++
					if size, ok := v["trimmer T"]; ok && x.Verdict == port.VerdictTrim {
						require.Equal(t, uint64(x.Len), size)
						met["note of a size"]++
					}
				}
			}
			if got[0]&port.OutGrValid != 0 && in.grReady {
				var x port.Gr
				port.UnpackGr(got[:], &x)
				v := next("gr")
				if chosen, ok := v["egress c"]; ok {
					require.Equal(t, uint64(x.Cls), chosen)
					met["gr"]++
				}
			}
			if got[0]&port.OutTxValid != 0 && in.txReady {
				var x port.Tx
				port.UnpackTx(got[:], &x)
				v := next("tx")
				require.Equal(t, out, v["intmd beat"])
				if size, ok := v["trimmer T"]; ok && !x.Inserted {
					require.Equal(t, x.Last, (size+63)/64 == out+1)
					met["tx trimmed"]++
				}
				if x.Inserted {
					require.Equal(t, uint64(x.Hops), v["intmd h"]+1)
					met["tx inserted"]++
				}
				if out++; x.Last {
					out = 0
				}
			}
			if got[0]&port.OutCfgrValid != 0 && in.cfgrReady {
				next("cfgr")
				met["cfgr"]++
			}
		}
	}
	for _, name := range []string{"note of a size", "note ADMIT", "note TRIM", "note DROP", "gr", "tx trimmed",
		"tx inserted", "cfgr"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}
