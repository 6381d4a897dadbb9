package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
)

// TestResetsComeAtEveryDistance plays the cases that put a reset after every beat and checks the ports: resets come at
// every distance from each beat of a packet, and the next packet leaves. For the switch port, resets also follow each
// grant.
func TestResetsComeAtEveryDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		block       string
		beats, span int
	}{
		{"trimmer", trimmer.HeadBeats + 2, trimmer.Release + trimmer.Emit},
		{"intmd", intmd.HeadBeats + 1, intmd.Release + intmd.Emit},
		{"switchport", 3, 26}, // from a grant to the first beat at tx
	} {
		for _, held := range []string{"", "-held"} {
			t.Run(c.block+held, func(t *testing.T) {
				src, err := block.Open(c.block, "directed/reset/every-beat"+held, stim.Options{Seed: 1})
				require.NoError(t, err)
				defer src.Close()
				ep, ok := src.Next()
				require.True(t, ok)
				l := layoutOf(t, c.block)
				m, in, out := newModel(t, c.block)
				d := drive.NewDriver(l)
				valid, ready, last := l.In.Control("rx_valid"), l.Out.Control("rx_ready"), l.In.Slot("rx", "last")
				txValid, txReady := l.Out.Control("tx_valid"), l.In.Control("tx_ready")
				type place struct{ beat, distance int }
				const grant = -1 // instead of a beat
				seen := map[place]bool{}
				beat, distance, left, resets := 0, 0, 0, 0
				low := true
				for d.Begin(ep); d.Drive(in); {
					m.Cycle(in, out)
					d.Observe(out)
					if in[0]&1 == 0 {
						if !low {
							seen[place{beat, distance}] = true
							if resets++; resets > 1 {
								require.True(t, left > 0 || held != "", "nothing leaves between reset %d and the next", resets-1)
							}
						}
						low, beat, left = true, 0, 0
						continue
					}
					low = false
					distance++
					if in[0]&valid != 0 && out[0]&ready != 0 {
						beat, distance = max(beat, 0)+1, 0
						if last.Get(in) != 0 {
							beat = 0 // the last beat
						}
					}
					if g := l.In.Control("grant_valid"); c.block == "switchport" && in[0]&g != 0 &&
						out[0]&l.Out.Control("grant_ready") != 0 {
						beat, distance = grant, 0
					}
					if out[0]&txValid != 0 && in[0]&txReady != 0 {
						left++
					}
				}
				behind := []int{grant}
				if c.block != "switchport" {
					behind = nil
				}
				for b := range c.beats {
					behind = append(behind, b)
				}
				for _, b := range behind {
					for n := range c.span {
						require.True(t, seen[place{b, n}], "no reset %d cycles behind beat %d (0: the last, -1: the grant)", n, b)
					}
				}
			})
		}
	}
}
