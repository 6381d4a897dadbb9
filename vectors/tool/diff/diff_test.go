package diff_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool/diff"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
)

func TestEveryDifferenceIsFound(t *testing.T) {
	whole := tooltest.Data(t, 3, nil)
	for n := range uint64(tooltest.Records) {
		other := tooltest.Data(t, 3, tooltest.Flip(n))
		for _, turn := range [][2][]byte{{whole, other}, {other, whole}} {
			a, b := tooltest.File("a", turn[0]), tooltest.File("b", turn[1])
			var out bytes.Buffer
			differ, err := diff.Files(&out, &a, &b, 0)
			require.NoError(t, err)
			require.True(t, differ, "record %d", n)
			require.Contains(t, out.String(), "1 of 30 transactions differ")
		}
	}
	a, b := tooltest.File("a", whole), tooltest.File("b", bytes.Clone(whole))
	var out bytes.Buffer
	differ, err := diff.Files(&out, &a, &b, 10)
	require.NoError(t, err)
	require.False(t, differ)
	require.Equal(t, "the same 30 transactions\n", out.String())
}

func TestOneFileEndsBeforeTheOther(t *testing.T) {
	whole := tooltest.Data(t, 3, nil)
	short := tooltest.Data(t, 3, func(_ *event.Layout, rec *format.Record) bool { return rec.Number < 29 })
	for _, turn := range [][2][]byte{{whole, short}, {short, whole}} {
		a, b := tooltest.File("a", turn[0]), tooltest.File("b", turn[1])
		var out bytes.Buffer
		differ, err := diff.Files(&out, &a, &b, 10)
		require.NoError(t, err)
		require.True(t, differ)
		require.Contains(t, out.String(), "ends after 29 transactions")
	}
}

// A difference stays found when a file proves damaged after it, and damage alone is none.
func TestDamageAfterADifference(t *testing.T) {
	whole, other := tooltest.Data(t, 3, nil), tooltest.Data(t, 3, tooltest.Flip(7))
	for _, c := range []struct {
		data   []byte
		differ bool
	}{{other, true}, {whole, false}} {
		a, b := tooltest.File("a", whole), tooltest.File("b", c.data[:len(c.data)-3])
		var out bytes.Buffer
		differ, err := diff.Files(&out, &a, &b, 10)
		require.ErrorContains(t, err, "b: ")
		require.Equal(t, c.differ, differ, out.String())
		require.NotContains(t, out.String(), "the same")
	}
}
