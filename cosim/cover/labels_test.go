package cover

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSide(t *testing.T) {
	for d, want := range map[int64]int{-100: 0, -2: 0, -1: 1, 0: 2, 1: 3, 2: 4, 1 << 40: 4} {
		require.Equal(t, want, Side(50+d, 50), "%d", d)
	}
}
