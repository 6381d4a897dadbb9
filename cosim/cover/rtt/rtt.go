// Package rtt is what the coverage of blocks that sample round-trip times shares: the labels of RTTs and service times.
package rtt

import (
	"github.com/goldwire/goldwire/cosim/cover"
)

// Labels of events that carry an RTT, of the RTT and of the service time that it is without.
var (
	Kinds    = cover.Labels("ACK NACK")
	Values   = cover.Labels("negative 0 1 usual 2^31-1 2^31 larger")
	Services = cover.Labels("0 1 usual 0xFFFE 0xFFFF")
)

// Service maps a service time to its place in Services.
func Service(service uint16) int {
	switch service {
	case 0:
		return 0
	case 1:
		return 1
	case 0xfffe:
		return 3
	case 0xffff:
		return 4
	}
	return 2
}

// Value maps an RTT of 48 bits to its place in Values.
func Value(raw uint64) int {
	switch {
	case raw >= 1<<47:
		return 0
	case raw == 0:
		return 1
	case raw == 1:
		return 2
	case raw < 1<<31-1:
		return 3
	case raw == 1<<31-1:
		return 4
	case raw == 1<<31:
		return 5
	}
	return 6
}
