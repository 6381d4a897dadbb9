package capture

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/golden/fabric/net"
)

// PDS packet types.
const (
	TypeACKCC    = 8
	TypeNACK     = 10
	TypeControl  = 11
	TypeRUDCCReq = 13
)

// Types of control packets, ctl_type.
const (
	controlAckReq = 1
	controlProbe  = 6
)

// Flags of the prologue, in its low seven bits.
const (
	FlagM    = 1 << 5 // ACK, NACK: the acknowledged packet was ECN marked
	FlagRetx = 1 << 4
	FlagAR   = 1 << 3 // request, control: asks for an ACK
	FlagP    = 1 << 3 // ACK: of a probe, and the PSN offset is the probe's opaque number
)

// prologue returns type, next_hdr or ctl_type, and flags.
func prologue(kind, next, flags uint16) uint16 { return kind<<11 | next&15<<7 | flags&127 }

func when(b bool, bits uint16) uint16 {
	if b {
		return bits
	}
	return 0
}

// header appends the PDS header of a packet to dst.
func header(dst []byte, p *net.PacketInfo) []byte {
	be := binary.BigEndian
	pdc := uint16(p.Conn%65535) + 1
	ids := func(b []byte) []byte { return be.AppendUint16(be.AppendUint16(b, pdc), pdc) }
	switch p.Kind {
	case net.PacketAck:
		cum := p.CumPSN - 1 // the greatest PSN up to which all packets have arrived
		dst = be.AppendUint16(dst, prologue(TypeACKCC, 0, when(p.CE, FlagM)|when(p.Retx, FlagRetx)|when(p.Probe, FlagP)))
		offset := p.PSN - cum
		if p.Probe {
			offset = p.PSN
		}
		dst = be.AppendUint16(dst, uint16(offset))
		dst = ids(be.AppendUint32(dst, cum))
		dst = append(dst, 0, 0) // cc_type NSCC and cc_flags, mpr
		dst = be.AppendUint16(dst, uint16(p.SackBase-cum))
		dst = be.AppendUint64(dst, p.Sack)
		state := p.CwndPend & 127
		if p.Restore {
			state |= 128
		}
		dst = be.AppendUint16(dst, p.ServiceTime)
		dst = append(dst, state, byte(p.RcvdBytes>>16), byte(p.RcvdBytes>>8), byte(p.RcvdBytes))
		return be.AppendUint16(dst, p.OOO)
	case net.PacketNack:
		dst = be.AppendUint16(dst, prologue(TypeNACK, 0, when(p.CE, FlagM)|when(p.Retx, FlagRetx)))
		dst = append(dst, p.Reason, 0) // nack_code, vendor_code
		dst = ids(be.AppendUint32(dst, p.PSN))
		return be.AppendUint32(dst, 0)
	case net.PacketProbe:
		dst = be.AppendUint16(dst, prologue(TypeControl, controlProbe, FlagAR|when(p.Retx, FlagRetx)))
		dst = be.AppendUint16(dst, uint16(p.PSN)) // probe_opaque
		dst = ids(be.AppendUint32(dst, p.PSN))
		return be.AppendUint32(dst, 0)
	case net.PacketAckReq:
		dst = be.AppendUint16(dst, prologue(TypeControl, controlAckReq, FlagAR))
		dst = be.AppendUint16(dst, 0) // probe_opaque
		dst = ids(be.AppendUint32(dst, p.PSN))
		return be.AppendUint32(dst, 0)
	}
	dst = be.AppendUint16(dst, prologue(TypeRUDCCReq, 0, when(p.Retx, FlagRetx)|when(p.AckReq, FlagAR)))
	dst = be.AppendUint16(dst, 0) // clear_psn_offset
	dst = ids(be.AppendUint32(dst, p.PSN))
	return be.AppendUint32(dst, 0) // ccc_id, credit_target
}
