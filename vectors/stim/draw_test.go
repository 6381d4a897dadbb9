package stim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDrawnResetsComeAll draws for blocks without a sweep, with the shortest ones and with a long one. The driver never
// reaches a reset with a negative delay.
func TestDrawnResetsComeAll(t *testing.T) {
	for _, c := range []struct{ rows, credits, furthest int }{{0, 0, 1}, {0, 8, 1}, {1, 8, 2}, {2, 8, 3}, {64, 8, 65}} {
		t.Run(fmt.Sprint(c.rows, c.credits), func(t *testing.T) {
			r, d, resets, swept := Seeded(1, "", "drawn", 0), DriveSpec{}, 0, -1
			for range 5000 {
				d.Resets = DrawDrive(&r, &d, c.rows, c.credits)
				AimResets(&r, d.Resets, 100)
				for i, x := range d.Resets {
					resets++
					require.GreaterOrEqual(t, x.Delay, 0, "%+v", d.Resets)
					require.GreaterOrEqual(t, x.Low, 1)
					if i == 1 && x.After == 0 {
						swept = max(swept, x.Delay)
					}
				}
			}
			require.Greater(t, resets, 5000)
			require.Equal(t, c.furthest, swept, "a reset in the sweep comes as late as the cycle after it")
		})
	}
}
