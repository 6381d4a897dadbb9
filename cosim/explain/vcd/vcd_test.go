package vcd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const dump = `$timescale 1ps $end
$scope module TOP $end
$var wire 1 gw0 clk $end
$var wire 8 # q [7:0] $end
$upscope $end
$enddefinitions $end
#1000
0gw0
b0 #
#1500
1gw0
#3000
0gw0
b11 #
`

// values returns what a dump shows: by time, the signals in the order of the header.
func values(t *testing.T, text string) (out []string) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text))
	require.NoError(t, err)
	for {
		at, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			return out
		}
		line := []string{}
		for _, s := range r.Signals() {
			line = append(line, s.Name+"="+r.Value(s.ID))
		}
		out = append(out, strings.Join(append([]string{string(rune('0' + at/1000)), "."}, line...), " "))
	}
}

// Merge keeps every value of the dump, puts its own beside them in their time, and takes no identifier twice.
func TestMerge(t *testing.T) {
	var tr Tracks
	word, text := tr.Add(4, "n", "mine", "a"), tr.Add(0, "say", "mine", "b")
	tr.At(1000)
	tr.Set(word, Binary(5, 4))
	tr.Set(text, "two words")
	tr.At(2000)
	tr.Set(word, Unknown)
	tr.Set(text, "")
	tr.At(2500)
	tr.Set(word, Unknown) // no change
	tr.At(5000)
	tr.Set(word, Binary(0x1f, 4))
	var b bytes.Buffer
	require.NoError(t, Merge(&b, strings.NewReader(dump), &tr, 6000))
	require.Equal(t, []string{
		"1 . TOP.clk=0 TOP.q=b0 mine.a.n=b0101 mine.b.say=stwo,words",
		"1 . TOP.clk=1 TOP.q=b0 mine.a.n=b0101 mine.b.say=stwo,words",
		"2 . TOP.clk=1 TOP.q=b0 mine.a.n=bx mine.b.say=s-",
		"2 . TOP.clk=1 TOP.q=b0 mine.a.n=bx mine.b.say=s-",
		"3 . TOP.clk=0 TOP.q=b11 mine.a.n=bx mine.b.say=s-",
		"5 . TOP.clk=0 TOP.q=b11 mine.a.n=b1111 mine.b.say=s-",
		"6 . TOP.clk=0 TOP.q=b11 mine.a.n=b1111 mine.b.say=s-",
	}, values(t, b.String()))
	require.Equal(t, "mine.a.n[3:0]", word.Path())
	require.Equal(t, "mine.b.say", text.Path())
}

// A design that ran no cycle of the window leaves only a header, and the tracks are there all the same.
func TestMergeWithoutTimes(t *testing.T) {
	var tr Tracks
	bit := tr.Add(1, "any", "mine")
	tr.At(7000)
	tr.Set(bit, "1")
	var b bytes.Buffer
	header, _, _ := strings.Cut(dump, "#1000")
	require.NoError(t, Merge(&b, strings.NewReader(header), &tr, 8000))
	require.Equal(t, []string{"7 . TOP.clk= TOP.q= mine.any=1", "8 . TOP.clk= TOP.q= mine.any=1"}, values(t, b.String()))

	require.ErrorContains(t, Merge(&b, strings.NewReader("#1\n"), &tr, 1), "no header")
	require.ErrorContains(t, Merge(&b, strings.NewReader(header+"#x\n"), &tr, 1), `time "#x"`)
}
