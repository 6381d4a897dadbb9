package settings

import (
	"math"

	"github.com/goldwire/goldwire/golden/units"
)

// RoomFor returns the number of packets, and with them events, that the network
// can hold before its tables grow: a window for each host. Memory that is not
// used is not touched either.
func (s Spec) RoomFor(hosts int) int {
	window := min(s.BDP()*3/2/int64(s.MTU)+16, 1<<12)
	if s.Workload == Permutation && s.Rounds == 1 {
		window = min(window, s.FlowBytes/int64(s.MTU-s.HeaderBytes)+16)
	}
	return int(window) * hosts * 5 / 4
}

// SlotWidth returns the width of the wheel's slots as a power of two in
// picoseconds: the span in which the busy network has about four events.
func SlotWidth(spec Spec) uint {
	ports := float64(max(spec.Hosts(), 1) * hopsLongest)
	perPort := float64(spec.MTU) * float64(units.PerByte(spec.LinkGbps)) / 3
	w := math.Log2(4 * perPort / ports)
	return uint(min(max(w, 4), 20))
}

// hopsLongest is the number of links that the wheel's slot width assumes.
const hopsLongest = 6
