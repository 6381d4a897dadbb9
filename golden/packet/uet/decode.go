package uet

import "fmt"

// decoder reads one frame from its start to its end.
type decoder struct {
	spec  Spec
	frame []byte
	p     *Packet
	bit   int // the next one to read, from the start of the frame
}

// Decode reads a frame, without FCS, that starts at its Ethernet header. The error is an *Error, unless spec is
// invalid.
func Decode(spec Spec, frame []byte) (*Packet, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	d := &decoder{spec: spec, frame: frame, p: &Packet{}}
	if err := d.lower(); err != nil {
		return nil, err
	}
	if err := d.uet(); err != nil {
		return nil, err
	}
	d.sound()
	return d.p, nil
}

// take reads the next field, most significant bit first.
func (d *decoder) take(name string, width int) (v uint64) {
	first := d.bit
	for range width {
		v = v<<1 | uint64(d.frame[d.bit/8]>>(7-d.bit%8)&1)
		d.bit++
	}
	d.p.Fields = append(d.p.Fields, Field{name, first, width, v})
	return v
}

func (d *decoder) flag(name string) bool  { return d.take(name, 1) == 1 }
func (d *decoder) u8(name string) uint8   { return uint8(d.take(name, 8)) }
func (d *decoder) u16(name string) uint16 { return uint16(d.take(name, 16)) }
func (d *decoder) u24(name string) uint32 { return uint32(d.take(name, 24)) }
func (d *decoder) u32(name string) uint32 { return uint32(d.take(name, 32)) }

// bytes reads n bytes of which the sources give no layout.
func (d *decoder) bytes(name string, n int) (b []byte) {
	for i := range n {
		b = append(b, d.u8(fmt.Sprintf("%s[%d]", name, i)))
	}
	return b
}

// reserved is the name of bits that must be 0.
const reserved = "rsvd"

func (d *decoder) reserved(width int) { d.take(reserved, width) }

// size returns the bytes of the header of a type, from the prologue on; 0 when the type has no layout.
func (s Spec) size(t Type) int {
	switch t {
	case UUD:
		return 4
	case RudiReq, RudiResp:
		return 8
	case RudReq, RodReq, Ack:
		return 12
	case RudCCReq, RodCCReq, Nack, CP:
		return 16
	case AckCC:
		return 32
	case AckCCX:
		return 24 + s.AckCCX
	case NackCCX:
		return 16 + s.NackCCX
	}
	return 0
}

// uet reads the prologue, the header of its type, and what follows.
func (d *decoder) uet() *Error {
	p, start, end := d.p, d.p.Lower.UETStart, d.p.Lower.end
	if end < start+2 {
		return fault(end, "the IP packet ends in the UET prologue of 2 bytes")
	}
	d.bit = 8 * start
	p.Type = Type(d.take("type", 5))
	size := d.spec.size(p.Type)
	switch {
	case p.Type == TSS:
		return fault(start, "a TSS packet is encrypted and cannot be read")
	case size == 0:
		return fault(start, "UET type %d does not exist", uint8(p.Type))
	case end < start+size:
		return fault(end, "the IP packet ends in its %v header: %d of %d bytes", p.Type, end-start, size)
	}
	if p.Type == CP {
		p.Control = d.control()
	} else {
		p.NextHdr = NextHdr(d.take("next_hdr", 4))
		switch p.Type {
		case RudReq, RodReq, RudCCReq, RodCCReq:
			p.Request = d.request(p.Type)
		case RudiReq, RudiResp:
			p.Rudi = d.rudi()
		case UUD:
			p.Uud = &Uud{Flags: uint8(d.take("flags", 7)), Rest: d.u16("rest")}
		case Ack, AckCC, AckCCX:
			p.Ack = d.ack(p.Type)
		case Nack, NackCCX:
			p.Nack = d.nack(p.Type)
		}
	}
	if d.bit != 8*(start+size) {
		panic(fmt.Sprintf("uet: the fields of %v end at bit %d, its header at byte %d", p.Type, d.bit, start+size))
	}
	p.Payload, p.Padding = d.frame[start+size:end], d.frame[end:]
	return nil
}

func (d *decoder) request(t Type) *Request {
	r := &Request{}
	d.reserved(2)
	r.Retx = d.flag("retx")
	r.AR = d.flag("ar")
	r.Syn = d.flag("syn")
	d.reserved(2)
	r.ClearPSNOffset = int16(d.u16("clear_psn_offset"))
	r.PSN = d.u32("psn")
	r.SPDCID = d.u16("spdcid")
	if r.Syn {
		r.PDCInfo, r.PSNOffset = d.opening()
	} else {
		r.DPDCID = d.u16("dpdcid")
	}
	if t == RudCCReq || t == RodCCReq {
		r.CC = &RequestCC{}
		r.CC.CCCID = d.u8("ccc_id")
		r.CC.CreditTarget = d.u24("credit_target")
	}
	return r
}

// opening reads what stands for dpdcid in a packet with syn.
func (d *decoder) opening() (pdcInfo uint8, psnOffset uint16) {
	pdcInfo = uint8(d.take("pdc_info", 4))
	psnOffset = uint16(d.take("psn_offset", 12))
	return pdcInfo, psnOffset
}

func (d *decoder) rudi() *Rudi {
	r := &Rudi{}
	r.Flags = uint8(d.take("flags", 7))
	d.reserved(16)
	r.PktID = d.u32("pkt_id")
	return r
}

func (d *decoder) ack(t Type) *AckHdr {
	a := &AckHdr{}
	a.EPSN = d.flag("epsn")
	a.M = d.flag("m")
	a.Retx = d.flag("retx")
	a.P = d.flag("p")
	// 0x02 is clear and 0x04 is close: the first bit on the wire is close.
	a.Request = AckRequest(d.take("request", 2))
	d.reserved(1)
	if a.P {
		a.ProbeOpaque = d.u16("probe_opaque")
	} else {
		a.AckPSNOffset = int16(d.u16("ack_psn_offset"))
	}
	a.CackPSN = d.u32("cack_psn")
	a.SPDCID = d.u16("spdcid")
	a.DPDCID = d.u16("dpdcid")
	if t != Ack {
		a.CC = d.ackCC(t)
	}
	return a
}

func (d *decoder) ackCC(t Type) *AckCCHdr {
	c := &AckCCHdr{}
	c.CCType = CCType(d.take("cc_type", 4))
	c.CCFlags = uint8(d.take("cc_flags", 4))
	c.MPR = d.u8("mpr")
	c.SackPSNOffset = int16(d.u16("sack_psn_offset"))
	c.SackBitmap = d.take("sack_bitmap", 64)
	switch {
	case t == AckCCX:
		c.State = d.bytes("state", d.spec.AckCCX)
	case c.CCType == StateNSCC:
		s := &NSCCState{}
		s.ServiceTime = d.u16("service_time")
		s.RC = d.flag("rc")
		s.RcvCwndPend = uint8(d.take("rcv_cwnd_pend", 7))
		s.RcvdBytes = d.u24("rcvd_bytes")
		s.OOO = d.u16("ooo")
		c.NSCC = s
	case c.CCType == StateCredit:
		s := &CreditState{}
		s.Credit = d.u24("credit")
		d.reserved(24)
		s.OOO = d.u16("ooo")
		c.Credit = s
	default:
		c.State = d.bytes("state", 8)
	}
	return c
}

func (d *decoder) nack(t Type) *NackHdr {
	n := &NackHdr{}
	d.reserved(1)
	n.M = d.flag("m")
	n.Retx = d.flag("retx")
	n.NT = d.flag("nt")
	d.reserved(3)
	n.Code = NackCode(d.u8("nack_code"))
	n.VendorCode = d.u8("vendor_code")
	n.PSN = d.u32("nack_psn")
	n.SPDCID = d.u16("spdcid")
	n.DPDCID = d.u16("dpdcid")
	n.Payload = d.u32("payload")
	if t == NackCCX {
		n.State = d.bytes("state", d.spec.NackCCX)
	}
	return n
}

func (d *decoder) control() *Control {
	c := &Control{}
	c.CtlType = CtlType(d.take("ctl_type", 4))
	d.reserved(1)
	c.IsROD = d.flag("isrod")
	c.Retx = d.flag("retx")
	c.AR = d.flag("ar")
	c.Syn = d.flag("syn")
	d.reserved(2)
	c.ProbeOpaque = d.u16("probe_opaque")
	c.PSN = d.u32("psn")
	c.SPDCID = d.u16("spdcid")
	if c.Syn {
		c.PDCInfo, c.PSNOffset = d.opening()
	} else {
		c.DPDCID = d.u16("dpdcid")
	}
	c.Payload = d.u32("payload")
	return c
}
