package net

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFairRate are the worked examples of congestion-control.md, section 7, for the switch, and the bounds.
func TestFairRate(t *testing.T) {
	r := fairRuleOf(100)
	require.Equal(t, fairRule{10, 10000, 500, 1000, 1100, 0.45, 2.25}, r)
	for _, c := range []struct {
		name         string
		f, q, old    float64 // queues in bytes
		want         float64
		rule         *fairRule
		wantIsApprox bool
	}{
		{"proportional and integral", 10000, 330000, 0, 8740, &r, false},
		{"much too long", 10000, 700000, 300000, 10, &r, false},
		{"too long at the threshold", 10000, 660000, 659000, 10, &r, false},
		{"grows fast", 10000, 620000, 10000, 5000, &r, false},
		{"grows fast at the threshold", 10000, 600000, 0, 5000, &r, false},
		{"quarter of the rate", 2500, 360000, 330000, 2421.25, &r, false},
		{"an eighth takes no shortcut", 1250, 700000, 0, 1250 - 0.45/4*(700000./600-500) - 2.25/4*700000/600, &r, true},
		{"not below the least", 10, 700000, 0, 10, &r, false},
		{"not above the most", 10000, 0, 0, 10000, &r, false},
		{"an empty queue raises it", 5000, 0, 0, 5225, &r, false},
	} {
		got := c.rule.next(c.f, c.q/fairUnit, c.old/fairUnit)
		if c.wantIsApprox {
			require.InDelta(t, max(c.want, 10), got, 1e-9, c.name)
		} else {
			require.InDelta(t, c.want, got, 1e-9, c.name)
		}
	}
	require.Equal(t, fairRule{10, 4000, 250, 500, 600, 0.3, 1.5}, fairRuleOf(40))
	require.Equal(t, fairRule{10, 40000, 2000, 4000, 4400, 0.45, 2.25}, fairRuleOf(400))
}

// TestFairRateSettles: at the fixed point, Q = Qref and F = C/N, nothing moves; beside it the rule leads back.
func TestFairRateSettles(t *testing.T) {
	r := fairRuleOf(100)
	require.InDelta(t, 5000, r.next(5000, 500, 500), 1e-9)
	f, q, old := 10000.0, 0.0, 0.0
	for range 2000 {
		f = r.next(f, q, old)
		old = q
		// Two flows at the fair rate for 40 us into a link of 10,000 units: a unit is 10 Mb/s, 50 bytes in 40 us.
		q = max(0, q+(2*f-10000)*50/fairUnit)
	}
	require.InDelta(t, 5000, f, 25)
	require.InDelta(t, 500, q, 25)
}
