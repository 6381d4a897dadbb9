package nic

import (
	"encoding/binary"
	"math/bits"

	"github.com/goldwire/goldwire/vectors/event/nic"
)

var be = binary.BigEndian

// due is a note of a packet that has not been matched.
type due struct {
	nic.Note
	lo int64 // no cycle before it settled
}

// gone is a packet at tx that has not been matched.
type gone struct {
	pdc   uint32
	bytes []byte
	hi    int64 // no cycle after its begin
}

// learned is what a PDC's packets show that no note holds.
type learned struct {
	peer, start       uint16
	hasPeer, hasStart bool
}

// pdsBytes is the size of the PDS header.
const pdsBytes = 16

// frame makes the packet of a note by a version of what was written: its bytes, and where its PDS header is. The bytes
// that no note holds are those of seen. spray is the count of the context.
func frame(b []byte, n *nic.Note, x *template, s *shared, spray uint16, seen []byte) (out []byte, pds int) {
	h, u := x.size(), 8
	if x.native() {
		u = 4
	}
	d := 0
	if n.Kind == nic.ActSent {
		d = max(int(n.Size)-s.header, 0)
	}
	p := u + pdsBytes + d
	b = b[:0]
	for i := range h {
		b = append(b, x.byte(i))
	}
	if x.ipv6() {
		be.PutUint16(b[h-36:], uint16(p))
	} else {
		ip := b[h-20:]
		total := uint16(20 + p)
		be.PutUint16(ip[2:], total)
		sum := uint32(^be.Uint16(ip[10:])) + uint32(total)
		be.PutUint16(ip[10:], ^uint16(sum+sum>>16))
	}
	b = be.AppendUint16(b, uint16(x.form>>nic.WordEntropyLSB)&^s.spray|spray&s.spray)
	if !x.native() {
		b = be.AppendUint16(be.AppendUint16(b, s.port), uint16(p))
	}
	b = be.AppendUint16(b, 0)
	pds = len(b)
	flag := func(on bool, bit uint16) uint16 {
		if on {
			return bit
		}
		return 0
	}
	if n.Kind == nic.ActSent {
		b = be.AppendUint16(b, 13<<11|flag(n.IsRtx, 0x10)|flag(n.Ar, 8)|flag(n.Syn, 4))
		b = be.AppendUint16(b, 0xff80)
	} else {
		b = be.AppendUint16(b, 11<<11|4<<7|flag(n.IsRtx, 0x10))
		b = be.AppendUint16(b, 0)
	}
	b = be.AppendUint32(b, n.PSN)
	b = be.AppendUint16(b, n.PDC+1)
	other := uint16(0)
	if len(seen) >= pds+12 {
		other = be.Uint16(seen[pds+10:])
	}
	b = be.AppendUint16(b, other)
	if n.Kind == nic.ActSent {
		b = be.AppendUint32(b, uint32(n.PDC/nic.Slots)<<24)
	} else {
		b = be.AppendUint32(b, 0)
	}
	for len(b) < pds+pdsBytes+d || len(b) < nic.MinFrame {
		b = append(b, 0)
	}
	return b, pds
}

// assembly puts beats of tx together.
type assembly struct {
	open, answer bool
	tag          uint32
	bytes        []byte
	begun        int64 // cycle from which its first beat was offered
	beats        int
}

// take appends a beat and reports whether it is as beats are: full unless it is the last one, and 0 beyond its end.
func (a *assembly) take(t *nic.Tx) (sound bool) {
	n := bits.TrailingZeros64(^t.Keep)
	sound = t.Keep == 1<<n-1 && n > 0 && (t.Last || n == 64)
	var b [64]byte
	for k, w := range t.Data {
		binary.LittleEndian.PutUint64(b[8*k:], w)
	}
	for _, x := range b[n:] {
		sound = sound && x == 0
	}
	a.bytes = append(a.bytes, b[:n]...)
	a.beats++
	return sound
}
