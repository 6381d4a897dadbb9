package shrink_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/cosim/engine/shrink"
)

func TestMinimizeFindsTheCulprits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		items := make([]int, n)
		for i := range items {
			items[i] = i
		}
		culprits := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, min(n, 5), rapid.ID).Draw(t, "culprits")
		fails := func(xs []int) (bool, error) {
			for _, c := range culprits {
				if !slices.Contains(xs, c) {
					return false, nil
				}
			}
			return true, nil
		}
		got, err := shrink.Minimize(context.Background(), items, 1<<20, fails)
		require.NoError(t, err)
		slices.Sort(culprits)
		require.Equal(t, culprits, got)
	})
}

func TestMinimizeKeepsToItsBudget(t *testing.T) {
	asked := 0
	got, err := shrink.Minimize(context.Background(), make([]int, 1000), 7, func([]int) (bool, error) {
		asked++
		return false, nil
	})
	require.NoError(t, err)
	require.Len(t, got, 1000)
	require.Equal(t, 7, asked)
}

func TestMinimizeReturnsTheBestOnError(t *testing.T) {
	boom := errors.New("device gone")
	calls := 0
	got, err := shrink.Minimize(context.Background(), []int{1, 2, 3, 4}, 100, func(xs []int) (bool, error) {
		if calls++; calls == 2 {
			return false, boom
		}
		return true, nil
	})
	require.ErrorIs(t, err, boom)
	require.Equal(t, []int{1, 2}, got)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = shrink.Minimize(ctx, []int{1, 2}, 100, func([]int) (bool, error) { return true, nil })
	require.ErrorIs(t, err, context.Canceled)
}
