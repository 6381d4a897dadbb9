package format

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestRoundTrip(t *testing.T) {
	for _, schema := range []string{tiny, wide} {
		for _, per := range []string{PerCycle, PerTransaction} {
			h := header(t, schema, per)
			full := tinyFrame
			if schema == wide {
				full = wideFrame
			}
			for _, n := range []int{0, 1, 2, 777, full - 1, full, full + 1} {
				d := draw(t, schema, per, n)
				data, totals := write(t, h, d)
				got, err := check(t, data, d)
				require.NoError(t, err)
				require.Equal(t, n, got)
				require.EqualValues(t, n, totals.Records)
				require.EqualValues(t, len(d.marks), totals.Episodes)
				r, err := NewReader(bytes.NewReader(data))
				require.NoError(t, err)
				require.Equal(t, h, *r.Header())
				for range r.All() {
				}
				require.Equal(t, totals, r.Totals())
				again, _ := write(t, h, d)
				require.True(t, bytes.Equal(data, again), "equal contents, other bytes")
			}
		}
	}
}

// What an encoder wrote before must not show: a file made in a long process is the same.
func TestBytesDoNotDependOnHistory(t *testing.T) {
	h, d := header(t, wide, PerCycle), draw(t, wide, PerCycle, 12000)
	whole, _ := write(t, h, d)
	r, err := NewReader(bytes.NewReader(whole))
	require.NoError(t, err)
	require.NoError(t, r.load())
	second := r.offset
	require.NoError(t, r.load())
	// The second frame alone, as the first of a file of its own.
	k := wideFrame
	part := drawn{in: d.in[k : 2*k], out: d.out[k : 2*k], marks: map[int]Mark{}}
	for at, m := range d.marks {
		if at >= k && at < 2*k {
			part.marks[at-k] = m
		}
	}
	alone, _ := write(t, h, part)
	r, err = NewReader(bytes.NewReader(alone))
	require.NoError(t, err)
	first := r.offset
	require.NoError(t, r.load())
	n := r.offset - first
	require.True(t, bytes.Equal(whole[second+chunkSize:second+n], alone[first+chunkSize:first+n]))
}

func TestWriteDropsBitsWithoutMeaning(t *testing.T) {
	h := header(t, tiny, PerTransaction)
	var buf bytes.Buffer
	w, err := NewWriter(&buf, h)
	require.NoError(t, err)
	w.Mark("lost", 1)
	w.Mark("kept", 2)
	require.NoError(t, w.Write([]uint64{^uint64(0)}, []uint64{^uint64(0) &^ 2}))
	w.Mark("begins nothing", 3)
	totals, err := w.Close()
	require.NoError(t, err)
	require.EqualValues(t, 1, totals.Episodes)
	require.Equal(t, map[string]uint64{"ev": 1, "rsp": 0}, totals.Transfers)
	r, err := NewReader(&buf)
	require.NoError(t, err)
	rec, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, &Mark{"kept", 2}, rec.Mark)
	require.EqualValues(t, 0b11|(1<<22-1)<<3, rec.In[0], "no ready, nothing beyond the fields")
	require.Zero(t, rec.Out[0], "no ready, no field without valid")
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	require.Error(t, w.Write([]uint64{0}, []uint64{0}), "closed")
	_, err = w.Close()
	require.Error(t, err, "closed")
}

func TestTransfersPerCycleAreHandshakes(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, header(t, tiny, PerCycle))
	require.NoError(t, err)
	for _, x := range [][2]uint64{{0b110, 0b11}, {0b110, 0b11}, {0b111, 0b11}, {0b011, 0b10}, {0b101, 0b11}, {0b000, 0}} {
		require.NoError(t, w.Write([]uint64{x[0]}, []uint64{x[1]}))
	}
	totals, err := w.Close()
	require.NoError(t, err)
	require.Equal(t, map[string]uint64{"ev": 1, "rsp": 2}, totals.Transfers)
	require.EqualValues(t, 2, totals.Resets)
}

func TestHeaderMustAgreeWithItsSchema(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Header)
		want  string
	}{
		"per":     {func(h *Header) { h.Per = "byte" }, `per "byte"`},
		"pairing": {func(h *Header) { h.Pairing = "" }, `pairing ""`},
		"answers": {func(h *Header) { h.Pairing = PairAnswers }, "one stream each way"},
		"block":   {func(h *Header) { h.Block = "other" }, `schema is that of "wide"`},
		"hash":    {func(h *Header) { h.SchemaHash = "0" }, "schema hash 0"},
		"other":   {func(h *Header) { h.SchemaHash = header(t, tiny, PerCycle).SchemaHash }, "but its schema has "},
		"params":  {func(h *Header) { h.Params = nil }, "0 parameters"},
		"param":   {func(h *Header) { h.Params = map[string]int{"Port": 4} }, "parameter Ports of block wide is missing"},
		"schema":  {func(h *Header) { h.Schema = "block: [" }, "schema"},
	} {
		h := header(t, wide, PerCycle)
		c.spoil(&h)
		_, err := NewWriter(io.Discard, h)
		require.ErrorContains(t, err, c.want, name)
	}
}

type fullDisk struct{ left int }

func (f *fullDisk) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func TestWriteErrorsStay(t *testing.T) {
	d := draw(t, wide, PerCycle, 3000)
	for _, room := range []int{0, 20, 2000} {
		w, err := NewWriter(&fullDisk{room}, header(t, wide, PerCycle))
		if err == nil {
			for i := 0; i < len(d.in) && err == nil; i++ {
				err = w.Write(d.in[i], d.out[i])
			}
			_, err = w.Close()
		}
		require.ErrorContains(t, err, "disk full")
	}
}

func TestSchemaText(t *testing.T) {
	other, err := event.Parse([]byte(wide))
	require.NoError(t, err)
	for _, b := range []*event.Block{ccc.Schema(), txstate.Schema(), other} {
		text, err := SchemaText(b)
		require.NoError(t, err)
		back, err := event.Parse([]byte(text))
		require.NoError(t, err)
		again, err := SchemaText(back)
		require.NoError(t, err)
		require.Equal(t, text, again, "one text per schema")
		require.Equal(t, b.Hash(), back.Hash())
		require.Equal(t, b.Streams, back.Streams, "documentation included")
	}
}

// A file of version 1, kept: it must stay readable by every later version.
func TestKeptFile(t *testing.T) {
	path := filepath.Join("testdata", "version1.gwv")
	h, d := header(t, wide, PerTransaction), draw(t, wide, PerTransaction, 60)
	if *update {
		data, _ := write(t, h, d)
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, data, 0o666))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	n, err := check(t, data, d)
	require.NoError(t, err)
	require.Equal(t, 60, n)
	now, _ := write(t, h, d)
	require.True(t, bytes.Equal(data, now),
		"other bytes than before: raise Version or mend the writer; after an update of the zstd library, run with -update "+
			"and say so")
}

func TestComparerAndText(t *testing.T) {
	b, err := event.Parse([]byte(wide))
	require.NoError(t, err)
	c := NewComparer(b)
	l := event.NewLayout(b)
	want, got := make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
	data := l.Out.Slot("cut", "data")
	want[0] = l.Out.Control("cut_valid")
	copy(got, want)
	l.Out.Slot("drop", "why").Set(got, 5)
	require.True(t, c.Equal(want, got), "drop is not valid")
	require.Empty(t, c.Diff(want, got))
	got[data.Word+7] = 1 << 63
	require.False(t, c.Equal(want, got))
	diff := c.Diff(want, got)
	require.Len(t, diff, 1)
	require.Equal(t, "cut.data", diff[0].Name)
	require.Equal(t, strings.Repeat("0000000000000000_", 7)+"0000000000000080", diff[0].Got)
	got[0] ^= l.Out.Control("pkt_ready")
	require.Equal(t, Difference{"pkt_ready", "0", "1"}, c.Diff(want, got)[0])
	v := l.In.Slot("cfg", "v")
	in := make([]uint64, l.In.Words)
	in[v.Word], in[v.Word+1] = 0xfedcba9876543210, 0x3f
	require.Equal(t, "0x3ffedcba9876543210", Hex(v, in))

	b, err = event.Parse([]byte(tiny))
	require.NoError(t, err)
	l = event.NewLayout(b)
	out := []uint64{0}
	l.Out.Slot("rsp", "kind").Set(out, 1)
	l.Out.Slot("rsp", "s").Set(out, 0x1ff)
	require.Equal(t, "SUB", Text(b, l.Out.Slot("rsp", "kind"), out))
	require.Equal(t, "-1", Text(b, l.Out.Slot("rsp", "s"), out))
	require.Equal(t, "0x1ff", Hex(l.Out.Slot("rsp", "s"), out))
}

func TestComparerIsTheLayoutsRule(t *testing.T) {
	b, err := event.Parse([]byte(wide))
	require.NoError(t, err)
	l, c := event.NewLayout(b), NewComparer(b)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Uint64(), l.Out.Words, l.Out.Words).Draw(t, "want")
		got := slices.Clone(want)
		got[rapid.IntRange(0, len(got)-1).Draw(t, "word")] ^= rapid.Uint64().Draw(t, "flip")
		require.Equal(t, l.Equal(want, got), c.Equal(want, got))
		require.Equal(t, l.Equal(want, got), len(c.Diff(want, got)) == 0)
	})
}
