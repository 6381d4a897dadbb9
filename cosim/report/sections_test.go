package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPageIsSelfContained(t *testing.T) {
	p := Page{Title: "a <b> run", Good: true, Word: "DONE", Line: "2 of 2 flows", Parts: []Section{
		{Title: "Figures", Note: "of one seed", Head: []string{"figure", "value"}, Rows: [][]string{{"mean", "12.5"}}},
		{Title: "Queues", Plots: []Plot{
			{Title: "queued, bytes", Curves: []Curve{{"all & more", []float64{0, 1, 2, 3}, []float64{0, 4, 2, 0}},
				{"max", []float64{0, 1}, []float64{1, 1}}}},
			{Title: "share", X: "completion time", Curves: []Curve{{"", []float64{5}, []float64{1}}}},
			{Title: "empty"},
			{Title: "counts", Log: true, Curves: []Curve{{"a", []float64{0, 1, 2}, []float64{0, 2000, 1}}}},
			{Title: "nothing", Log: true, Curves: []Curve{{"a", []float64{0, 1, 2}, []float64{0, 0, 0}}}},
		}},
		{Title: "Unfinished", List: []string{"flow 7"}},
	}}
	var a, b bytes.Buffer
	require.NoError(t, p.WriteHTML(&a))
	require.NoError(t, p.WriteHTML(&b))
	require.Equal(t, a.String(), b.String())
	text := a.String()
	for _, w := range []string{"a &lt;b&gt; run", "verdict good", "<td class=\"num\">12.5</td>", "all &amp; more",
		"completion time", "<li>flow 7</li>"} {
		require.Contains(t, text, w)
	}
	for _, w := range []string{"<script", "http://", "https://", "src=", "@import", "url(", "NaN", "Inf"} {
		require.NotContains(t, text, w)
	}
	require.Equal(t, 5, strings.Count(text, "<svg"))
	require.Contains(t, text, "counts (logarithmic)")
	require.NotContains(t, text, "nothing (logarithmic)")
	for _, plot := range p.Parts[1].Plots {
		d := xml.NewDecoder(strings.NewReader(plot.SVG()))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else {
				require.NoError(t, err)
			}
		}
	}
}
