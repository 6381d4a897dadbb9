package packet

import (
	"encoding/binary"
	"fmt"
)

// Entry is one hop's in-band telemetry in real units.
type Entry struct {
	GbitPerS float64 // rate of the link; 0 for a code without a rate
	TS       uint32  // ns modulo 2^24
	TxBytes  uint64  // bytes sent modulo 2^27, floored to 128
	Queue    uint64  // bytes waiting, floored to 80; 5,242,800 or more when Saturated
	// Saturated means that the queue is at least as long as the largest value of the field.
	Saturated bool
}

// Quanta of an entry's fields.
const (
	TxQuantum    = 128 // bytes
	QueueQuantum = 80  // bytes
)

var linkRates = [...]float64{25, 50, 100, 200, 400, 800}

// DecodeEntry decodes 64 bits: from the top, rate code 4, time 24, bytes sent 20, queue 16.
func DecodeEntry(w uint64) Entry {
	e := Entry{TS: uint32(w >> 36 & (1<<24 - 1)), TxBytes: w >> 16 & (1<<20 - 1) * TxQuantum,
		Queue: w & 0xffff * QueueQuantum, Saturated: w&0xffff == 0xffff}
	if code := w >> 60; code < uint64(len(linkRates)) {
		e.GbitPerS = linkRates[code]
	}
	return e
}

// Elapsed returns the time since an earlier entry of the hop in nanoseconds, correct below 16.8 ms.
func (e Entry) Elapsed(before Entry) uint32 { return (e.TS - before.TS) & (1<<24 - 1) }

// Sent returns the bytes sent since an earlier entry of the hop, correct below 134 MB.
func (e Entry) Sent(before Entry) uint64 { return (e.TxBytes - before.TxBytes) & (1<<27 - 1) }

// Rate returns the rate of sending since an earlier entry, in Gbit/s; 0 when no time has passed.
func (e Entry) Rate(before Entry) float64 {
	if dt := e.Elapsed(before); dt > 0 {
		return 8 * float64(e.Sent(before)) / float64(dt)
	}
	return 0
}

// Utilisation returns HPCC's U of a link between two entries: the rate of sending over the link rate, plus the queue
// over the bytes that the link sends in baseNs nanoseconds; 0 when the link rate is not known.
func (e Entry) Utilisation(before Entry, baseNs float64) float64 {
	if e.GbitPerS == 0 {
		return 0
	}
	return e.Rate(before)/e.GbitPerS + float64(min(e.Queue, before.Queue))*8/(e.GbitPerS*baseNs)
}

// Telemetry is the telemetry that a UET packet carries.
type Telemetry struct {
	Hops, Room uint8
	Flows      uint16   // N, the receiver's concurrent flows
	Entries    []uint64 // oldest first
}

// Lengths of the UET headers that telemetry may follow, by UET type.
var telemetryAt = map[uint8]int{2: 12, 3: 12, 7: 12, 8: 32, 13: 16, 14: 16}

// telemetryForm is the fifth byte of the header: version 1, entries of two 32-bit words.
const telemetryForm = 0x12

// ReadTelemetry finds the telemetry in the payload of a UDP datagram; magic is the value with which it starts. It
// returns an error when there is no telemetry, or when it is malformed or truncated.
func ReadTelemetry(payload []byte, magic uint16) (t Telemetry, err error) {
	if len(payload) == 0 {
		return t, fmt.Errorf("telemetry: empty datagram")
	}
	at, ok := telemetryAt[payload[0]>>3]
	if !ok {
		return t, fmt.Errorf("telemetry: packets of type %d carry none", payload[0]>>3)
	}
	if len(payload) < at+8 || binary.BigEndian.Uint16(payload[at:]) != magic {
		return t, fmt.Errorf("telemetry: no header")
	}
	t.Hops, t.Room = payload[at+2], payload[at+3]
	if form, c := payload[at+4], payload[at+5]; form != telemetryForm || c != ^t.Room {
		return t, fmt.Errorf("telemetry: malformed header: form %#02x, want %#02x; %#02x, want the complement of %#02x",
			form, telemetryForm, c, t.Room)
	}
	if t.Hops > t.Room {
		return t, fmt.Errorf("telemetry: %d hops, room for %d", t.Hops, t.Room)
	}
	t.Flows = binary.BigEndian.Uint16(payload[at+6:])
	at += 8
	if len(payload) < at+8*int(t.Hops) {
		return t, fmt.Errorf("telemetry: %d entries claimed, room for %d", t.Hops, (len(payload)-at)/8)
	}
	for i := range int(t.Hops) {
		t.Entries = append(t.Entries, binary.BigEndian.Uint64(payload[at+8*i:]))
	}
	return t, nil
}
