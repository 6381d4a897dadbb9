package run

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// misbooks is a model of the switch port in which the booked and the actual length of one packet differ.
type misbooks struct {
	event.Model
	note, gr bool // report one byte more at these outputs
	tx       bool // one byte less leaves
	trimmed  bool // for a trimmed packet, else for an untrimmed one
	packet   int  // number of the packet at each output
	seen     [3]int
}

func (m *misbooks) Cycle(in, out []uint64) {
	m.Model.Cycle(in, out)
	count := func(i int, moved bool) bool {
		if moved {
			m.seen[i]++
		}
		return m.seen[i] == m.packet
	}
	if out[0]&switchport.OutNoteValid != 0 {
		var x switchport.Note
		switchport.UnpackNote(out, &x)
		if of := x.Trimmed == m.trimmed && x.Verdict != switchport.VerdictNone &&
			x.Verdict != switchport.VerdictDrop; m.note && of && count(0, in[0]&switchport.InNoteReady != 0) {
			x.Len++
			switchport.PackNote(&x, out)
		}
	}
	if out[0]&switchport.OutGrValid != 0 {
		var x switchport.Gr
		switchport.UnpackGr(out, &x)
		if of := x.Trimmed == m.trimmed && !x.Empty && !x.Refused; m.gr && of && count(1, in[0]&switchport.InGrReady != 0) {
			x.Len++
			switchport.PackGr(&x, out)
		}
	}
	if out[0]&switchport.OutTxValid != 0 && m.tx {
		var x switchport.Tx
		switchport.UnpackTx(out, &x)
		if x.Last && count(2, in[0]&switchport.InTxReady != 0) {
			x.Keep = 1<<(bits.TrailingZeros64(^x.Keep)-1) - 1
			switchport.PackTx(&x, out)
		}
	}
}

// A packet that leaves with another length than was booked ends the run. The report shows both lengths.
func TestBookedIsLeft(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"directed", "random", "fabric:incast32"} {
		for _, c := range []struct {
			name  string
			plant *misbooks
			wire  string // from the judge of packets
			cover string // from the coverage follower
		}{
			{"nothing", &misbooks{packet: 1 << 30}, "", ""},
			{"answer", &misbooks{gr: true, packet: 20}, "are booked for it", "answer"},
			{"answer of a trimmed packet", &misbooks{gr: true, trimmed: true, packet: 7}, "are booked for it", "grant answered"},
			{"note", &misbooks{note: true, packet: 20}, "", "note"},
			{"note and answer of a trimmed packet", &misbooks{note: true, gr: true, trimmed: true, packet: 7},
				"are booked for it", "for a packet that trimming leaves"},
			{"last byte", &misbooks{tx: true, packet: 30}, "are booked for it", "are booked with inserted"},
		} {
			t.Run(source+"/"+c.name, func(t *testing.T) {
				run, err := newEngine(t.Context(), Config{Root: "../../..", Block: "switchport", Source: source, Events: 6000,
					Seed: 2, ModelOnly: true})
				require.NoError(t, err)
				e := run.way.(*lockstep)
				require.NoError(t, e.fresh())
				c.plant.Model = e.play.Model
				c.plant.seen = [3]int{1, 1, 1} // the first packet that is shown
				e.play.Model = c.plant
				_, err = e.from(t.Context(), 0)
				require.NoError(t, err)
				require.Equal(t, c.plant.note || c.plant.gr || c.plant.tx, max(c.plant.seen[0], c.plant.seen[1],
					c.plant.seen[2]) > c.plant.packet, "planted")
				require.NoError(t, e.watch.Check())
				found := func(by string) *watch.Finding {
					all := e.watch.Findings()
					if i := slices.IndexFunc(all, func(f *watch.Finding) bool { return f.By == by }); i >= 0 {
						return all[i]
					}
					return nil
				}
				for _, x := range []struct {
					found *watch.Finding
					want  string
				}{{found(watch.ByPackets), c.wire}, {found(watch.ByCoverage), c.cover}} {
					if x.want == "" {
						require.Nil(t, x.found)
					} else {
						require.NotNil(t, x.found)
						require.Contains(t, x.found.Text, x.want)
					}
				}
			})
		}
	}
}
