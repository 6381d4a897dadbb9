package ccc

import port "github.com/goldwire/goldwire/vectors/event/ccc"

// State is one context. The embedded fields are those of the state words, in their stored widths:
// bytes, ticks, inc_bytes in byte*byte, AvgDelay in UQ32.16 ticks.
type State struct {
	Valid bool
	port.Words
}

// lastRcvd returns the rcvd_bytes last seen of PDC n, in units of 256 bytes.
func (s *State) lastRcvd(n uint8) *uint32 {
	switch n & 3 {
	case 0:
		return &s.LastRcvd0
	case 1:
		return &s.LastRcvd1
	case 2:
		return &s.LastRcvd2
	}
	return &s.LastRcvd3
}

// Config holds the configuration registers by address (port.RegMTU and so on), each within its
// width. Units and Q formats are in port.RegInfo.
type Config [port.NumRegs]uint64

// DefaultConfig returns the reset values: 100 Gb/s, 12 us, MTU 4096, a tick of 1 ns.
func DefaultConfig() Config {
	var c Config
	for addr := range c {
		c[addr] = port.RegInfo[addr].Reset
	}
	return c
}

// Write sets register addr to the low bits of data, as many as it is wide. It returns false and
// changes nothing when there is no such register or MTU would become 0.
func (c *Config) Write(addr uint8, data uint64) bool {
	if addr >= port.NumRegs {
		return false
	}
	v := data & (1<<port.RegInfo[addr].Width - 1)
	if addr == port.RegMTU && v == 0 {
		return false
	}
	c[addr] = v
	return true
}

// Bits of the CTRL register.
const (
	ctrlNoQuickAdapt = 1 << 0
	ctrlRCCC         = 1 << 1
)
