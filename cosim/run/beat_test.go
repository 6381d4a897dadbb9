package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/gen"
)

// A byte that differs in a beat is named by its place in the packet, as counted here from the beats that were
// taken, and the beat and packet are; of what is not bytes the beat and packet only.
func TestDifferenceIsLocatedInItsPacket(t *testing.T) {
	for _, block := range []string{"trimmer", "intmd", "switchport"} {
		k, err := dut.Lookup(block)
		require.NoError(t, err)
		e := &engine{cfg: Config{Block: block}, kind: k, judge: score.NewJudge(k.Schema)}
		e.params, err = k.Params(nil)
		require.NoError(t, err)
		open := func() *gen.Episode {
			src, err := gen.Open(block, "random", gen.Options{Seed: 3, Events: 6000, Params: e.params, TickNs: 1})
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
		in, out := make([]uint64, p.inWords), make([]uint64, p.outWords)
		var frame []byte
		packets, looked := 0, 0
		for p.more(in) && looked < 40 {
			at := p.cycles
			p.cycle(in, out)
			if in[0]&l.In.Control("rst_n") == 0 {
				frame, packets = nil, 0
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
				m := &report.Mismatch{}
				for _, d := range diff {
					m.Fields = append(m.Fields, fieldOf(&d))
				}
				rec, err := e.recordUntil(open(), at)
				require.NoError(t, err)
				e.locate(m, rec, at, diff, out)
				require.Equal(t, fmt.Sprintf("beat %d of packet %d at tx, both counted from 0 since reset", beat, packets), m.Place)
				whole := append(append([]byte{}, frame...), data.Bytes(out)...)
				require.Contains(t, m.Fields[0].Byte, fmt.Sprintf("byte %d of the packet (%s): want %02x, got", 64*beat+19,
					packet.Region(whole, 64*beat+19), whole[64*beat+19]))
				require.Equal(t, 64*beat, m.Fields[0].Offset)
				require.Empty(t, m.Fields[1].Byte)
			}
			if in[0]&l.In.Control("tx_ready") == 0 {
				continue
			}
			if frame = append(frame, data.Bytes(out)...); last.Get(out) != 0 {
				frame, packets = nil, packets+1
			}
		}
		require.GreaterOrEqual(t, looked, 10, block)
	}
}
