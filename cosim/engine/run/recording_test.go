package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A recording repeats its episode exactly, inputs and outputs, through the cycle it was made for, whatever waits on the
// other streams there. A failure is explained from it.
func TestRecordingRepeatsItsEpisode(t *testing.T) {
	t.Parallel()
	for _, name := range block.Blocks() {
		t.Run(name, func(t *testing.T) {
			k, err := block.Lookup(name)
			require.NoError(t, err)
			e := &lockstep{engine: &engine{cfg: Config{Block: name}, kind: k, judge: score.NewJudge(k.Schema)}}
			e.params, err = k.Schema.Values(nil)
			require.NoError(t, err)
			// episode returns the episode with that number of the source.
			episode := func(index int) *stim.Episode {
				src, err := block.Open(name, "random", stim.Options{Seed: 3, Events: 9000, Params: e.params, TickNs: 1})
				require.NoError(t, err)
				t.Cleanup(func() { src.Close() })
				for ; ; index-- {
					ep, ok := src.Next()
					require.True(t, ok)
					if index == 0 {
						return ep
					}
				}
			}
			// trace plays cycles of an episode and returns their records, input and output in turn.
			trace := func(ep *stim.Episode, cycles uint64) (recs [][]uint64) {
				p, err := e.playerOf(ep)
				require.NoError(t, err)
				for p.Cycles < cycles {
					in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
					if !p.More(in) {
						break
					}
					p.Cycle(in, out)
					recs = append(recs, in, out)
				}
				return recs
			}
			for index := range 3 {
				whole := trace(episode(index), 4000)
				for at := uint64(5); at < uint64(len(whole)/2); at += 97 {
					rec, err := e.recordUntil(t.Context(), episode(index), at)
					require.NoError(t, err)
					again := trace(rec.Episode(name), at+1)
					require.Equal(t, int(at+1), len(again)/2, "%s: the recording ends before cycle %d", rec.Name, at)
					for i, r := range again {
						require.Equal(t, whole[i], r, "%s recorded through cycle %d: cycle %d", rec.Name, at, i/2)
					}
				}
			}
		})
	}
}
