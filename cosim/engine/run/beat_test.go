package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/explain"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A differing byte in a beat is named by its offset in the packet, as counted here from the accepted beats, together
// with beat and packet. Other fields get only beat and packet.
func TestDifferenceIsLocatedInItsPacket(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"trimmer", "intmd", "switchport"} {
		k, err := block.Lookup(name)
		require.NoError(t, err)
		e := &lockstep{engine: &engine{cfg: Config{Block: name}, kind: k, judge: score.NewJudge(k.Schema)}}
		e.params, err = k.Schema.Values(nil)
		require.NoError(t, err)
		open := func() *stim.Episode {
			src, err := block.Open(name, "random", stim.Options{Seed: 3, Events: 6000, Params: e.params, TickNs: 1})
			require.NoError(t, err)
			t.Cleanup(func() { src.Close() })
			ep, ok := src.Next()
			require.True(t, ok)
			return ep
		}
		l := e.judge.Layout()
		data, keep, last := l.Out.Slot("tx", "data"), l.Out.Slot("tx", "keep"), l.Out.Slot("tx", "last")
		p, err := e.playerOf(open())
		require.NoError(t, err)
		in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
		var frame []byte
		packets, beats, looked := 0, 0, 0
		for p.More(in) && looked < 40 {
			at := p.Cycles
			p.Cycle(in, out)
			if in[0]&l.In.Control("rst_n") == 0 {
				frame, packets, beats = nil, 0, 0
				continue
			}
			if out[0]&l.Out.Control("tx_valid") == 0 {
				continue
			}
			beat := len(frame) / 64
			if beat > 0 {
				looked++
				got := append([]uint64(nil), out...)
				got[data.Word+2] ^= 0x75 << 24
				keep.Set(got, keep.Get(got)^1)
				diff := e.judge.Diff(out, got)
				require.Len(t, diff, 2)
				m := &report.Mismatch{Fields: fieldsOf(diff)}
				rec, err := e.recordUntil(t.Context(), open(), at)
				require.NoError(t, err)
				e.locate(m, rec, at, diff, out)
				require.Equal(t, fmt.Sprintf("beat %d of packet %d at tx, both counted from 0 since reset", beat, packets), m.Place)
				whole := append(append([]byte{}, frame...), data.Bytes(out)...)
				require.Contains(t, m.Fields[0].Byte, fmt.Sprintf("byte %d of the packet (%s): want %02x, got", 64*beat+19,
					packet.Region(whole, 64*beat+19), whole[64*beat+19]))
				require.Equal(t, 64*beat, m.Fields[0].Offset)
				require.Empty(t, m.Fields[1].Byte)
				for _, a := range e.eventsAt(rec, at, nil) {
					if a.out.Name == "tx" {
						require.Equal(t, [2]int{packets, beats}, [2]int{a.number, a.transfer})
						requireBeat(t, e, rec, at, &a, uint64(beat))
					}
				}
			}
			if in[0]&l.In.Control("tx_ready") == 0 {
				continue
			}
			beats++
			if frame = append(frame, data.Bytes(out)...); last.Get(out) != 0 {
				frame, packets = nil, packets+1
			}
		}
		require.GreaterOrEqual(t, looked, 10, name)
	}
}

// modelDevice is a model in place of a design. From one cycle on, one bit of its beats is wrong.
type modelDevice struct {
	model event.Model
	e     *lockstep
	cycle int
	wrong int // cycle from which beats after a packet's first are wrong; 0: never
}

func (d *modelDevice) Restart(uint32) error { return nil }

func (d *modelDevice) Step(in, out []uint64) error {
	l := d.e.judge.Layout()
	for i := range len(in) / l.In.Words {
		o := out[i*l.Out.Words : (i+1)*l.Out.Words]
		d.model.Cycle(in[i*l.In.Words:(i+1)*l.In.Words], o)
		if d.cycle++; d.wrong > 0 && d.cycle > d.wrong && o[0]&l.Out.Control("tx_valid") != 0 {
			o[l.Out.Slot("tx", "data").Word+2] ^= 0x75 << 24
		}
	}
	return nil
}

func (d *modelDevice) StepUntil(in, out []uint64, watch uint64) (int, error) {
	panic("cycle by cycle only")
}

func (*modelDevice) End() error { return nil }

// A comparison of two designs locates a difference in its packet in the same words as a run against our model.
func TestElasticDifferenceIsLocatedInItsPacket(t *testing.T) {
	t.Parallel()
	k, err := block.Lookup("trimmer")
	require.NoError(t, err)
	e := &lockstep{engine: &engine{cfg: Config{Block: "trimmer"}, kind: k, judge: score.NewJudge(k.Schema)}}
	e.params, err = k.Schema.Values(nil)
	require.NoError(t, err)
	open := func() *stim.Episode {
		src, err := block.Open("trimmer", "random", stim.Options{Seed: 3, Events: 6000, Params: e.params, TickNs: 1})
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		ep, ok := src.Next()
		require.True(t, ok)
		return ep
	}
	device := func(wrong int) *modelDevice {
		model, err := k.NewModel(e.params)
		require.NoError(t, err)
		return &modelDevice{model: model, e: e, wrong: wrong}
	}
	located, inside, packets := 0, 0, 0
	for wrong := 40; wrong < 400; wrong += 19 {
		out, err := elastic.PlayExact(t.Context(), device(wrong), device(0), open(), elastic.DefaultSpec(k.Schema))
		require.NoError(t, err)
		f := out.Finding
		if f == nil {
			continue // the episode was over
		}
		if f.Kind == elastic.Unstable {
			continue // the wrong cycle is not the first of a word that waits
		}
		require.Equal(t, elastic.Differs, f.Kind)
		got := &report.Mismatch{}
		ref, err := reference.Given{}.Start(t.Context(), &reference.Setup{Block: k, Params: e.params})
		require.NoError(t, err)
		(&answers{engine: &engine{kind: k, judge: e.judge}, ref: ref, spec: elastic.DefaultSpec(k.Schema)}).show(got, f)

		diff := e.judge.Diff(f.Want, f.Got)
		want := &report.Mismatch{Fields: fieldsOf(diff)}
		rec, err := e.recordUntil(t.Context(), open(), f.Cycle)
		require.NoError(t, err)
		e.locate(want, rec, f.Cycle, diff, f.Want)
		require.NotEmpty(t, got.Place)
		require.Contains(t, got.Fields[0].Byte, "of the packet")
		require.Equal(t, want.Place, got.Place)
		require.Equal(t, want.Fields, got.Fields)
		located++
		if got.Fields[0].Offset > 0 {
			inside++
		}
		if !strings.Contains(got.Place, "of packet 0 ") {
			packets++
		}
	}
	require.Greater(t, located, 5)
	require.Positive(t, inside)
	require.Positive(t, packets)
}

// requireBeat requires that the model explains an answer at tx in a cycle as the beat of its packet with that number.
func requireBeat(t *testing.T, e *lockstep, rec *play.Recording, at uint64, a *replied, beat uint64) {
	p, err := e.playerOf(rec.Episode(e.cfg.Block))
	require.NoError(t, err)
	x, err := explain.Of(t.Context(), &explain.Failure{Dir: "../../../vectors/event/" + e.cfg.Block, Block: e.kind.Schema,
		Outputs: []string{"tx_data"}, Player: p, Cycle: at, Stream: "tx", Number: a.transfer})
	require.NoError(t, err)
	told := x.Steps[slices.IndexFunc(x.Steps, func(d report.Derived) bool { return d.Name == "beat" })]
	require.Equal(t, fmt.Sprint(beat), told.Model)
}
