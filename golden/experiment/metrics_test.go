package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMetricsByHand(t *testing.T) {
	mean, se := MeanSE([]float64{1, 2, 3})
	require.InDelta(t, 2, mean, 1e-12)
	require.InDelta(t, 1/math.Sqrt(3), se, 1e-12) // standard deviation 1 of three values
	_, se = MeanSE([]float64{7})
	require.Zero(t, se)
	mean, _ = MeanSE(nil)
	require.True(t, math.IsNaN(mean))

	require.InDelta(t, 2.0/3, Variance([]float64{1, 2, 3}), 1e-12)

	require.InDelta(t, 2, Percentile([]float64{4, 2, 1, 3}, 50), 0) // two of four do not exceed 2
	require.InDelta(t, 4, Percentile([]float64{4, 2, 1, 3}, 99), 0)
	require.InDelta(t, 3, Percentile([]float64{4, 2, 1, 3}, 75), 0)
	require.True(t, math.IsNaN(Percentile(nil, 50)))

	require.InDelta(t, 1, Jain([]float64{5, 5}), 1e-12)
	require.InDelta(t, 0.8, Jain([]float64{1, 3}), 1e-12) // 16 / (2 * 10)
	require.InDelta(t, 0.25, Jain([]float64{1, 0, 0, 0}), 1e-12)
	require.True(t, math.IsNaN(Jain([]float64{0, 0})))

	require.InDelta(t, 0.5, Inflation(150, 100), 1e-12)
	require.True(t, math.IsNaN(Inflation(1, 0)))
}

func TestTimesByHand(t *testing.T) {
	times, rates := []float64{270, 285, 295, 301, 305, 310}, []float64{1, 100, 100, 95, 89, 50}
	require.InDelta(t, 5, SlowTime(times, rates, 300), 1e-12) // mean 100: 89 is the first below 90
	require.True(t, math.IsInf(SlowTime(times[:4], rates[:4], 300), 1))
	require.True(t, math.IsNaN(SlowTime(times, rates, 100)))

	at := []float64{0, 10, 20, 30}
	require.InDelta(t, 20, ConvergeTime(at, [][]float64{{50, 60, 57, 50}, {50, 40, 43, 50}}, 50), 0)
	require.True(t, math.IsInf(ConvergeTime(at, [][]float64{{50, 50, 50, 60}}, 50), 1))
	require.True(t, math.IsNaN(ConvergeTime(nil, nil, 50)))

	slots := []Slot{{0, 2, 1}, {4, 6, 1}, {9, 12, 1}}
	require.InDelta(t, 0.5, Utilisation(slots, 1, 11), 1e-12) // [1,2], [4,6] and [9,11] of 10
	require.True(t, math.IsNaN(Utilisation(slots, 3, 3)))
}

// TestFarthest: a value that is none is not forgotten, wherever it stands.
func TestFarthest(t *testing.T) {
	require.Equal(t, 5.0, farthest(3, []float64{2, 5, 4}))
	require.Equal(t, 0.0, farthest(3, []float64{0, 5, 4}))
	require.True(t, math.IsNaN(farthest(3, nil)))
	for i := range 3 {
		values := []float64{2, 5, 4}
		values[i] = math.NaN()
		require.True(t, math.IsNaN(farthest(3, values)), i)
	}
	mean, se := MeanSE([]float64{0.1, 0.1, 0.1})
	require.Equal(t, 0.1, mean)
	require.Zero(t, se, "equal values scatter by nothing")
}
