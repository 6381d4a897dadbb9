package credit

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Every register is in the table, and every rule in the contract. The widths of times follow from those of the
// registers: no sum of gaps leaves them.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("contract.md")
	require.NoError(t, err)
	table := Formats()
	of := func(name string) formats.Format {
		v, ok := table.Lookup(name)
		require.True(t, ok && v.Name == name, name)
		return v.Format
	}
	for _, r := range Schema().Registers {
		of(r.Name)
	}
	for _, v := range table.Values {
		if v.Kind == formats.Intermediate {
			require.True(t, strings.Contains(string(text), v.Rule), "contract: rule of %s", v.Name)
		}
	}
	gap, pull, wait, quanta := of("GAP"), of("g"), of("wait"), of("QUANTA")
	require.EqualValues(t, Frac, gap.Frac)
	require.Equal(t, formats.Format{Int: gap.Int + quanta.Int, Frac: gap.Frac}, pull)
	require.Equal(t, formats.Format{Int: pull.Int + 1, Frac: gap.Frac}, wait, "and less than a cycle that was left")
	require.Equal(t, of("target").Int-1, of("demand").Int)
}
