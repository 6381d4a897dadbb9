package wordlen

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Origin is where the integer bits of a value come from.
type Origin string

// The origins.
const (
	Observed Origin = "observed" // the largest number of the sources, and the guard bits
	Proven   Origin = "proven"   // a bound that contract.md gives
	Contract Origin = "contract" // the contract's own format
)

// bound is a bound of contract.md: the integer bits that no number of the value exceeds, and the text that gives it.
type bound struct {
	bits uint8
	text string
}

// bounds holds them by value. Values that registers of any content or a LOAD can set have none but their format.
var bounds = map[string]bound{
	"delta":     {31, "If d < 2^23: delta = 256 d"},
	"service":   {23, "service = service_time << TIME_SHIFT"},
	"raw":       {31, "1 <= raw <= 2^31 - 1"},
	"outlier":   {30, "sample = base_rtt >> 2"},
	"avg_delay": {32, "It cannot leave UQ32.16."},
	"avg_step":  {32, "the difference\nsigned, the product exact, one floor"},
	"window":    {33, "33 bits, no wrap"},
	"ratio":     {1, "16 fraction bits, at most 1"},
	"factor":    {1, "f     = max(2^32 - GAMMA * ratio, MAX_MD_JUMP * 2^16)"},
}

// bitsOf returns the integer bits of the numbers that were brought to a value: of 2^n - 1 n, of -2^n n too.
func bitsOf(u arith.Use, f formats.Format) (n uint8) {
	for _, x := range []float64{u.Hi.Float64(), -u.Lo.Float64() - math.Ldexp(1, -int(f.Frac))} {
		if u.Count > 0 && x >= 1 {
			n = max(n, uint8(min(1+math.Ilogb(x), int(f.Int))))
		}
	}
	return n
}

// integers returns the integer bits of a value and where they come from. seen is bitsOf over all sources.
func integers(v *formats.Value, seen uint8, from Origin, guard int) (uint8, Origin) {
	n, origin := v.Format.Int, Contract
	if b, ok := bounds[v.Name]; ok && b.bits <= n {
		n, origin = b.bits, Proven
	}
	if k := int(seen) + guard; from == Observed && k < int(n) {
		return uint8(k), Observed
	}
	return n, origin
}
