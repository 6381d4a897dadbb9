package capture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/net"
)

// UDPPort is the default destination port of UET over UDP (UET 1.0).
const UDPPort = 4793

// SourcePort returns the UDP source port of an entropy value. It is of the dynamic range, 49152 to 65535, which no
// protocol owns (RFC 6335), so that no packet is taken for another protocol's. Entropies below 16384 keep their order;
// four entropies share a port.
func SourcePort(entropy uint16) uint16 { return 0xc000 | (entropy^entropy>>14)&0x3fff }

// Bits of the ECN field (RFC 3168).
const (
	ecnNotCapable  = 0
	ecnCapable     = 2
	ecnExperienced = 3
)

// DSCP holds the codepoints for what a packet is and what happened to it.
type DSCP struct {
	Control        uint8 // ACK and NACK, the high class
	Trimmable      uint8 // data of the low class
	Trimmed        uint8 // cut on the way ...
	TrimmedLastHop uint8 // ... at the last hop before the destination
	Apart          uint8 // data kept apart in the medium class
	Plain          uint8 // probes, which are dropped, not trimmed
}

// Spec holds the header values that the simulation does not supply.
type Spec struct {
	UDPPort uint16
	DSCP    DSCP
}

// DefaultSpec returns the defaults of the specification.
func DefaultSpec() Spec {
	return Spec{UDPPort, DSCP{net.DSCPControl, net.DSCPTrimmable, net.DSCPTrimmed, net.DSCPTrimmedLastHop, net.DSCPApart,
		net.DSCPPlain}}
}

// fields returns the codepoints by name.
func (d *DSCP) fields() map[string]*uint8 {
	return map[string]*uint8{
		"control": &d.Control, "trimmable": &d.Trimmable, "trimmed": &d.Trimmed, "trimmed_last_hop": &d.TrimmedLastHop,
		"apart": &d.Apart, "plain": &d.Plain,
	}
}

// DSCPNames returns the names that Set accepts.
func DSCPNames() []string {
	return []string{"control", "trimmable", "trimmed", "trimmed_last_hop", "apart", "plain"}
}

// Value returns the codepoint of a name, -1 for an unknown one.
func (d DSCP) Value(name string) int {
	if p := d.fields()[name]; p != nil {
		return int(*p)
	}
	return -1
}

// Set changes codepoints, given as "trimmed=20,control=48". It returns an error with the name when the name is unknown
// or the value is not from 0 to 63.
func (d *DSCP) Set(text string) error {
	for _, item := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		p := d.fields()[name]
		if p == nil {
			return fmt.Errorf("%q: want NAME=NUMBER, the name one of %s", item, strings.Join(DSCPNames(), ", "))
		}
		n, err := strconv.ParseUint(value, 10, 6)
		if err != nil {
			return fmt.Errorf("%s = %s: want a number from 0 to 63", name, value)
		}
		*p = uint8(n)
	}
	return nil
}

// Validate returns an error when the port is 0, when a codepoint has more than six bits, or when a codepoint of trimmed
// packets equals another (UET 1.0, section 3.6.17).
func (s Spec) Validate() error {
	if s.UDPPort == 0 {
		return fmt.Errorf("capture: udp port = 0: want 1 to 65535")
	}
	f := s.DSCP.fields()
	for _, name := range DSCPNames() {
		if *f[name] > 63 {
			return fmt.Errorf("capture: dscp %s = %d: want 0 to 63", name, *f[name])
		}
	}
	for _, cut := range []string{"trimmed", "trimmed_last_hop"} {
		i := slices.IndexFunc(DSCPNames(), func(n string) bool {
			return !strings.HasPrefix(n, "trimmed") && *f[n] == *f[cut]
		})
		if i >= 0 {
			return fmt.Errorf("capture: dscp %s = %d: %s has the same; give each its own", cut, *f[cut], DSCPNames()[i])
		}
	}
	return nil
}

// trafficClass returns the DSCP and ECN bits of a packet. Only data can be marked: ACKs echo the marks of data in their
// PDS header.
func (s *Spec) trafficClass(p *net.PacketInfo) uint8 {
	const high, medium = 0, 1
	dscp, ecn := s.DSCP.Trimmable, uint8(ecnCapable)
	switch {
	case p.Class == high:
		dscp = s.DSCP.Control
	case p.Trimmed && p.LastHop:
		dscp = s.DSCP.TrimmedLastHop
	case p.Trimmed:
		dscp = s.DSCP.Trimmed
	case p.Class == medium:
		dscp = s.DSCP.Apart
	case p.Kind != net.PacketData:
		dscp = s.DSCP.Plain
	}
	switch {
	case p.Kind != net.PacketData:
		ecn = ecnNotCapable
	case p.CE:
		ecn = ecnExperienced
	}
	return dscp<<2 | ecn
}
