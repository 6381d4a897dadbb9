package trimmer

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Input streams of trimmer.
const (
	laneRx  = 0
	laneCfg = 1
)

// kinds are UET types that are trimmed, and some that are not.
var kinds = []uint8{2, 3, 13, 14, 2, 3, 13, 14, 2, 3, 13, 14, 7, 8}

// script writes an episode of trimmer.
type script struct{ frame.Script }

func on(s *stim.Script) *script { return &script{frame.Script{Script: s}} }

// sideband is what comes with a packet.
type sideband struct {
	trim, lastHop, ce bool
	len               int
	told              int // length decided elsewhere; 0: none
	tag               uint32
}

// trimRx appends the beats of a frame; wait is for the first.
func (s *script) trimRx(data []byte, side sideband, empty bool, wait uint8) {
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := trimmer.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last}
		if i == 0 {
			x.Trim, x.LastHop, x.Ce, x.Len, x.Tag = side.trim, side.lastHop, side.ce, uint16(side.len), side.tag
			x.TrimSize = uint16(side.told)
		} else {
			// Taken from the first beat only.
			n := s.Rand.U64()
			x.Trim, x.LastHop, x.Ce, x.Len, x.Tag = n&1 != 0, n&2 != 0, n&4 != 0, uint16(n>>8), uint32(n>>24)
			x.TrimSize = uint16(n>>55) & 511
		}
		trimmer.PackRx(&x, words)
	})
}

// send appends a frame with its right length.
func (s *script) send(f frame.Frame, side sideband, wait uint8) {
	b := f.Bytes(&s.Rand, nil)
	side.len = len(b)
	s.trimRx(b, side, false, wait)
}

// trimmed appends a frame that is to be trimmed and marked.
func (s *script) trimmed(f frame.Frame) {
	b := f.Bytes(&s.Rand, nil)
	s.trimRx(b, trimAll(len(b)), false, 0)
}

func (s *script) trimCfg(k trimmer.Kind, addr int, data uint32, wait uint8) {
	trimmer.PackCfg(&trimmer.Cfg{Kind: k, Addr: uint8(addr), Data: data}, s.Put(laneCfg, wait))
}

// random writes an episode of packets, most of which are to be trimmed, with changes of configuration
// between and among them.
func random(s *script) {
	r := &s.Rand
	s.DrawDrive(2, 2, 1)
	for a := range trimmer.NumRegs {
		if r.One(2) {
			s.trimWrite(a)
		}
	}
	port := uint32(4793)
	if r.One(4) {
		port = uint32(r.Bits(16))
		s.trimCfg(trimmer.KindCfgWrite, trimmer.RegUdpPort, port, 0)
	}
	trim, bad, lie, cfg := stim.Pick(r, 256, 230, 128, 20), stim.Pick(r, 0, 20, 60, 128), stim.Pick(r, 0, 0, 6, 60),
		stim.Pick(r, 2, 10, 60, 400)
	told := stim.Pick(r, 0, 0, 60, 200)
	small := r.One(3)
	packets := s.Drive.Paced(30+r.N(150), 20)
	var buf []byte
	settle := uint8(0)
	for n := 0; n < packets && !s.Full(); n++ {
		f := frame.Draw(r, kinds)
		f.DstPort = uint16(port)
		if n := frame.DrawSize(r); small {
			f.Sized(60 + n%200)
		} else {
			f.Sized(n)
		}
		f.Aim(r)
		if r.N(256) < bad {
			f.Spoil(r)
			if r.One(4) {
				f.Spoil(r)
			}
		}
		buf = f.Bytes(r, buf)
		f.AimZero(r, buf)
		side := sideband{trim: r.N(256) < trim, lastHop: r.One(2), ce: r.One(2), len: len(buf), tag: uint32(r.U64())}
		if r.N(256) < told {
			side.told = drawTold(r, &f)
		}
		if r.N(256) < lie {
			side.len = stim.Pick(r, f.Size(), len(buf)+r.N(9)-4, r.N(65536), 0, 65535)
		}
		s.trimRx(buf, side, r.One(10), settle)
		settle = s.Asides(cfg, laneRx, laneCfg, s.trimOther)
	}
	s.trimReadBack()
	s.AimResets()
}

// drawTold draws a length decided elsewhere: at the ends of headers and packet, at its own ends, anything.
func drawTold(r *stim.Rand, f *frame.Frame) int {
	n := stim.Pick(r, f.UDP()+trimmer.UetMin, f.UDP()+trimmer.UetMin, f.Size()-f.Pad, trimmer.MaxTrim, 64, 1, 511,
		r.N(512))
	return min(max(n+stim.Pick(r, 0, 0, 0, -1, 1), 0), 511)
}

// trimWrite writes a register.
func (s *script) trimWrite(a int) {
	r := &s.Rand
	v := uint32(r.Bits(32))
	switch a {
	case trimmer.RegTrimSize, trimmer.RegMinSize:
		v = stim.Pick(r, 64, 0, uint32(r.N(257)), uint32(r.N(257)), 60, 128, 256, 257, 1<<9, uint32(r.Bits(32)))
	case trimmer.RegUdpPort:
		v = 4793 | uint32(r.Bits(16))<<16
	}
	s.trimCfg(trimmer.KindCfgWrite, a, v, 0)
}

// trimOther appends a cfg event.
func (s *script) trimOther(wait uint8) {
	r := &s.Rand
	switch r.N(7) {
	case 0, 1:
		s.trimWrite(stim.Pick(r, trimmer.RegTrimSize, trimmer.RegMinSize, trimmer.RegDscpTrimmed,
			trimmer.RegDscpLasthop))
	case 2:
		s.trimCfg(trimmer.KindLoad, r.N(trimmer.NumWords), stim.Pick(r, ^uint32(0), ^uint32(1), uint32(r.Corner(32))),
			wait)
	case 3:
		s.trimCfg(trimmer.KindRead, r.N(trimmer.NumWords), uint32(r.U64()), wait)
	case 4:
		s.trimCfg(trimmer.KindCfgRead, r.N(trimmer.NumRegs), uint32(r.U64()), wait)
	case 5:
		s.trimCfg(trimmer.Kind(r.N(16)), r.N(32), uint32(r.N(300)), wait)
	default:
		s.trimCfg(stim.Pick(r, trimmer.KindLoad, trimmer.KindRead, trimmer.KindCfgRead), r.N(32), uint32(r.U64()), wait)
	}
	s.Items[s.Used-1].Wait = wait
}

// trimReadBack reads everything once the packets are through.
func (s *script) trimReadBack() {
	for a := range trimmer.NumWords {
		s.trimCfg(trimmer.KindRead, a, 0, stim.WaitAll)
		if a == 0 {
			s.Gap(60)
		}
	}
	for a := range trimmer.NumRegs {
		s.trimCfg(trimmer.KindCfgRead, a, 0, 0)
	}
}
