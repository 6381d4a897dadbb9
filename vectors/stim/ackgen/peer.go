package ackgen

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// peer is a PDC of a source, as far as the source needs to know to write its packets.
type peer struct {
	form   frame.Frame // addresses, tags, UDP or native
	spdcid uint16
	rod    bool
	start  uint32
	next   uint32 // PSN that it sends next
	pdc    int    // identifier at the destination, 0 as long as its packets carry syn
	lost   []uint32
}

// started is the bit of a PDC that has accepted a packet, in its first word.
const started = 1 << 3

// newPeer draws a source.
func newPeer(r *stim.Rand, at *lower) *peer {
	p := &peer{form: frame.Good(stim.Pick(r, 0, 0, 1, 2), r.One(2), stim.Pick(r, 0, 0, r.N(11))),
		spdcid: uint16(1 + r.N(6)), rod: r.One(4),
		start: stim.Pick(r, uint32(r.Corner(32)), uint32(r.Bits(32)), -uint32(r.N(300)))}
	p.form.From = uint32(1 + r.N(6)) // few, so that keys differ in one part only
	if r.One(8) {
		p.form.From = uint32(r.Corner(24)) | 1
	}
	if r.One(4) {
		p.form.Native, p.form.Proto = true, at.native
	}
	p.form.SrcPort, p.form.DstPort = uint16(r.Bits(16)), at.port
	p.next = p.start
	return p
}

// header returns a header of a type with a PSN.
func (p *peer) header(r *stim.Rand, kind uint8, psn uint32) frame.PDS {
	h := frame.PDS{Type: kind, Next: uint8(r.N(16)), Short: uint16(r.Corner(16)), PSN: psn, SPDCID: p.spdcid,
		DPDCID: uint16(p.pdc), Payload: uint32(r.Bits(32))}
	if p.pdc == 0 {
		h.Flags |= frame.FlagSyn
		h.DPDCID = uint16(r.N(16))<<12 | uint16(psn-p.start)&0xfff
	}
	if kind == frame.Control && p.rod {
		h.Flags |= frame.FlagISROD
	}
	return h
}

// data returns the header of a request.
func (p *peer) data(r *stim.Rand, psn uint32) frame.PDS {
	kind := stim.Pick(r, uint8(frame.RUD), frame.RUDCC)
	if p.rod {
		kind = stim.Pick(r, uint8(frame.ROD), frame.RODCC)
	}
	return p.header(r, kind, psn)
}

// control returns the header of a control packet.
func (p *peer) control(r *stim.Rand, ctl uint8, psn uint32) frame.PDS {
	h := p.header(r, frame.Control, psn)
	h.Next = ctl
	return h
}

// load writes the state of a PDC in which a source is half way, and returns the source.
func (s *script) load(k int, at *lower) *peer {
	r := &s.Rand
	p := newPeer(r, at)
	p.pdc = k + 1
	cack := stim.Pick(r, uint32(r.Corner(32)), uint32(r.Bits(32)), -uint32(r.N(300)))
	word := uint32(1) | uint32(p.spdcid)<<16
	for i, on := range []bool{p.form.V6, p.rod} {
		if on {
			word |= 2 << i
		}
	}
	word |= uint32(r.Bits(6)) & uint32(stim.Pick(r, 0x38, started, started|0x10))
	s.cfg(ackgen.KindLoad, k, ackgen.WordValid, word, 0)
	if r.One(6) {
		s.cfg(ackgen.KindLoad, k, ackgen.WordWantClose, uint32(r.U64()), 0)
	}
	s.cfg(ackgen.KindLoad, k, ackgen.WordCack, cack, 0)
	// What has arrived: nothing, all but one, or at random, up to some distance.
	reach, dense := stim.Pick(r, 0, 1, 64, 70, 128, 255, 256, r.N(257)), stim.Pick(r, 0, 2, 10, 1000)
	var seen [8]uint32
	for i := range reach {
		if dense > 0 && !r.One(dense) && (i > 0 || r.One(40)) {
			seen[i/32] |= 1 << (i % 32)
		}
	}
	for i, x := range seen {
		if x != 0 || r.One(2) {
			s.cfg(ackgen.KindLoad, k, ackgen.WordSeen0+i, x, 0)
		}
	}
	s.cfg(ackgen.KindLoad, k, ackgen.WordRcvd, stim.Pick(r, uint32(r.Corner(32)), -uint32(r.N(6000)),
		uint32(r.N(1<<20))<<8-uint32(r.N(3))), 0)
	s.cfg(ackgen.KindLoad, k, ackgen.WordPending, stim.Pick(r, 0, uint32(r.N(16384)), 16384-1024-uint32(r.N(3)),
		uint32(r.Corner(32)), -uint32(r.N(3000))), 0)
	s.cfg(ackgen.KindLoad, k, ackgen.WordAsked, cack+uint32(stim.Pick(r, r.N(300), 0, 1, 2, r.N(8), 1<<31))-
		uint32(stim.Pick(r, 0, 1, 1<<31)), 0)
	src := [4]uint32{p.form.From, 0, 0, 0x20 << 24}
	if !p.form.V6 {
		src = [4]uint32{10<<24 | p.form.From&0xffffff}
	}
	for i, x := range src {
		if i == 0 || x != 0 || r.One(4) {
			s.cfg(ackgen.KindLoad, k, ackgen.WordSrc0+i, x, 0)
		}
	}
	p.start = cack + 1 - uint32(stim.Pick(r, 0, 1, r.N(4096), r.N(3800)))
	s.cfg(ackgen.KindLoad, k, ackgen.WordStart, p.start, 0)
	p.next = cack + 1 + uint32(stim.Pick(r, 0, reach, r.N(reach+1)))
	for i := range uint32(reach) {
		if seen[i/32]>>(i%32)&1 == 0 {
			p.lost = append(p.lost, cack+1+i)
		}
	}
	return p
}
