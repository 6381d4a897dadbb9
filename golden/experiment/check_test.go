package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A check that measured nothing, in one run of several or in all, is vacuous whatever its bounds and its mark.
func TestNothingMeasuredNeverPasses(t *testing.T) {
	for _, mark := range []Mark{Headline, Plain, Weak} {
		c := Check{Name: "x", Mark: mark}
		for name, s := range map[string]sample{
			"none": nil, "nan": {math.NaN()}, "one of two": {1, math.NaN()}, "infinite": {math.Inf(1)},
		} {
			all := sample{1, 1}
			for _, got := range []Check{
				within(c, s, -1e9, 1e9), atLeast(c, s, -1e9), atMost(c, s, 1e9), below(c, s, all), below(c, all, s),
				below(c, s, s), within(c, ratio(s, all[:len(s)]), -1e9, 1e9), within(c, ratio(all, s), -1e9, 1e9),
				within(c, spread(all, s), -1e9, 1e9), within(c, spread(all[:len(s)], s), -1e9, 1e9),
			} {
				if len(s) == 0 && len(got.Measured) == 0 {
					t.Fatal(name)
				}
				require.Equal(t, Vacuous, got.Verdict, "%s %s: %s", mark, name, got.Measured)
				require.False(t, got.Holds)
			}
		}
	}
	require.Equal(t, Vacuous, within(Check{}, ratio(sample{1}, sample{0}), -1e9, 1e9).Verdict)
}

func TestVerdicts(t *testing.T) {
	c := Check{Mark: Plain}
	require.Equal(t, Pass, within(c, sample{1, 3}, 2, 2).Verdict)
	require.Equal(t, Fail, within(c, sample{1, 3}, 2.1, 3).Verdict)
	require.Equal(t, Fail, within(c, sample{1, 3}, 1, 1.9).Verdict)
	require.Equal(t, Pass, below(c, sample{1, 2}, sample{2, 3}).Verdict)
	require.Equal(t, Fail, below(c, sample{2}, sample{2}).Verdict) // without a random draw equal is not below
	require.Equal(t, Fail, below(c, sample{2, 3}, sample{1, 2}).Verdict)
	// Differences -1, 1, 1: mean 1/3, standard error 2/3.
	require.Equal(t, Undecided, below(c, sample{0, 1, 1}, sample{1, 0, 0}).Verdict)
	weak := Check{Mark: Weak}
	got := within(weak, sample{5}, 1, 2)
	require.Equal(t, Reported, got.Verdict)
	require.False(t, got.Holds)
	require.True(t, within(weak, sample{1}, 1, 2).Holds)
}
