package nscc

import "math"

// Destination is what the receiving side keeps for one PDC (3.6.13.8).
type Destination struct {
	RcvdBytes uint64 // nominal bytes of new packets, ever
}

// Packet is what a destination needs to know of an arrival.
type Packet struct {
	Size      uint32 // nominal packet size, bytes
	Data      bool   // carries data
	Trimmed   bool
	LastHop   bool // trimmed by the switch before the destination
	Duplicate bool
	CE        bool // ECN congestion experienced
}

// Reply is the answer a packet calls for.
type Reply struct {
	NACK    bool // a trimmed packet; otherwise an ACK when the PDC's rules ask for one
	Reason  Reason
	Marked  bool   // echoed into pds.flags.m
	RcvdRaw uint32 // rcvd_bytes field of an ACK
}

// OnRX accounts for a packet (3.6.12 and 3.6.13.9, OnRX) and returns how to
// answer it. Whether an ACK is due now is the packet delivery sublayer's matter.
func (d *Destination) OnRX(pkt *Packet) Reply {
	if pkt.Data && !pkt.Trimmed && !pkt.Duplicate {
		d.RcvdBytes += uint64(pkt.Size)
	}
	r := Reply{Marked: pkt.CE, RcvdRaw: d.Field()}
	if pkt.Trimmed {
		r.NACK = true
		r.Reason = Trimmed
		if pkt.LastHop {
			r.Reason = TrimmedLastHop
		}
	}
	return r
}

// Field returns the rcvd_bytes field: units of 256 bytes rounded up, so that a
// small last packet is acknowledged, in 24 bits that wrap.
func (d *Destination) Field() uint32 {
	return uint32((d.RcvdBytes+rcvdUnit-1)/rcvdUnit) & (rcvdMod - 1)
}

// NominalSize returns the packet size that both ends account with, in bytes: the
// UDP length, or the length from the entropy header on, plus 40 (3.6.12).
func NominalSize(transport uint32) uint32 { return transport + 40 }

// ServiceField returns the service_time field for a time in picoseconds between
// a packet's arrival and its ACK: units of 128 ns, truncated, at least 1, and
// 0xFFFF for all that is longer than the field can say.
func ServiceField(ps float64) uint16 {
	v := math.Floor(ps / serviceUnitPs)
	return uint16(max(1, min(v, serviceOver)))
}
