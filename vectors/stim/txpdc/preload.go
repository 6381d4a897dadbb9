package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// preload writes the state of a PDC that is half way: a window with holes, PSNs near the wrap, stamps near the timeout.
// valid comes first or last.
func (m *mix) preload(p *pdc) {
	r := &m.Rand
	word := m.flags(p)
	first := r.One(6)
	if first {
		m.loaded(p, txpdc.WordValid, word)
	} else {
		m.loaded(p, txpdc.WordValid, 0)
	}
	una := stim.Pick(r, uint32(r.Corner(32)), -uint32(r.N(200)), uint32(r.Bits(32)))
	n := stim.Pick(r, 0, 1, 2, 31+r.N(3), 63+r.N(3), 127, 128, r.N(129), 2+r.N(12))
	if word&4 != 0 && !r.One(8) {
		n = 0 // of a PDC that closes nothing is outstanding
	}
	m.loaded(p, txpdc.WordUna, una)
	m.loaded(p, txpdc.WordOutstanding, uint32(n)|uint32(r.Bits(24))<<8)
	if r.One(2) {
		m.loaded(p, txpdc.WordStart, una-uint32(stim.Pick(r, 0, 1, r.N(200), 4095, 4096, r.N(1<<20))))
	}
	m.loaded(p, txpdc.WordLeft, stim.Pick(r, 0, 0, 1, m.payload, m.payload-1, m.payload+1, uint32(r.N(int(m.payload)*30)),
		1<<31-1))
	if r.One(3) {
		sum := uint32(r.Corner(32))
		m.loaded(p, txpdc.WordSum, sum)
		m.loaded(p, txpdc.WordRcvd, stim.Pick(r, sum>>8, sum>>8+1, uint32(r.Corner(24)))|uint32(r.Bits(8))<<24)
	}
	if word&4 != 0 {
		m.loaded(p, txpdc.WordClosedAt, m.stamp())
	}
	m.bitmaps(p, n)
	for range stim.Pick(r, 1, 4, 8) {
		m.row(p.no, una+uint32(r.N(max(n, 1))), stim.Pick(r, m.payload+64, uint32(r.Corner(16)), 65535), m.stamp())
	}
	if n > 0 {
		m.row(p.no, una, m.payload, m.stamp())
	}
	if !first {
		m.loaded(p, txpdc.WordValid, word)
	}
}

// loaded loads a word here and there.
func (m *mix) loaded(p *pdc, addr int, data uint32) {
	m.load(p.no, addr, data)
	p.load(addr, data)
	m.settle()
}

// flags draws word 0.
func (m *mix) flags(p *pdc) uint32 {
	r := &m.Rand
	word := uint32(1)
	word |= uint32(stim.Bit(r.One(5)))<<txpdc.WordSynLSB | uint32(stim.Bit(r.One(5)))<<txpdc.WordClosingLSB |
		uint32(stim.Bit(r.One(16)))<<txpdc.WordStoppedLSB
	tries := stim.Pick(r, 0, 0, m.tries-1, m.tries, 5+uint32(r.N(3)), 14, 15, uint32(r.N(16)))
	mpr := stim.Pick(r, 0, 0, 1, 2, 127, 128, 129, 255, uint32(r.N(256)), uint32(r.N(10)))
	return word | tries<<txpdc.WordTriesLSB | mpr<<txpdc.WordMprLSB | uint32(p.peer)<<txpdc.WordPeerLSB
}

// stamp draws a time before now, some timeouts away, or any. Now is small, so that times before it are below 0.
func (m *mix) stamp() uint32 {
	r := &m.Rand
	return stim.Pick(r, 0, -m.rto<<r.N(8)+uint32(r.N(400)), -uint32(r.N(int(m.rto)*3)), uint32(r.Corner(32)), 1<<31)
}

// bitmaps writes what is acknowledged, waits to be sent again and was resent.
func (m *mix) bitmaps(p *pdc, n int) {
	r := &m.Rand
	hole := r.N(max(n, 1))
	draw := func(density int) (b set) {
		for i := range n {
			switch {
			case density < 0:
				b.put(i, i != hole)
			default:
				b.put(i, r.N(100) < density)
			}
		}
		if r.One(10) { // beyond what is outstanding
			for i := range b {
				b[i] |= uint32(r.Bits(32)) &^ ones(n-32*i)
			}
		}
		return b
	}
	acked := draw(stim.Pick(r, 0, 0, 10, 50, 95, -1))
	if !r.One(6) {
		acked.put(0, false)
	}
	marked, resent := draw(stim.Pick(r, 0, 0, 5, 50, 100, -1)), draw(stim.Pick(r, 0, 50, 100, -1))
	for i := range acked {
		if !r.One(20) {
			marked[i] &^= acked[i]
		}
	}
	for i := range acked {
		m.flag(p, txpdc.WordAcked0+i, p.acked[i], acked[i])
		m.flag(p, txpdc.WordMarked0+i, p.marked[i], marked[i])
		m.flag(p, txpdc.WordResent0+i, p.resent[i], resent[i])
	}
}

// flag loads a word of flags, unless it should be there.
func (m *mix) flag(p *pdc, addr int, was, now uint32) {
	if was != now || m.Rand.One(4) {
		m.loaded(p, addr, now)
	}
}

// ones returns a word whose n lowest bits are 1.
func ones(n int) uint32 {
	return uint32(1<<min(max(n, 0), 32) - 1)
}
