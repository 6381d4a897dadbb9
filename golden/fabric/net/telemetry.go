package net

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/units"
)

// INTHops is the number of telemetry records that a packet can carry.
const INTHops = 8

const intHops = INTHops

// intStack is the telemetry of one packet, in the order of stamping.
type intStack struct {
	n   uint8
	rec [intHops]uint64
}

// INT record, from the most significant bit: rate code 4, time 24 in ns, bytes
// transmitted 20 in units of 128, queue 16 in units of 80 (seed 001, section 3).
const (
	intTSBits, intTxBits, intQBits = 24, 20, 16
	intTxUnit, intQUnit            = 128, 80
)

// INTRecord is one hop's telemetry as the wire holds it.
type INTRecord struct {
	Rate    uint8  // code: 25, 50, 100, 200, 400, 800 Gb/s from 0 on, 15 any other
	TS      uint32 // ns modulo 2^24
	TxBytes uint32 // units of 128 bytes modulo 2^20
	QLen    uint16 // units of 80 bytes, saturating
}

// UnpackINT takes a record apart.
func UnpackINT(w uint64) INTRecord {
	return INTRecord{
		Rate: uint8(w >> 60), TS: uint32(w >> 36 & (1<<intTSBits - 1)),
		TxBytes: uint32(w >> 16 & (1<<intTxBits - 1)), QLen: uint16(w),
	}
}

// Pack returns the record's 64 bits.
func (r INTRecord) Pack() uint64 {
	return uint64(r.Rate)<<60 | uint64(r.TS)&(1<<intTSBits-1)<<36 | uint64(r.TxBytes)&(1<<intTxBits-1)<<16 | uint64(r.QLen)
}

var rateCodes = [...]int{25, 50, 100, 200, 400, 800}

// noRate is the code of every other rate.
const noRate = 15

func rateCode(gbps int) uint8 {
	for i, g := range rateCodes {
		if g == gbps {
			return uint8(i)
		}
	}
	return noRate
}

// CheckRates returns an error when telemetry on the wire has no code for the rate of a link. A control would pass over
// every record of it.
func CheckRates(s *Network) error {
	for i := range s.Ports {
		if gbps := s.Topo.Ports[i].Gbps; s.Ports[i].rate == noRate {
			return fmt.Errorf("telemetry on the wire has no code for the %d Gb/s of %s, only for %v: set int.format to exact",
				gbps, s.Topo.Name(int32(i)), rateCodes)
		}
	}
	return nil
}

// telemetry is what the packets of a run carry, by their place in the pool.
type telemetry []intStack

// stamp adds the state of port p at a time to the telemetry of packet i, if there is room.
func (t *telemetry) stamp(i int32, p *Port, now units.Picos) {
	st := t.of(i)
	if st.n == intHops {
		return
	}
	st.rec[st.n] = INTRecord{
		Rate: p.rate, TS: uint32(now / units.Nanosecond), TxBytes: uint32(p.Tx / intTxUnit),
		QLen: uint16(min(p.Q[ClassLow].bytes/intQUnit, 1<<intQBits-1)),
	}.Pack()
	st.n++
}

// of returns the telemetry of packet i.
func (t *telemetry) of(i int32) *intStack {
	for len(*t) <= int(i) {
		*t = append(*t, intStack{})
	}
	return &(*t)[i]
}

// Clear begins the telemetry of a new packet.
func (t telemetry) Clear(i int32) {
	if int(i) < len(t) {
		t[i].n = 0
	}
}

// Copy gives packet to the telemetry of packet from.
func (t *telemetry) Copy(to, from int32) {
	t.of(max(to, from))
	(*t)[to] = (*t)[from]
}

// swap exchanges the telemetry of two packets.
func (t *telemetry) swap(a, b int32) {
	if len(*t) == 0 {
		return // there is none
	}
	t.of(max(a, b))
	(*t)[a], (*t)[b] = (*t)[b], (*t)[a]
}

// Records returns the telemetry of packet i in the order of stamping.
func (t telemetry) Records(i int32) []uint64 {
	if int(i) >= len(t) {
		return nil
	}
	return t[i].rec[:t[i].n]
}

// intOf returns the telemetry records of packet i in an event of its departure: nil for a packet that has no telemetry
// header, none for one that no switch has written to.
func intOf(s *Network, i int32, k *Packet) []uint64 {
	if s.intExact { // the wire has no format for it
		return nil
	}
	if !(s.intData && k.Kind == PacketData || (s.intData || s.intAck) && k.Kind == PacketAck) {
		return nil
	}
	if r := s.Ints.Records(i); r != nil {
		return r
	}
	return []uint64{}
}
