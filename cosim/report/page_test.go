package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func lone(p Panel) Part { return Figure{Panels: []Panel{p}} }

func TestPageIsSelfContained(t *testing.T) {
	figures := []Part{
		lone(Panel{Title: "queued, bytes", Curves: []Curve{{Name: "all & more", X: []float64{0, 1, 2, 3},
			Y: []float64{0, 4, 2, 0}}, {Name: "max", X: []float64{0, 1}, Y: []float64{1, 1}, Form: Dashed}}}),
		Figure{X: "completion time", Panels: []Panel{{Title: "share", Curves: []Curve{{X: []float64{5}, Y: []float64{1}}}}}},
		lone(Panel{Title: "empty"}),
		lone(Panel{Title: "counts", Log: true, Curves: []Curve{{Name: "a", X: []float64{0, 1, 2},
			Y: []float64{0, 2000, 1}}}}),
		lone(Panel{Title: "nothing", Log: true, Curves: []Curve{{Name: "a", X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}}}}),
		Figure{Name: "three <panels>", Panels: []Panel{{Title: "a"}, {Title: "b", Curves: []Curve{{Form: Dots, Name: "x<y",
			X: []float64{1, 2}, Y: []float64{math.NaN(), -7}}}}, {Title: "c", Lanes: []Lane{{Name: "<MD>", X: []float64{1}}}}}},
		Figure{Decades: true, Panels: []Panel{{Title: "d", Bars: []Bar{{-2, -1, 1, true}},
			Limit: &Limit{-2, "bound & more"}}}},
		Figure{},
	}
	p := Page{Title: "a <b> run", Banner: Banner{"DONE", "good", "2 of 2 flows"}, Sections: []Section{
		{Title: "Figures", Note: "of one seed", Parts: []Part{
			Table{Columns: Columns("figure", "value"), Rows: [][]Cell{Cells("mean", "12.5")}},
			Fold{"more", []Part{Text{Text: "in <here>", Dim: true, Mono: true}, Command("run <it>"),
				Heading("below"), Tiles{{"a", "1", "b"}}}}}},
		{Title: "Queues", Parts: figures},
		{Title: "Unfinished", Parts: []Part{List{Items: []string{"flow 7"}}}},
		{Key: "left out", Parts: []Part{Text{Text: "it has no title"}}},
	}}
	var a, b bytes.Buffer
	require.NoError(t, p.WriteHTML(&a))
	require.NoError(t, p.WriteHTML(&b))
	require.Equal(t, a.String(), b.String())
	text := a.String()
	for _, w := range []string{"a &lt;b&gt; run", "verdict good", "<td class=\"num\">12.5</td>", "all &amp; more",
		"completion time", "<li>flow 7</li>", "in &lt;here&gt;", "run &lt;it&gt;", "three &lt;panels&gt;", "&lt;MD&gt;",
		"bound &amp; more", "<summary>more</summary>"} {
		require.Contains(t, text, w)
	}
	for _, w := range []string{"<script", "http://", "https://", "src=", "@import", "url(", "NaN", "Inf", "ZgotmplZ",
		"it has no title"} {
		require.NotContains(t, text, w)
	}
	require.Equal(t, len(figures), strings.Count(text, "<svg"))
	require.Contains(t, text, "counts (logarithmic)")
	require.NotContains(t, text, "nothing (logarithmic)")
	for _, f := range figures {
		wellFormed(t, f.(Figure).SVG())
	}
	require.Equal(t, 1, strings.Count(text, "<style>"), "one style sheet")
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// A nil part is an error of the page, not a hole in it.
func TestPageWithANilPart(t *testing.T) {
	p := Page{Title: "x", Sections: []Section{{Title: "y", Parts: []Part{nil}}}}
	require.ErrorContains(t, p.WriteHTML(io.Discard), "a part of a section is nil")
}

func TestScale(t *testing.T) {
	draw := func(y ...float64) string {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i)
		}
		return lone(Panel{Log: true, Title: "cwnd", Curves: []Curve{{X: x, Y: y}}}).(Figure).SVG()
	}
	require.NotContains(t, draw(9000, 50000, 60000), "logarithmic")
	out := draw(900000, 4096, 8192, math.NaN())
	require.Contains(t, out, "logarithmic")
	require.Contains(t, out, ">10 k<")
	require.NotContains(t, out, "NaN")
	require.NotContains(t, draw(0, 900000), "logarithmic", "zero has no logarithm")
}

// Names that do not fit in a row continue in the next; none is drawn outside the figure.
func TestLegendWraps(t *testing.T) {
	var p Panel
	for range 20 {
		p.Curves = append(p.Curves, Curve{Name: "port tor0->host12"})
	}
	keys := p.legend()
	require.Len(t, keys, 20)
	require.Equal(t, 3, keys[19].row)
	for _, k := range keys {
		require.LessOrEqual(t, k.x+44+7*17, float64(plotWidth))
	}
	wellFormed(t, lone(p).(Figure).SVG())
}

// The unused part of a span is drawn but not filled, and its name and note are shown.
func TestSpans(t *testing.T) {
	f := Figure{X: "bit", Panels: []Panel{{Title: "bits", Spans: []Span{
		{Name: "cwnd", Note: "12 unused", To: 32, UsedTo: 20},
		{Name: "none", Note: "<all> unused", To: 32}}}}}
	svg := f.SVG()
	require.Equal(t, 2, strings.Count(svg, `<rect class="span" `))
	require.Equal(t, 1, strings.Count(svg, `<rect class="span used" `), "of a span without any use nothing is filled")
	require.Contains(t, svg, "cwnd: 12 unused")
	require.Contains(t, svg, "none: &lt;all&gt; unused")
}
