package merge_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/merge"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
)

func TestFilesOneAfterTheOther(t *testing.T) {
	three, four := tooltest.Data(t, 3, nil), tooltest.Data(t, 4, nil)
	files := []tool.File{tooltest.File("3", three), tooltest.File("4", four), tooltest.File("3", three)}
	h, err := merge.Header(files)
	require.NoError(t, err)
	require.Zero(t, h.Seed, "several seeds are none")
	require.Equal(t, "random", h.Source)
	require.Len(t, h.Args, 2+len(files), "the digest of each file")
	var out bytes.Buffer
	totals, err := merge.Files(&out, h, files)
	require.NoError(t, err)
	require.EqualValues(t, 3*tooltest.Records, totals.Records)
	got := tooltest.All(t, out.Bytes())
	for i, part := range [][]byte{three, four, three} {
		for k, want := range tooltest.All(t, part) {
			rec := got[i*tooltest.Records+k]
			require.Equal(t, want.In, rec.In)
			require.Equal(t, want.Out, rec.Out)
			require.Equal(t, want.Mark, rec.Mark)
		}
	}
	h, err = merge.Header([]tool.File{files[0], files[2]})
	require.NoError(t, err)
	require.EqualValues(t, 3, h.Seed)
}

func TestFilesThatDoNotGoTogether(t *testing.T) {
	good := tooltest.Data(t, 3, nil)
	headless := tooltest.Data(t, 3, func(l *event.Layout, rec *format.Record) bool { return rec.In[0]&l.Reset() != 0 })
	_, err := merge.Header([]tool.File{tooltest.File("a", good), tooltest.File("b", headless)})
	require.EqualError(t, err, "b: it does not begin with a reset, so it cannot follow another")
	_, err = merge.Header([]tool.File{tooltest.File("a", good), tooltest.File("b", good[:len(good)-9])})
	require.ErrorContains(t, err, "b: ", "a damaged file is found before anything is written")
	h, err := merge.Header([]tool.File{tooltest.File("a", good)})
	require.NoError(t, err)
	_, err = merge.Files(&bytes.Buffer{}, h, []tool.File{tooltest.File("a", good),
		tooltest.File("b", good[:len(good)-9])})
	require.ErrorContains(t, err, "b: ", "also when it is damaged since")
}
