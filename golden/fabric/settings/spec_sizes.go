package settings

import (
	"math"

	"github.com/goldwire/goldwire/golden/units"
)

// SlotWidth returns the width of the wheel's slots as a power of two in
// picoseconds: the span in which one of so many parts of the busy network has about four events.
func SlotWidth(spec Spec, parts int) uint {
	ports := float64(max(spec.Hosts(), 1) * hopsLongest)
	perPort := float64(spec.MTU) * float64(units.PerByte(spec.LinkGbps)) / 3
	w := math.Log2(4 * perPort / ports * float64(parts))
	return uint(min(max(w, 4), 20))
}

// hopsLongest is the number of links that the wheel's slot width assumes.
const hopsLongest = 6
