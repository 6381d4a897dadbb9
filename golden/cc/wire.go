package cc

import "github.com/goldwire/goldwire/golden/units"

// RcvdUnits returns accepted bytes, modulo 2^32, as the 24-bit wire value in units
// of 256 bytes, rounded up.
func RcvdUnits(n uint32) uint32 { return (n + 255) >> 8 }

// ServiceTick is the unit of service_time on the wire.
const ServiceTick = 128 * units.Nanosecond

// ServiceUnits returns a delay as the wire's service_time: units of 128 ns
// rounded down, at least 1, at most 0xFFFF (which means longer than that).
func ServiceUnits(d units.Picos) uint16 {
	return uint16(min(max(d/ServiceTick, 1), 0xFFFF))
}
