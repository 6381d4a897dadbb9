package ackparse

import (
	"encoding/binary"

	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// record fills all of rec except tag, for a packet that is passed on. Source: contract.md, "Record".
func (w *walk) record(frame []byte, rec *port.Rec) {
	b := frame[w.P:w.E]
	class := w.Class(frame)
	*rec = port.Rec{
		PdsType: w.kind(), Native: w.Native, Ipv6: w.V6, ECN: class & 3, Dscp: class >> 2,
		Entropy: be16(frame, w.H), Next: w.next(), Retx: w.flag(4), PSN: be32(b, 4),
		Spdcid: be16(b, 8), Dpdcid: be16(b, 10), Rest: uint16(len(b) - w.o),
	}
	if w.V6 {
		rec.Src = [2]uint64{be64(frame, w.L2+16), be64(frame, w.L2+8)}
	} else {
		rec.Src[0] = uint64(be32(frame, w.L2+12))
	}
	switch rec.PdsType {
	case port.PdsTypeAck:
		w.ack(b, rec)
	case port.PdsTypeAckCc:
		w.ack(b, rec)
		sack(b, rec)
		congestion(b, rec)
	case port.PdsTypeAckCcx:
		w.ack(b, rec)
		sack(b, rec)
		rec.State = state(b[24:w.o])
	case port.PdsTypeNack:
		w.nack(b, rec)
	case port.PdsTypeNackCcx:
		w.nack(b, rec)
		rec.CcType = b[16] >> 4
		rec.State = state(b[16:w.o])
	case port.PdsTypeCp:
		w.control(b, rec)
	}
}

// ack fills the fields of all ACKs.
func (w *walk) ack(b []byte, rec *port.Rec) {
	rec.Epsn, rec.M, rec.Probe, rec.Req = w.flag(6), w.flag(5), w.flag(3), uint8(w.y>>1&3)
	if rec.Probe {
		rec.Opaque = be16(b, 2)
	} else {
		rec.AckPSN = rec.PSN + signed16(b, 2)
	}
}

// sack fills the fields of ACK_CC and ACK_CCX.
func sack(b []byte, rec *port.Rec) {
	rec.CcType, rec.CcFlags, rec.Mpr = b[12]>>4, b[12]&15, b[13]
	rec.SackBase, rec.SackBitmap = rec.PSN+signed16(b, 14), be64(b, 16)
}

// congestion fills the CC state of an ACK_CC.
func congestion(b []byte, rec *port.Rec) {
	if rec.CcType == 0 {
		rec.ServiceTime, rec.RC, rec.RcvCwndPend = be16(b, 24), b[26]>>7 != 0, b[26]&0x7F
		rec.RcvdBytes = be24(b, 27)
	} else {
		rec.Credit = be24(b, 24)
	}
	rec.Ooo = be16(b, 30)
}

// nack fills the fields of both NACKs.
func (w *walk) nack(b []byte, rec *port.Rec) {
	rec.M, rec.Nt = w.flag(5), w.flag(3)
	rec.NackCode, rec.VendorCode, rec.Payload = b[2], b[3], be32(b, 12)
}

// control fills the fields of a CP.
func (w *walk) control(b []byte, rec *port.Rec) {
	rec.Isrod, rec.Ar, rec.Syn = w.flag(5), w.flag(3), w.flag(2)
	rec.Opaque, rec.Payload = be16(b, 2), be32(b, 12)
	if rec.Syn {
		rec.PDCInfo, rec.PSNOffset = uint8(rec.Dpdcid>>12), rec.Dpdcid&0xFFF
		rec.Dpdcid = 0
	}
}

// state returns up to 24 bytes as a number, the first byte lowest.
func state(b []byte) (out [3]uint64) {
	var all [24]byte
	copy(all[:], b)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(all[8*i:])
	}
	return out
}

// signed16 returns the signed number at byte i, for sums modulo 2^32.
func signed16(b []byte, i int) uint32 { return uint32(int16(be16(b, i))) }

func be24(b []byte, i int) uint32 { return uint32(b[i])<<16 | uint32(be16(b, i+1)) }

func be32(b []byte, i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }

func be64(b []byte, i int) uint64 { return binary.BigEndian.Uint64(b[i:]) }
