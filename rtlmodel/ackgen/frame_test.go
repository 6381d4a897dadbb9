package ackgen

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Flags of a request.
const (
	fRod  = 0x20 // of a CP
	fRetx = 0x10
	fAr   = 0x08
	fSyn  = 0x04
)

// data returns the PDS header of a data packet; last is psn_offset or dpdcid.
func data(kind, flags int, psn uint32, spdcid, last uint16) []byte {
	b := make([]byte, map[int]int{2: 12, 3: 12, 13: 16, 14: 16}[kind])
	binary.BigEndian.PutUint16(b, uint16(kind<<11|flags))
	copy(b[2:], "\xAB\xCD")
	binary.BigEndian.PutUint32(b[4:], psn)
	binary.BigEndian.PutUint16(b[8:], spdcid)
	binary.BigEndian.PutUint16(b[10:], last)
	return b
}

// cp returns the PDS header of a control packet.
func cp(ctl, flags int, psn uint32, spdcid, last uint16, base uint32) []byte {
	b := data(13, 0, psn, spdcid, last)
	binary.BigEndian.PutUint16(b, uint16(11<<11|ctl<<7|flags))
	binary.BigEndian.PutUint32(b[12:], base)
	return b
}

// from returns the frame of a packet with its source address, of IPv4 or IPv6, ending in this byte.
func from(f plain.Packet, source byte) []byte {
	b := f.Bytes()
	if f.V6 {
		b[f.L2()+23] = source
	} else {
		b[f.L2()+15] = source
	}
	f.Repair(b)
	return b
}

// beatsOf cuts a frame into beats.
func beatsOf(r *rand.Rand, frame []byte, tag uint32) (beats []port.Rx) {
	for _, x := range plain.BeatsOf(r, frame, tag) {
		beats = append(beats, port.Rx(x))
	}
	return beats
}

// draw returns a random frame: mostly sound requests and control packets of a few sources with PSNs that matter to the
// PDCs of r, sometimes damaged.
func draw(r *rand.Rand, p *plainReceiver) []byte {
	f := plain.Packet{V6: r.IntN(4) == 0, Native: r.IntN(3) == 0, Checksum: r.IntN(2) == 0,
		Class: uint8([]int{0, 1, 2, 3, 3, 16<<2 | 1, 18 << 2, r.IntN(256)}[r.IntN(8)])}
	for range max(0, r.IntN(6)-3) {
		f.Tags = append(f.Tags, []uint16{0x8100, 0x88A8}[r.IntN(2)])
	}
	if !f.V6 && r.IntN(6) == 0 {
		f.Options = 4 * r.IntN(11)
	}
	kind := []int{2, 2, 2, 3, 13, 13, 14, 11}[r.IntN(8)]
	source := byte(1 + r.IntN(2))
	spdcid := uint16(1 + r.IntN(3))
	if kind == 3 || kind == 14 {
		spdcid += 4
	}
	flags := r.IntN(128) &^ fSyn
	if kind == 11 {
		if flags &^= fRod; r.IntN(3) == 0 {
			flags, spdcid = flags|fRod, spdcid+4
		}
	}
	// The PDC that the packet is for: the first of its key, or any.
	k := -1
	for i := range p.pdc {
		c := &p.pdc[i]
		if c.valid && c.ipv6 == f.V6 && c.spdcid == int(spdcid) && c.src[15] == source && (f.V6 || c.src[12] == 10) {
			k = i
			break
		}
	}
	if r.IntN(20) == 0 {
		k = r.IntN(len(p.pdc))
	}
	psn, last := r.Uint32(), uint16(1+r.IntN(len(p.pdc)+1))
	offset := r.IntN([]int{1, 4, 4096}[r.IntN(3)])
	if k >= 0 {
		c, mpr := &p.pdc[k], int(p.reg[3])
		d := []int{0, 0, 0, 1, 2, 3, r.IntN(8), -1 - r.IntN(4), 63, 64, 65, mpr - 1, mpr, 255, 256,
			r.IntN(300) - 40}[r.IntN(16)]
		psn = uint32(c.cack + 1 + d)
		switch r.IntN(60) {
		case 0:
			psn = r.Uint32()
		case 1:
			psn = uint32(c.cack) + 1<<31 + uint32(r.IntN(4)) - 1
		case 2:
			psn = uint32(c.cack + r.IntN(70000) - 35000)
		}
		last = uint16(k + 1)
		offset = int(psn) - c.start
		if r.IntN(16) == 0 {
			offset++
		}
	}
	if k < 0 || r.IntN(6) == 0 {
		flags |= fSyn
		last = uint16(offset&0xFFF | r.IntN(16)<<12)
	} else if r.IntN(40) == 0 {
		last = uint16(r.IntN(len(p.pdc) + 2))
	}
	if r.IntN(40) == 0 {
		spdcid = uint16(r.IntN(4))
	}
	ctl := []int{1, 1, 4, 6, 6, 1, 4, r.IntN(16)}[r.IntN(8)]
	switch {
	case kind == 11:
		base := psn + uint32(r.IntN(200)) - 100
		if r.IntN(8) == 0 {
			base = r.Uint32()
		}
		f.PDS = cp(ctl, flags, psn, spdcid, last, base)
	default:
		f.PDS = data(kind, flags|ctl<<7, psn, spdcid, last)
	}
	if r.IntN(40) == 0 {
		binary.BigEndian.PutUint16(f.PDS, uint16(r.Uint32()))
	}
	if r.IntN(60) == 0 {
		f.PDS = f.PDS[:2+r.IntN(len(f.PDS)-2)]
	} else {
		f.PDS = append(f.PDS, make([]byte, []int{0, r.IntN(8), r.IntN(100), r.IntN(1500)}[r.IntN(4)])...)
	}
	if r.IntN(3) == 0 {
		f.Padding = r.IntN(70)
	}
	if r.IntN(40) == 0 {
		f.Port = uint16(r.Uint32())
	}
	if r.IntN(8) == 0 {
		return f.Damage(r)
	}
	return from(f, source)
}

// drawCfg returns a random cfg event that mostly leaves the block at work.
func drawCfg(r *rand.Rand, p *plainReceiver) port.Cfg {
	e := port.Cfg{Kind: port.Kind(1 + r.IntN(4)), PDC: uint16(r.IntN(len(p.pdc))), Addr: uint8(r.IntN(46)),
		Data: r.Uint32()}
	if r.IntN(10) == 0 {
		e = port.Cfg{Kind: port.Kind(r.IntN(16)), PDC: uint16(r.IntN(2 * len(p.pdc))), Addr: uint8(r.IntN(64)),
			Data: uint32(r.IntN(3))}
	}
	switch {
	case e.Kind == port.KindCfgRead:
		e.Addr = uint8(r.IntN(13))
	case e.Kind == port.KindCfgWrite:
		e.Addr = uint8(r.IntN(13))
		switch e.Addr {
		case port.RegUdpPort:
			e.Data = []uint32{4793, 4793, 4793, r.Uint32()}[r.IntN(4)]
		case port.RegNative:
			e.Data = []uint32{253, 253, 253, 17, r.Uint32()}[r.IntN(5)]
		case port.RegMpr:
			e.Data = []uint32{0, 1, 2, 64, 128, 255, 0x180, r.Uint32()}[r.IntN(8)]
		case port.RegTrigger:
			e.Data = []uint32{0, 3000, 16384, 1<<32 - 1, r.Uint32()}[r.IntN(5)]
		case port.RegTrimmed, port.RegTrimmedLasthop:
			e.Data = []uint32{16, 18, r.Uint32()}[r.IntN(3)]
		case port.RegTick:
			e.Data = []uint32{0, 1, 2, 7, 128, 0x30000 | r.Uint32()&0xFF}[r.IntN(6)]
		}
	case e.Kind == port.KindLoad:
		switch e.Addr {
		case 0: // free one, or change a flag of one
			c := &p.pdc[int(e.PDC)%len(p.pdc)]
			e.Data = c.word(0) ^ 1<<r.IntN(6)
			if r.IntN(2) == 0 {
				e.Data &^= 1
			}
		case port.WordCack, port.WordAsked, port.WordStart:
			e.Data = []uint32{0, 1<<32 - 3, 1 << 31, 1<<31 - 2, r.Uint32()}[r.IntN(5)]
		case port.WordRcvd, port.WordPending:
			e.Data = []uint32{0, 1, 256, 1<<32 - 1, 1<<32 - 1000}[r.IntN(5)]
		case port.WordWantClose:
			e.Data = uint32(r.IntN(4))
		}
		if e.Addr >= port.WordSeen0 && e.Addr <= port.WordSeen7 {
			e.Data = []uint32{0, 1<<32 - 1, 1, 1 << 31, r.Uint32()}[r.IntN(5)]
		}
		if e.Addr >= port.WordSrc0 && e.Addr <= port.WordSrc3 && r.IntN(4) > 0 {
			e.Data = []uint32{0x0A000001, 0, 0, 0}[e.Addr-port.WordSrc0]
		}
	}
	return e
}
