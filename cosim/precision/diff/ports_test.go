package diff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// The same at the ports of the cycle-true model, pipeline, back-pressure and resets included: every response that it
// puts out is the one that fixed point gives to the events in the order of their acceptance.
func TestFixedIsTheModelAtItsPorts(t *testing.T) {
	for _, source := range sources() {
		t.Run(source, func(t *testing.T) {
			o := options(t, 5, 20_000)
			num, err := arith.NewFixed(ccc.Formats())
			require.NoError(t, err)
			party := NewParty[fixed.Num](num, SizeOf(o.Params))
			m, err := model.New(model.Spec{NumContexts: o.Params["NumContexts"], NumPdcs: o.Params["NumPdcs"],
				NumProfiles: o.Params["NumProfiles"]})
			require.NoError(t, err)
			src, err := block.Open(ccc.BlockName, source, o)
			require.NoError(t, err)
			defer src.Close()
			d := drive.NewDriver(event.NewLayout(ccc.Schema()))
			var in [ccc.InWords]uint64
			var out [ccc.OutWords]uint64
			compared := 0
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				var owed []ccc.Response
				for d.Begin(ep); d.Drive(in[:]); d.Observe(out[:]) {
					m.Cycle(in[:], out[:])
					if in[0]&ccc.InRstN == 0 {
						party.Reset()
						owed = nil
						continue
					}
					if out[0]&ccc.OutRspValid != 0 && in[0]&ccc.InRspReady != 0 {
						require.NotEmpty(t, owed, "%s: a response to no event", ep.Name)
						var got ccc.Response
						ccc.UnpackResponse(out[:], &got)
						require.Equal(t, got, owed[0], "%s, event %d", ep.Name, compared)
						owed = owed[1:]
						compared++
					}
					if in[0]&ccc.InEvValid != 0 && out[0]&ccc.OutEvReady != 0 {
						var ev ccc.Event
						ccc.UnpackEvent(in[:], &ev)
						var rsp ccc.Response
						party.Apply(&ev, &rsp)
						owed = append(owed, rsp)
					}
				}
				require.Empty(t, owed, "%s: events without a response", ep.Name)
			}
			require.NoError(t, src.Err())
			require.NoError(t, num.Err())
			require.Greater(t, compared, 5000)
		})
	}
}
