package ackparse

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
)

// header returns a PDS header with these first two bytes, without what follows it. Its bytes all differ from 0, its
// PDCIDs begin with a type below 7.
func header(kind, next, flags, length int) []byte {
	b := []byte{byte(kind<<3 | next>>1), byte(next<<7 | flags)}
	for i := 2; i < length; i++ {
		b = append(b, byte(0x11+7*i)&0x2F|1)
	}
	return b
}

const (
	typeAck, typeAckCC, typeAckCCX, typeNack, typeCP, typeNackCCX = 7, 8, 9, 10, 11, 12
)

// sample returns a sound PDS header of a type with the registers' values after reset.
func sample(kind int) []byte {
	n := map[int]int{typeAck: 12, typeAckCC: 32, typeAckCCX: 40, typeNack: 16, typeCP: 16, typeNackCCX: 24}[kind]
	b := header(kind, 3, 0, n)
	if kind == typeAckCC {
		b[12] &= 0x1F
	}
	return b
}

// draw returns a random frame: mostly sound acknowledgements of all types, sometimes damaged in one place or two.
func draw(r *rand.Rand) []byte {
	f := plain.Packet{
		V6: r.IntN(3) == 0, Native: r.IntN(3) == 0, Class: uint8(r.Uint32()), Checksum: r.IntN(3) > 0,
	}
	for range max(0, r.IntN(6)-3) {
		f.Tags = append(f.Tags, []uint16{0x8100, 0x88A8}[r.IntN(2)])
	}
	if !f.V6 && r.IntN(4) == 0 {
		f.Options = 4 * r.IntN(11)
	}
	kind := 7 + r.IntN(6)
	if r.IntN(12) == 0 {
		kind = r.IntN(32)
	}
	next := r.IntN(10)
	if r.IntN(8) == 0 {
		next = r.IntN(16)
	}
	n := []int{r.IntN(46), 12 + r.IntN(33), 44, 44 + r.IntN(100), 44 + r.IntN(1500)}[r.IntN(5)]
	f.PDS = header(kind, next, r.IntN(128), max(n, 2))
	for i := 2; i < len(f.PDS); i++ {
		f.PDS[i] = byte(r.Uint32())
	}
	if len(f.PDS) > 12 && r.IntN(8) > 0 {
		f.PDS[12] &= 0x1F
	}
	if len(f.PDS) > 11 && r.IntN(6) == 0 { // a PDCID of 0
		at := 8 + 2*r.IntN(2)
		f.PDS[at], f.PDS[at+1] = 0, 0
	}
	if r.IntN(3) == 0 {
		f.Padding = r.IntN(70)
	}
	if r.IntN(20) == 0 {
		f.Port = uint16(r.Uint32())
	}
	return f.Damage(r)
}
