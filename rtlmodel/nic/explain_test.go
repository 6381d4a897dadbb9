package nic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// What the blocks inside tell belongs to the note, the beat, the indication and the response that come of it.
// Explaining changes nothing, and each response is told once, no later than it is at its port.
func TestExplain(t *testing.T) {
	books := map[string]*contract.Book{}
	for _, name := range []string{"ackparse", "ackgen", "txpdc", "txstate", "ccc", "nic"} {
		b, err := event.Load("../../vectors/event/" + name + "/schema.yaml")
		require.NoError(t, err)
		books[name], err = contract.Open("../../vectors/event/"+name, b)
		require.NoError(t, err)
	}
	met := map[string]int{}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 83))
		spec := Spec{Contexts: 2, Receives: []int{4, 64}[seed%2]}
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
				block, rule, found := strings.Cut(s.Rule, "/")
				if !found {
					block, rule = "nic", s.Rule
				}
				require.NotNil(t, books[block].Rule(rule), s.Rule)
				if s.Value.IsUint64() {
					got[block+" "+s.Name] = s.Value.Uint64()
				}
			}
			for output, rules := range d.By {
				for _, rule := range rules {
					require.True(t, books["nic"].Decides(output, rule), "%s: %s", output, rule)
				}
			}
			return got
		}
		d := &traffic{r: r, spec: spec}
		d.begin()
		var in plainIn
		beat := uint64(0)
		for c := range 12000 {
			in = plainIn{rstN: true, txReady: r.IntN(8) > 0, indReady: r.IntN(4) > 0, noteReady: r.IntN(4) > 0,
				rspReady: r.IntN(4) > 0}
			if c == 6000 {
				in.rstN, beat = false, 0
				clear(told)
				d.begin()
			} else {
				if m.CmdReady() {
					in.cmdValid, in.cmd = true, d.command()
				}
				if m.RxReady() {
					if x := d.beat(); x != nil {
						in.rxValid, in.rx = true, *x
					}
				}
			}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			plain.Cycle(rec[:], want[:])
			require.Equal(t, want, got)
			if got[0]&port.OutNoteValid != 0 && in.noteReady {
				var x port.Note
				port.UnpackNote(got[:], &x)
				v := next("note")
				if x.Kind == port.ActSent {
					require.Equal(t, uint64(x.PDC), 4*v["txpdc c"]+v["txpdc slot"])
					met["note sent"]++
				}
				if x.Tx && x.Found && x.Kind != port.ActSent {
					require.Equal(t, uint64(x.PSN), v["txstate entry.psn"])
					met["note found"]++
				}
				if _, ok := v["ccc backlog"]; ok {
					met["note with a backlog"]++
				}
			}
			if got[0]&port.OutTxValid != 0 {
				require.NotEmpty(t, told["tx"])
				if in.txReady {
					var x port.Tx
					port.UnpackTx(got[:], &x)
					d.left(&x)
					v := next("tx")
					if x.Answer {
						require.Equal(t, beat, v["ackgen beat"])
						met["answer"]++
					} else {
						require.Equal(t, beat, v["nic beat"])
						require.Equal(t, x.Last, max(60, v["nic h"]+v["nic p"]) <= 64*(beat+1))
						met["packet"]++
					}
					if beat++; x.Last {
						beat = 0
					}
				}
			}
			if got[0]&port.OutIndValid != 0 && in.indReady {
				var x port.Ind
				port.UnpackInd(got[:], &x)
				require.Equal(t, uint64(x.PSN), next("ind")["ackgen psn"])
				met["ind"]++
			}
			if got[0]&port.OutRspValid != 0 && in.rspReady {
				var x port.Response
				port.UnpackResponse(got[:], &x)
				v := next("rsp")
				if _, ok := v["txpdc una"]; ok {
					require.Equal(t, port.TargetSource, x.Target)
					met["rsp of txpdc"]++
				}
				if _, ok := v["txstate hit"]; ok {
					require.Equal(t, port.TargetTimes, x.Target)
					met["rsp of txstate"]++
				}
			}
		}
	}
	for _, name := range []string{"note sent", "note found", "note with a backlog", "answer", "packet", "ind",
		"rsp of txpdc", "rsp of txstate"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}
