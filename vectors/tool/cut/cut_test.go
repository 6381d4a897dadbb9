package cut_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool/cut"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
)

func TestStretches(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	all := tooltest.All(t, data)
	for name, c := range map[string]struct {
		want     cut.Range
		from, to int // copied, both included
	}{
		"all":               {cut.Range{To: cut.End}, 0, 29},
		"to":                {cut.Range{To: 4}, 0, 4},
		"to the last":       {cut.Range{To: 29}, 0, 29},
		"within an episode": {cut.Range{From: 15, To: 17}, 10, 17},
		"an episode begins": {cut.Range{From: 20, To: cut.End}, 20, 29},
		"first episode":     {cut.Range{To: cut.End, Episode: "e/0"}, 0, 9},
		"second episode":    {cut.Range{To: cut.End, Episode: "e/1"}, 10, 19},
		"last episode":      {cut.Range{To: cut.End, Episode: "e/2"}, 20, 29},
	} {
		t.Run(name, func(t *testing.T) {
			f := tooltest.File("f.gwv", data)
			s, err := cut.Find(&f, c.want)
			require.NoError(t, err)
			var out bytes.Buffer
			h, totals, err := cut.Write(&out, &f, s)
			require.NoError(t, err)
			require.EqualValues(t, 3, h.Seed)
			require.Equal(t, []string{"vectors", "gen", "|", "vectors", "cut", "--from"}, h.Args[:6])
			require.EqualValues(t, c.to-c.from+1, totals.Records)
			got := tooltest.All(t, out.Bytes())
			require.Len(t, got, c.to-c.from+1)
			require.NotNil(t, got[0].Mark, "what is cut stands for itself")
			for i := range got {
				want := all[c.from+i]
				require.Equal(t, want.In, got[i].In)
				require.Equal(t, want.Out, got[i].Out)
				require.Equal(t, want.Mark, got[i].Mark)
			}
		})
	}
}

func TestStretchesThatAreNotThere(t *testing.T) {
	f := tooltest.File("f.gwv", tooltest.Data(t, 3, nil))
	var beyond *cut.Beyond
	_, err := cut.Find(&f, cut.Range{From: 30, To: cut.End})
	require.ErrorAs(t, err, &beyond)
	require.Equal(t, cut.Beyond{Record: 30, Records: 30}, *beyond)
	require.EqualError(t, err, "it has 30 records, 0 to 29")
	_, _, err = cut.Write(&bytes.Buffer{}, &f, cut.Range{To: 30})
	require.ErrorAs(t, err, &beyond)
	require.Equal(t, cut.Beyond{Record: 30, Records: 30}, *beyond)
	var none *cut.NoEpisode
	_, err = cut.Find(&f, cut.Range{To: cut.End, Episode: "e/3"})
	require.ErrorAs(t, err, &none)

	empty := tooltest.File("empty.gwv", tooltest.Data(t, 3, func(*event.Layout, *format.Record) bool { return false }))
	_, _, err = cut.Write(&bytes.Buffer{}, &empty, cut.Range{To: cut.End})
	require.ErrorAs(t, err, &beyond, "nothing is no file")
}

// A file that is damaged within the stretch gives an error.
func TestDamage(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	f := tooltest.File("f.gwv", data[:len(data)-20])
	_, _, err := cut.Write(&bytes.Buffer{}, &f, cut.Range{To: cut.End})
	require.ErrorContains(t, err, "f.gwv: ")
}
