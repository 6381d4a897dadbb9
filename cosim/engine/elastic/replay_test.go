package elastic

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// partsOf writes a file of episodes of 60 events each.
func partsOf(t *testing.T, parts int) []byte {
	b, err := event.Parse([]byte(incr))
	require.NoError(t, err)
	var buf bytes.Buffer
	w, err := format.NewWriter(&buf, format.Header{Block: b.Name, Per: format.PerTransaction, Pairing: format.PairAnswers,
		SchemaHash: b.Hash(),
		Params:     map[string]int{}, Source: "drawn", Generator: "test", Schema: incr})
	require.NoError(t, err)
	for i := range 60 * parts {
		if i%60 == 0 {
			w.Mark(fmt.Sprintf("random/%d", i/60), 7)
		}
		id, x := uint64(i%4), uint64(i*37%256)
		require.NoError(t, w.Write([]uint64{rstN | evValid | evWords(id, x)[0]}, []uint64{rspValid | outFields(id, x+1)}))
	}
	_, err = w.Close()
	require.NoError(t, err)
	return buf.Bytes()
}

// A file's events come with the idles, the back-pressure and the resets of any source: a design that loses, drops or
// changes a response while its output is stalled does not pass, nor does one that keeps a response over a reset.
func TestFileStallsAndResets(t *testing.T) {
	const parts = 20
	data := partsOf(t, parts)
	finds := func(d *device) (found []Kind) {
		for i := range parts {
			out, _, err := playFile(t, d, data, fmt.Sprintf("random/%d", i))
			require.NoError(t, err)
			if f := out[0].Finding; f != nil {
				found = append(found, f.Kind)
			}
		}
		return found
	}
	require.Empty(t, finds(&device{}))
	require.Empty(t, finds(&device{every: 5}))
	for name, d := range map[string]*device{"withdrawn": {drop: true}, "changed": {alter: true}} {
		found := finds(d)
		require.Greater(t, len(found), parts/2, name)
		require.Contains(t, found, Unstable, name)
	}
	require.Greater(t, len(finds(&device{room: 12})), parts/2, "lost where it is full")
	require.NotEmpty(t, finds(&device{keeps: true}), "a response from before a reset")
}
