package uet

import "fmt"

// Spec holds the values on which the public sources disagree.
type Spec struct {
	Port     uint16 // UDP destination port
	Protocol uint8  // IP protocol of native UET
	EPSN     bool   // bit 0x40 of an ACK's flags is epsn; otherwise it is reserved
	AckCCX   int    // bytes of an ACK_CCX after the bitmap
	NackCCX  int    // bytes of a NACK_CCX after the part that it shares with a NACK
}

// DefaultSpec returns port 4793, protocol 253, no epsn, an ACK_CCX of 40 bytes and a NACK_CCX of 24 bytes.
func DefaultSpec() Spec { return Spec{Port: 4793, Protocol: 253, AckCCX: 16, NackCCX: 8} }

// maxCCX is the most bytes of the extra part of a CCX packet.
const maxCCX = 64

// Validate returns an error when a value is out of range.
func (s Spec) Validate() error {
	switch {
	case s.Port == 0:
		return fmt.Errorf("uet port 0: give a UDP port from 1 to 65535")
	case s.Protocol == protoUDP:
		return fmt.Errorf("uet protocol %d is UDP: give the IP protocol of native UET, such as 253", s.Protocol)
	case s.AckCCX < 1 || s.AckCCX > maxCCX:
		return fmt.Errorf("uet ACK_CCX state of %d bytes: give 1 to %d", s.AckCCX, maxCCX)
	case s.NackCCX < 1 || s.NackCCX > maxCCX:
		return fmt.Errorf("uet NACK_CCX state of %d bytes: give 1 to %d", s.NackCCX, maxCCX)
	}
	return nil
}
