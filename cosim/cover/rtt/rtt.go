// Package rtt is what the coverage of blocks that sample round-trip times shares: the labels of RTTs and service times.
package rtt

import "github.com/goldwire/goldwire/cosim/cover"

// Labels of events that carry an RTT, of the RTT and of the service time that it is without.
var (
	Kinds    = cover.Labels("ACK NACK")
	Values   = cover.Labels("negative 0 1 usual 2^31-1 2^31 larger")
	Services = cover.Labels("0 1 usual 0xFFFE 0xFFFF")
)

// Service maps a service time to its place in Services.
func Service(service uint16) int { return cover.Band(service, 1, 2, 0xfffe, 0xffff) }

// Value maps an RTT of 48 bits to its place in Values.
func Value(raw uint64) int {
	return cover.Band(raw, 0, 1, 2, 1<<31-1, 1<<31, 1<<31+1) * cover.Bit(raw < 1<<47)
}
