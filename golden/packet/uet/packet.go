package uet

import "fmt"

// Packet is a decoded frame. Exactly one of Request, Rudi, Uud, Ack, Nack and Control is set.
type Packet struct {
	Lower   Lower
	Type    Type
	NextHdr NextHdr // 0 in a control packet, which has a CtlType instead

	Request *Request
	Rudi    *Rudi
	Uud     *Uud
	Ack     *AckHdr
	Nack    *NackHdr
	Control *Control

	Payload []byte // after the headers, up to the end of the IP packet
	Padding []byte // after the IP packet

	Fields     []Field  // every field from the prologue to the last header, in order
	Complaints []string // why no sender may write this packet; empty when it is sound
}

// Sound reports whether there are no complaints.
func (p *Packet) Sound() bool { return len(p.Complaints) == 0 }

// Field is one field as it lies in the frame.
type Field struct {
	Name  string
	Bit   int // of its first bit, from the start of the frame; bit 0 is the most significant of byte 0
	Width int // bits
	Value uint64
}

// Request is the header of RUD_REQ, ROD_REQ, RUD_CC_REQ and ROD_CC_REQ.
type Request struct {
	Retx, AR, Syn  bool
	ClearPSNOffset int16
	PSN            uint32
	SPDCID         uint16
	DPDCID         uint16 // 0 with Syn
	PDCInfo        uint8  // with Syn
	PSNOffset      uint16 // with Syn: PSN - Start_PSN
	CC             *RequestCC
}

// UseRsvPDC returns bit 0 of pdc_info.
func (r *Request) UseRsvPDC() bool { return r.PDCInfo&1 != 0 }

// StartPSN returns the first PSN of the connection. It is valid with Syn.
func (r *Request) StartPSN() uint32 { return r.PSN - uint32(r.PSNOffset) }

// RequestCC is what RUD_CC_REQ and ROD_CC_REQ add.
type RequestCC struct {
	CCCID        uint8
	CreditTarget uint32 // 24 bits
}

// Rudi is the header of RUDI_REQ and RUDI_RESP. The sources give no layout of the flags.
type Rudi struct {
	Flags uint8 // 7 bits
	PktID uint32
}

// Uud is the header of UUD. The sources give its length and no layout after next_hdr.
type Uud struct {
	Flags uint8 // 7 bits
	Rest  uint16
}

// AckHdr is the header of ACK, ACK_CC and ACK_CCX.
type AckHdr struct {
	EPSN, M, Retx, P bool
	Request          AckRequest
	AckPSNOffset     int16  // 0 with P
	ProbeOpaque      uint16 // with P
	CackPSN          uint32
	SPDCID, DPDCID   uint16
	CC               *AckCCHdr // in ACK_CC and ACK_CCX
}

// AckPSN returns the PSN of the packet that caused the ACK. It is not valid with P.
func (a *AckHdr) AckPSN() uint32 { return a.CackPSN + uint32(int32(a.AckPSNOffset)) }

// SackBase returns the PSN of bit 0 of the bitmap.
func (a *AckHdr) SackBase() uint32 { return a.CackPSN + uint32(int32(a.CC.SackPSNOffset)) }

// Sacked returns the PSNs whose bits are set in the bitmap, from the base upwards.
func (a *AckHdr) Sacked() (psns []uint32) {
	for i := range uint32(64) {
		if a.CC.SackBitmap>>i&1 == 1 {
			psns = append(psns, a.SackBase()+i)
		}
	}
	return psns
}

// AckCCHdr is what ACK_CC and ACK_CCX add. An ACK_CC of an unknown CCType, and an ACK_CCX, have State alone.
type AckCCHdr struct {
	CCType        CCType
	CCFlags       uint8 // 4 bits
	MPR           uint8
	SackPSNOffset int16
	SackBitmap    uint64 // bit i is PSN SackBase + i
	NSCC          *NSCCState
	Credit        *CreditState
	State         []byte
}

// NSCCState is the state of an ACK_CC with cc_type 0.
type NSCCState struct {
	ServiceTime uint16 // 128 ns
	RC          bool
	RcvCwndPend uint8  // 7 bits
	RcvdBytes   uint32 // 24 bits, 256 bytes
	OOO         uint16
}

// CreditState is the state of an ACK_CC with cc_type 1.
type CreditState struct {
	Credit uint32 // 24 bits
	OOO    uint16
}

// NackHdr is the header of NACK and NACK_CCX.
type NackHdr struct {
	M, Retx, NT    bool
	Code           NackCode
	VendorCode     uint8
	PSN            uint32
	SPDCID, DPDCID uint16 // 0 without a valid connection
	Payload        uint32
	State          []byte // in NACK_CCX: its type of 4 bits and its state, which the sources lay out differently
}

// Control is the header of CP.
type Control struct {
	CtlType              CtlType
	IsROD, Retx, AR, Syn bool
	ProbeOpaque          uint16
	PSN                  uint32
	SPDCID               uint16
	DPDCID               uint16 // 0 with Syn
	PDCInfo              uint8  // with Syn
	PSNOffset            uint16 // with Syn: PSN - Start_PSN
	Payload              uint32 // of Credit the credit, of CreditReq the credit target, 256 bytes
}

// UseRsvPDC returns bit 0 of pdc_info.
func (c *Control) UseRsvPDC() bool { return c.PDCInfo&1 != 0 }

// StartPSN returns the first PSN of the connection. It is valid with Syn.
func (c *Control) StartPSN() uint32 { return c.PSN - uint32(c.PSNOffset) }

// Error is the first fault of a frame that cannot be read.
type Error struct {
	At   int // offset of the byte
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("uet: byte %d: %s", e.At, e.What) }

func fault(at int, format string, args ...any) *Error {
	return &Error{at, fmt.Sprintf(format, args...)}
}
