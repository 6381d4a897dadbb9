package gen

import "github.com/goldwire/goldwire/vectors/event/trimmer"

// Input streams of trimmer.
const (
	laneTrimmerRx  = 0
	laneTrimmerCfg = 1
)

// trimmerKinds are UET types that are trimmed, and some that are not.
var trimmerKinds = []uint8{2, 3, 13, 14, 2, 3, 13, 14, 2, 3, 13, 14, 7, 8}

// trimmerScript writes an episode of trimmer.
type trimmerScript struct {
	*script
	beat beat // storage of the beat being written
}

// trimmerSide is what comes with a packet.
type trimmerSide struct {
	trim, lastHop, ce bool
	len               int
	told              int // length decided elsewhere; 0: none
	tag               uint32
}

// trimRx appends the beats of a frame; wait is for the first.
func (s *trimmerScript) trimRx(frame []byte, side trimmerSide, empty bool, wait uint8) {
	beats(&s.r, &s.beat, frame, empty, func(i int, b *beat) {
		x := trimmer.Rx{Data: b.data, Keep: b.keep, Last: b.last}
		if i == 0 {
			x.Trim, x.LastHop, x.Ce, x.Len, x.Tag = side.trim, side.lastHop, side.ce, uint16(side.len), side.tag
			x.TrimSize = uint16(side.told)
		} else {
			// Taken from the first beat only.
			n := s.r.u64()
			x.Trim, x.LastHop, x.Ce, x.Len, x.Tag = n&1 != 0, n&2 != 0, n&4 != 0, uint16(n>>8), uint32(n>>24)
			x.TrimSize = uint16(n>>55) & 511
			wait = 0
		}
		trimmer.PackRx(&x, s.put(laneTrimmerRx, wait))
		if !b.last {
			s.more()
		}
	})
}

func (s *trimmerScript) trimCfg(k trimmer.Kind, addr int, data uint32, wait uint8) {
	trimmer.PackCfg(&trimmer.Cfg{Kind: k, Addr: uint8(addr), Data: data}, s.put(laneTrimmerCfg, wait))
}

// trimmerRandom writes an episode of packets, most of which are to be trimmed, with changes of configuration
// between and among them.
func trimmerRandom(s *trimmerScript) {
	r := &s.r
	s.drawDrive(2, 2, 1)
	for a := range trimmer.NumRegs {
		if r.one(2) {
			s.trimWrite(a)
		}
	}
	port := uint32(4793)
	if r.one(4) {
		port = uint32(r.bits(16))
		s.trimCfg(trimmer.KindCfgWrite, trimmer.RegUdpPort, port, 0)
	}
	trim, bad, lie, cfg := pick(r, 256, 230, 128, 20), pick(r, 0, 20, 60, 128), pick(r, 0, 0, 6, 60), pick(r, 2, 10, 60, 400)
	told := pick(r, 0, 0, 60, 200)
	small := r.one(3)
	packets := s.drive.paced(30+r.n(150), 20)
	var buf []byte
	settle := uint8(0)
	for n := 0; n < packets && !s.full(); n++ {
		f := drawFrame(r, trimmerKinds)
		f.dport = uint16(port)
		if n := drawSize(r); small {
			f.sized(60 + n%200)
		} else {
			f.sized(n)
		}
		if r.n(256) < bad {
			f.spoil(r)
			if r.one(4) {
				f.spoil(r)
			}
		}
		buf = f.bytes(r, buf)
		side := trimmerSide{trim: r.n(256) < trim, lastHop: r.one(2), ce: r.one(2), len: len(buf), tag: uint32(r.u64())}
		if r.n(256) < told {
			side.told = drawTold(r, &f)
		}
		if r.n(256) < lie {
			side.len = pick(r, f.size(), len(buf)+r.n(9)-4, r.n(65536), 0, 65535)
		}
		s.trimRx(buf, side, r.one(10), settle)
		settle = 0
		if r.one(cfg) {
			// Between two packets, or whenever it comes.
			wait := pick(r, uint8(0), 1<<laneTrimmerRx)
			for range 1 + r.n(3) {
				s.trimOther(wait)
			}
			if wait != 0 {
				settle = 1 << laneTrimmerCfg
			}
		}
	}
	s.trimReadBack()
	s.aimResets()
}

// drawTold draws a length decided elsewhere: at the ends of headers and packet, at its own ends, anything.
func drawTold(r *rng, f *frame) int {
	n := pick(r, f.udp()+trimmer.UetMin, f.udp()+trimmer.UetMin, f.size()-f.pad, trimmer.MaxTrim, 64, 1, 511, r.n(512))
	return min(max(n+pick(r, 0, 0, 0, -1, 1), 0), 511)
}

// trimWrite writes a register.
func (s *trimmerScript) trimWrite(a int) {
	r := &s.r
	v := uint32(r.bits(32))
	switch a {
	case trimmer.RegTrimSize, trimmer.RegMinSize:
		v = pick(r, 64, 0, uint32(r.n(257)), uint32(r.n(257)), 60, 128, 256, 257, 1<<9, uint32(r.bits(32)))
	case trimmer.RegUdpPort:
		v = 4793 | uint32(r.bits(16))<<16
	}
	s.trimCfg(trimmer.KindCfgWrite, a, v, 0)
}

// trimOther appends a cfg event.
func (s *trimmerScript) trimOther(wait uint8) {
	r := &s.r
	switch r.n(7) {
	case 0, 1:
		s.trimWrite(pick(r, trimmer.RegTrimSize, trimmer.RegMinSize, trimmer.RegDscpTrimmed, trimmer.RegDscpLasthop))
	case 2:
		s.trimCfg(trimmer.KindLoad, r.n(trimmer.NumWords), pick(r, ^uint32(0), ^uint32(1), uint32(r.corner(32))), wait)
	case 3:
		s.trimCfg(trimmer.KindRead, r.n(trimmer.NumWords), uint32(r.u64()), wait)
	case 4:
		s.trimCfg(trimmer.KindCfgRead, r.n(trimmer.NumRegs), uint32(r.u64()), wait)
	case 5:
		s.trimCfg(trimmer.Kind(r.n(16)), r.n(32), uint32(r.n(300)), wait)
	default:
		s.trimCfg(pick(r, trimmer.KindLoad, trimmer.KindRead, trimmer.KindCfgRead), r.n(32), uint32(r.u64()), wait)
	}
	s.items[s.used-1].Wait = wait
}

// trimReadBack reads everything once the packets are through.
func (s *trimmerScript) trimReadBack() {
	for a := range trimmer.NumWords {
		s.trimCfg(trimmer.KindRead, a, 0, WaitAll)
		if a == 0 {
			s.gap(60)
		}
	}
	for a := range trimmer.NumRegs {
		s.trimCfg(trimmer.KindCfgRead, a, 0, 0)
	}
}
