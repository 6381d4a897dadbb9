package txpdc

import (
	"math/rand/v2"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Draws of inputs that are likely to matter in the state of the block.

// drawCmd returns a command. calm leaves out what a host does not do: loads, strange times and refused ones.
func drawCmd(r *rand.Rand, s *plainSource, calm bool) port.Cmd {
	k := r.IntN(len(s.pdc))
	p := &s.pdc[k]
	e := port.Cmd{Kind: []port.Kind{5, 6, 6, 6, 6, 7}[r.IntN(6)], PDC: uint16(k), Addr: uint8(r.IntN(32)),
		PSN: uint32(p.una + r.IntN(130)), Data: r.Uint32()}
	for j := range s.pdc { // a chance to close is rare
		if q := &s.pdc[j]; q.valid && !q.syn && !q.closing && q.left == 0 && q.n == 0 && r.IntN(3) == 0 {
			return port.Cmd{Kind: port.KindClose, PDC: uint16(j)}
		}
	}
	if !calm && r.IntN(3) == 0 {
		e.Kind = []port.Kind{1, 1, 1, 2, 2, 3, 4, port.Kind(r.IntN(16))}[r.IntN(8)]
	}
	if calm && e.Kind == port.KindClose && (p.left > 0 || p.n > 0) {
		e.Kind = port.KindRead
	}
	if !calm {
		switch r.IntN(24) {
		case 0:
			e.PDC = uint16(len(s.pdc) + r.IntN(2))
		case 1:
			e.PDC = uint16(r.Uint32())
		}
	}
	switch e.Kind {
	case port.KindOpen:
		e.Data = []uint32{0, 1000, -uint32(r.IntN(200)), 1<<31 - 50, e.Data}[r.IntN(5)]
	case port.KindMessage:
		size := uint32(1) << s.payload
		e.Data = []uint32{1, size, size + 1, size*uint32(r.IntN(200)) + uint32(r.IntN(3)), size * uint32(r.IntN(9)), 9,
			e.Data >> 3, 1<<31 - 1}[r.IntN(8)]
		if calm {
			e.Data = e.Data%(200*size) + 1
		} else if r.IntN(20) == 0 {
			e.Data = []uint32{0, 1 << 31, e.Data | 1<<31}[r.IntN(3)]
		}
	case port.KindLoad:
		e.Addr = uint8([]int{0, 2, 3, 4, 5, 6, 7, 8 + r.IntN(12), 8 + r.IntN(12), 20, 21, 22, 23 + r.IntN(8),
			r.IntN(32)}[r.IntN(14)])
		switch e.Addr {
		case 0:
			e.Data = []uint32{1, 1, 1, 3, 5, 9, e.Data & 15}[r.IntN(7)] | uint32(r.IntN(16))<<4 |
				uint32(mod(p.mpr+r.IntN(3)*r.IntN(256), 256))<<8 | uint32(r.IntN(3))<<16
		case 3:
			e.Data = []uint32{uint32(r.IntN(129)), 128, 129, e.Data<<8 | 128, 0}[r.IntN(5)]
		case 6:
			e.Data = uint32(p.rcvd) + uint32(r.IntN(3))
		case 8, 9, 10, 11, 12, 13, 14, 15:
			e.Data &= r.Uint32()
		case 20:
			e.Data %= 9000
		case 21:
			e.Data = -uint32(r.IntN(3)) + uint32(r.IntN(500))
		}
		if e.Addr >= 23 && r.IntN(2) == 0 {
			e.Data = -uint32(r.IntN(3))
		}
	case port.KindCfgRead:
		e.Addr = uint8(r.IntN(6))
	case port.KindCfgWrite:
		e.Addr = uint8(r.IntN(6))
		e.Data = []uint32{uint32(r.IntN(16)), e.Data, uint32(r.IntN(300)), uint32(r.IntN(5)), uint32(r.IntN(5)), 0}[e.Addr]
		if r.IntN(9) == 0 {
			e.Data = r.Uint32() << (8 * r.IntN(4))
		}
	}
	return e
}

// drawView returns a view, in most cases one that lets a context send.
func drawView(r *rand.Rand, s *plainSource) port.View {
	v := port.View{Kind: []uint8{5, 5, 5, 5, uint8(r.IntN(16))}[r.IntN(5)], Ctx: uint16(r.IntN(len(s.ctx))),
		CanSend: r.IntN(8) > 0, Refused: r.IntN(30) == 0}
	if r.IntN(30) == 0 {
		v.Ctx = uint16(len(s.ctx) + r.IntN(3))
	}
	return v
}

// drawRec returns a record for a PDC that has something outstanding, if one that is drawn has.
func drawRec(r *rand.Rand, s *plainSource) port.Rec {
	k := r.IntN(len(s.pdc))
	for range 6 {
		if s.pdc[k].valid && (s.pdc[k].n > 0 || s.pdc[k].closing) {
			break
		}
		k = r.IntN(len(s.pdc))
	}
	p := &s.pdc[k]
	inside := func() uint32 { return uint32(p.una + r.IntN(p.n+1)) }
	e := port.Rec{
		PdsType: []port.PdsType{7, 8, 8, 8, 9, 10, 10, 12, port.PdsType(r.IntN(32))}[r.IntN(9)],
		Entropy: uint16(r.Uint32()), M: r.IntN(2) == 0, Retx: r.IntN(3) == 0, Probe: r.IntN(6) == 0,
		PSN: uint32(p.una - 1), AckPSN: inside(), Spdcid: uint16(p.peer), Dpdcid: uint16(k + 1),
		NackCode: []uint8{0, 1, 1, 1, 2, 3, 0x0D, 0x12, 0x14, 0x18, uint8(r.IntN(32))}[r.IntN(11)],
		CcType:   []uint8{0, 0, 0, uint8(r.IntN(16))}[r.IntN(4)],
		Mpr:      []uint8{0, 0, 0, 128, 129, uint8(r.IntN(40)), 255}[r.IntN(7)],
		SackBase: inside() - []uint32{0, uint32(r.IntN(70))}[r.IntN(2)], SackBitmap: r.Uint64() & r.Uint64(),
		ServiceTime: uint16(r.Uint32()), RC: r.IntN(2) == 0, Pend: uint8(r.IntN(128)),
		RcvdBytes: uint32(mod(p.rcvd+[]int{0, 1, 300, -1, two24/2 - 1, two24 / 2, r.IntN(two24)}[r.IntN(7)], two24)),
	}
	if e.PdsType == 10 || e.PdsType == 12 {
		e.PSN = inside()
	} else if r.IntN(2) == 0 {
		e.PSN = inside()
	}
	if p.syn {
		e.Spdcid = uint16(r.IntN(4))
	}
	if p.closing && r.IntN(2) == 0 {
		e.NackCode = uint8(13 + r.IntN(4))
	}
	switch r.IntN(24) {
	case 0:
		e.Dpdcid = []uint16{0, uint16(len(s.pdc) + 1), uint16(len(s.pdc)), uint16(r.Uint32())}[r.IntN(4)]
	case 1:
		e.Spdcid++
	case 2:
		e.PSN, e.AckPSN, e.SackBase = r.Uint32(), r.Uint32(), r.Uint32()
	case 3:
		e.PSN = uint32(p.una - []int{r.IntN(300), 4095, 4096, 4097, 4098, 4099}[r.IntN(6)])
	case 4:
		e.PSN = uint32(p.una + p.n + r.IntN(3) - 1)
	}
	return e
}
