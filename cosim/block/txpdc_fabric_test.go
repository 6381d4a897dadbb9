package block_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// passed counts what passes the ports of txpdc.
type passed map[string]int

func (p passed) Cycle(in, out []uint64) {
	if in[0]&txpdc.InRecValid != 0 && out[0]&txpdc.OutRecReady != 0 {
		p["records"]++
	}
	if in[0]&txpdc.InActReady != 0 && out[0]&txpdc.OutActValid != 0 {
		var a txpdc.Act
		txpdc.UnpackAct(out, &a)
		p[a.Kind.String()]++
		p["acknowledged"] += int(a.AckedPkts) + int(a.UnmarkPkts)
		if a.Kind == txpdc.ActionSent && !a.IsRtx {
			p["packets"]++
		}
	}
	if in[0]&txpdc.InRspReady != 0 && out[0]&txpdc.OutRspValid != 0 {
		var r txpdc.Response
		txpdc.UnpackResponse(out, &r)
		if p["commands"]++; r.Busy || r.Refused {
			p["commands that do not work"]++
		}
	}
}

func (passed) Holds(map[string]int) bool { return true }
func (passed) Wrong() int                { return 0 }
func (passed) Verdict() (int, []string)  { return 0, nil }

// Nothing comes back from the block to the simulated network, and yet it keeps in step: every command works, and every
// record acknowledges or refuses what the block has sent, but for the last ones of an episode that ends among them.
func TestTxpdcKeepsInStepWithTheFabric(t *testing.T) {
	b := lookup("txpdc")
	params, err := b.Schema.Values(nil)
	require.NoError(t, err)
	events, seeds := 20_000, uint64(1)
	if launchtest.Longer() {
		events, seeds = 150_000, 3
	}
	for name, shows := range map[string][]string{"fabric:permutation": nil, "fabric:incast32": {"NACKED"},
		"fabric:turnover": {"NACKED", "CLOSING", "FREED"}} {
		for seed := range seeds {
			src, err := b.Stimulus.Open(name, stim.Options{Seed: seed + 1, Events: events})
			require.NoError(t, err)
			ep, _ := src.Next()
			p := passed{}
			judged(t, b, params, ep, p)
			src.Close()
			require.NoError(t, src.Err())
			t.Log(name, p)
			require.Zero(t, p["commands that do not work"])
			require.Greater(t, p["records"], events/5)
			require.InDelta(t, p["records"], p["ACKED"]+p["NACKED"]+p["FREED"], 4, "records with an action")
			require.Greater(t, p["packets"], events/8)
			require.LessOrEqual(t, p["acknowledged"], p["packets"])
			require.Greater(t, p["acknowledged"], p["packets"]*9/10)
			for _, what := range shows {
				require.Greater(t, p[what], events/200, what)
			}
		}
	}
}
