package event

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every change of a mask or condition, and nothing else, changes the compare hash.
func TestCompareHash(t *testing.T) {
	parse := func(edits ...string) *Block {
		b, err := Parse([]byte(strings.NewReplacer(edits...).Replace(maskSchema)))
		require.NoError(t, err)
		return b
	}
	b := parse()
	require.Regexp(t, "^[0-9a-f]{16}$", b.CompareHash())
	plain := parse(", mask: keep", "", ", when: last && keep % 4 == Odd", "")
	require.Empty(t, plain.CompareHash())
	require.Equal(t, plain.Hash(), b.Hash())
	seen := map[string]bool{b.CompareHash(): true, "": true}
	for _, edits := range [][]string{
		{", mask: keep", ""},
		{", when: last && keep % 4 == Odd", ""},
		{"keep % 4 == Odd", "keep % 4 == 1"},
		{", mask: keep", ", mask: last"},
		{", mask: keep", ", mask: keep, when: last"},
		{"{name: last, width: 1", "{name: last, width: 1, when: keep"},
	} {
		// A condition may name only what is always compared.
		if strings.Contains(edits[0], "{name: last") {
			edits = append(edits, ", when: last && keep % 4 == Odd", "")
		}
		x := parse(edits...)
		require.False(t, seen[x.CompareHash()], "%v", edits)
		seen[x.CompareHash()] = true
		require.Equal(t, b.Hash(), x.Hash())
		require.Error(t, SameComparison("one", b, "two", x))
	}
	for _, edits := range [][]string{{"title: beats with masks", "title: others"},
		{"name: last, width: 1", "name: last, width: 1, show: hex"}} {
		require.Equal(t, b.CompareHash(), parse(edits...).CompareHash())
		require.NoError(t, SameComparison("one", b, "two", parse(edits...)))
	}
	require.EqualError(t, SameComparison("f.gwv", b, "dut.yaml", parse(", mask: keep", "")),
		"f.gwv has the compare hash "+b.CompareHash()+", and dut.yaml "+parse(", mask: keep", "").CompareHash()+
			": field tx.data is compared under mask keep, and always; give both the same schema")
	require.ErrorContains(t, SameComparison("f.gwv", plain, "dut.yaml", b),
		"f.gwv has the compare hash none (every bit), and dut.yaml "+b.CompareHash()+": field tx.data is compared always, "+
			"and under mask keep")
}
