package uet

import "fmt"

func (d *decoder) complain(format string, args ...any) {
	d.p.Complaints = append(d.p.Complaints, fmt.Sprintf(format, args...))
}

// sound adds the complaints about the UET headers.
func (d *decoder) sound() {
	p := d.p
	for _, f := range p.Fields {
		if f.Name == reserved && f.Value != 0 {
			d.complain("byte %d: reserved bits are set: 0x%x in the %d bits from bit %d", f.Bit/8, f.Value, f.Width, f.Bit)
		}
	}
	if !p.NextHdr.Known() {
		d.complain("next_hdr %d has no meaning", uint8(p.NextHdr))
	}
	switch {
	case p.Request != nil:
		r := p.Request
		d.connection(r.SPDCID, r.DPDCID, r.Syn)
		d.pdcInfo(r.PDCInfo)
	case p.Control != nil:
		c := p.Control
		if !c.CtlType.Known() {
			d.complain("ctl_type %d has no meaning", uint8(c.CtlType))
		}
		d.connection(c.SPDCID, c.DPDCID, c.Syn)
		d.pdcInfo(c.PDCInfo)
	case p.Nack != nil:
		if !p.Nack.Code.Known() {
			d.complain("nack_code 0x%02x has no meaning", uint8(p.Nack.Code))
		}
	case p.Ack != nil:
		d.soundAck(p.Ack)
	}
}

func (d *decoder) soundAck(a *AckHdr) {
	if a.EPSN && !d.spec.EPSN {
		d.complain("flag 0x40 of an ACK is set: it is reserved unless Spec.EPSN is set")
	}
	if a.Request > RequestClose {
		d.complain("request %d has no meaning", uint8(a.Request))
	}
	d.connection(a.SPDCID, a.DPDCID, false)
	if a.CC == nil {
		return
	}
	if d.p.Type == AckCC && a.CC.CCType > StateCredit {
		d.complain("cc_type %d has no meaning", uint8(a.CC.CCType))
	}
	if a.CC.NSCC != nil && a.CC.NSCC.ServiceTime == 0 {
		d.complain("service_time is 0; it must be at least 1")
	}
}

// connection complains of PDCID 0, which only a NACK without a valid connection may have.
func (d *decoder) connection(spdcid, dpdcid uint16, syn bool) {
	if spdcid == 0 {
		d.complain("spdcid is 0")
	}
	if dpdcid == 0 && !syn {
		d.complain("dpdcid is 0")
	}
}

// pdcInfo complains of bits other than use_rsv_pdc, which have no name.
func (d *decoder) pdcInfo(v uint8) {
	if v&^1 != 0 {
		d.complain("pdc_info is 0x%x: only bit 0 has a meaning", v)
	}
}
