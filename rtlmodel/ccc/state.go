package ccc

import port "github.com/goldwire/goldwire/vectors/event/ccc"

// State is one context. The embedded fields are those of the state words, in their stored widths:
// bytes, ticks, inc_bytes in byte*byte, AvgDelay in UQ32.16 ticks.
type State struct {
	Valid bool
	port.Words

	// LastRcvd is the last rcvd_bytes seen for each slot, in units of 256 bytes; the first NumPdcs slots exist. It
	// hides the field of the same name in Words, which stays 0 in a State.
	LastRcvd [port.MaxNumPdcs]uint32
}

// Word returns the state word at addr as READ returns it; for the word of last_rcvd, that of slot pdc; 0 beyond the
// last word. pdc must be below NumPdcs.
func (s *State) Word(addr int, pdc uint8) uint64 {
	if addr == port.WordLastRcvd {
		return uint64(s.LastRcvd[pdc])
	}
	return s.Words.Word(addr)
}

// SetWord sets the fields of the state word at addr from data, as LOAD does, but without the floor of the windows. The
// word of last_rcvd is that of slot pdc, which must be below NumPdcs.
func (s *State) SetWord(addr int, pdc uint8, data uint64) {
	if addr == port.WordLastRcvd {
		s.LastRcvd[pdc] = uint32(data & (1<<port.WordLastRcvdWidth - 1))
		return
	}
	s.Words.SetWord(addr, data)
}

// Registers holds the configuration registers that one profile sees, by address (port.RegMTU and so on), each
// within its width. Units and Q formats are in port.RegInfo.
type Registers [port.NumRegs]uint64

// Config holds the configuration registers of the block and the numbers of slots and profiles, against which events are
// checked. Spec.Config makes one. The zero Config has no profile.
type Config struct {
	sets        [port.MaxNumProfiles]Registers // by profile; the entry for TIME_SHIFT is not used
	timeShift   uint64                         // TIME_SHIFT, one for all profiles
	numPdcs     uint8
	numProfiles uint8
}

// DefaultConfig returns the reset values for the default parameters: 100 Gb/s, 12 us, MTU 4096, a tick of 1 ns
// in every profile.
func DefaultConfig() Config { return DefaultSpec().Config() }

// Profile returns the registers as the contexts of a profile see them, including TIME_SHIFT. The profile must be below
// NumProfiles.
func (c *Config) Profile(profile uint8) Registers {
	r := c.sets[profile]
	r[port.RegTimeShift] = c.timeShift
	return r
}

// has reports whether the profile has a register at that address. TIME_SHIFT exists once, for any profile number.
func (c *Config) has(profile, addr uint8) bool {
	return addr < port.NumRegs && (addr == port.RegTimeShift || profile < c.numProfiles)
}

// Read returns register addr of a profile. It returns false when there is no such register.
func (c *Config) Read(profile, addr uint8) (uint64, bool) {
	switch {
	case !c.has(profile, addr):
		return 0, false
	case addr == port.RegTimeShift:
		return c.timeShift, true
	}
	return c.sets[profile][addr], true
}

// Write sets register addr of a profile to the low bits of data, truncated to its width. It returns false and changes
// nothing when there is no such register or when MTU would become 0.
func (c *Config) Write(profile, addr uint8, data uint64) bool {
	if !c.has(profile, addr) {
		return false
	}
	v := data & (1<<port.RegInfo[addr].Width - 1)
	switch {
	case addr == port.RegTimeShift:
		c.timeShift = v
	case addr == port.RegMTU && v == 0:
		return false
	default:
		c.sets[profile][addr] = v
	}
	return true
}

// Bits of the CTRL register.
const (
	ctrlNoQuickAdapt = 1 << 0
	ctrlCreditOn     = 1 << 1
	ctrlAvgNoSample  = 1 << 2 // use_avg_without_sample
	ctrlNoWindow     = 1 << 3 // acts with ctrlCreditOn only
)
