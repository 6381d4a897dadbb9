package frame

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/vectors/stim"
)

// PDS types of requests, acknowledgements and control packets.
const (
	RUD     = 2
	ROD     = 3
	RUDCC   = 13
	RODCC   = 14
	Ack     = 7
	AckCC   = 8
	AckCCX  = 9
	Nack    = 10
	Control = 11
	NackCCX = 12
)

// Flags of the PDS prologue.
const (
	FlagEPSN  = 0x40 // acknowledgements
	FlagM     = 0x20 // acknowledgements, NACKs; in a control packet isrod
	FlagRetx  = 0x10
	FlagProbe = 0x08 // acknowledgements; in a NACK nt, in requests and control packets ar
	FlagSyn   = 0x04 // requests, control packets
)

// FlagISROD is isrod of a control packet, and FlagAR the ACK request of a request or a control packet.
const (
	FlagISROD = FlagM
	FlagAR    = FlagProbe
)

// Types of control packets.
const (
	CtlAckReq = 1
	CtlClose  = 4
	CtlProbe  = 6
)

// PDS is the header of a request, an acknowledgement, a NACK or a control packet.
type PDS struct {
	Type   uint8
	Next   uint8  // next_hdr; of a control packet ctl_type
	Flags  uint8  // 7 bits
	Short  uint16 // bytes 2 and 3: clear_psn_offset, ack_psn_offset, probe_opaque, or nack_code and vendor_code
	PSN    uint32
	SPDCID uint16
	DPDCID uint16 // with syn: pdc_info and psn_offset

	CCType, CCFlags uint8 // 4 bits each
	MPR             uint8
	SACKOffset      uint16
	SACK            uint64
	State           []byte // ack_cc_state; the state of a NACK_CCX, whose first bits are its type

	Payload uint32 // NACKs, control packets; ccc_id and credit_target of requests with CC state
}

// Bytes returns the header as it is on the wire.
func (p *PDS) Bytes() []byte {
	be := binary.BigEndian
	b := be.AppendUint16(nil, uint16(p.Type)<<11|uint16(p.Next&15)<<7|uint16(p.Flags&127))
	b = be.AppendUint16(b, p.Short)
	b = be.AppendUint32(b, p.PSN)
	b = be.AppendUint16(b, p.SPDCID)
	b = be.AppendUint16(b, p.DPDCID)
	switch p.Type {
	case AckCC, AckCCX:
		b = append(b, p.CCType<<4|p.CCFlags&15, p.MPR)
		b = be.AppendUint16(b, p.SACKOffset)
		b = be.AppendUint64(b, p.SACK)
	case Nack, Control, NackCCX, RUDCC, RODCC:
		b = be.AppendUint32(b, p.Payload)
	}
	return append(b, p.State...)
}

// DrawPDS draws a header that a parser takes, with a state of that many bytes where its type has one of any length.
// Numbers are often at their ends.
func DrawPDS(r *stim.Rand, kind uint8, state int) PDS {
	p := PDS{Type: kind, Next: uint8(r.N(16)), Flags: uint8(r.Bits(7)), Short: uint16(r.Corner(16)),
		PSN: uint32(r.Corner(32)), SPDCID: uint16(r.Corner(16)), DPDCID: uint16(r.Corner(16)),
		MPR: uint8(r.Corner(8)), SACKOffset: uint16(r.Corner(16)), SACK: r.U64(), Payload: uint32(r.Corner(32))}
	p.CCType, p.CCFlags = uint8(r.N(16)), uint8(r.N(16))
	switch kind {
	case AckCC:
		p.CCType = uint8(r.N(2))
		state = 8
	case AckCCX, NackCCX:
	default:
		state = 0
	}
	if kind == Control {
		p.Next = uint8(r.N(10))
	}
	if kind != Nack && kind != NackCCX || r.One(2) { // only a NACK may have a PDCID of 0
		p.SPDCID = max(p.SPDCID, 1)
		if kind != Control || p.Flags&FlagSyn == 0 || r.One(2) {
			p.DPDCID = max(p.DPDCID, 1)
		}
	}
	flat := stim.Pick(r, -1, -1, -1, 0, 255) // whole states of zeros or ones have every number at its end
	for len(p.State) < state {
		x := uint8(r.Bits(8))
		if flat >= 0 {
			x = uint8(flat)
		}
		p.State = append(p.State, x)
	}
	return p
}

// WithPDS makes the header the beginning of the frame's body, and the body that long.
func (f *Frame) WithPDS(p *PDS) {
	f.PDS, f.UET = p.Bytes(), p.Type
	f.Body = len(f.PDS)
}

// With returns the frame with the header as WithPDS makes it.
func (f Frame) With(p PDS) Frame {
	f.WithPDS(&p)
	return f
}
