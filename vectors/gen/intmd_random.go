package gen

import "github.com/goldwire/goldwire/vectors/event/intmd"

// Input streams of intmd.
const (
	laneIntmdRx  = 0
	laneCnt      = 1
	laneIntmdCfg = 2
)

// intmdScript writes an episode of intmd.
type intmdScript struct {
	*script
	beat beat // storage of the beat being written
}

// intmdSide is what comes with a packet.
type intmdSide struct{ len, in, out int }

// intRx appends the beats of a frame; wait is for the first.
func (s *intmdScript) intRx(frame []byte, side intmdSide, empty bool, wait uint8) {
	beats(&s.r, &s.beat, frame, empty, func(i int, b *beat) {
		x := intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last}
		if i == 0 {
			x.Len, x.InPort, x.OutPort = uint16(side.len), uint8(side.in), uint8(side.out)
		} else {
			n := s.r.u64()
			x.Len, x.InPort, x.OutPort = uint16(n), uint8(n>>16), uint8(n>>24)
			wait = 0
		}
		intmd.PackRx(&x, s.put(laneIntmdRx, wait))
		if !b.last {
			s.more()
		}
	})
}

func (s *intmdScript) intCfg(k intmd.Kind, port, addr int, data uint32, wait uint8) {
	intmd.PackCfg(&intmd.Cfg{Kind: k, Port: uint8(port), Addr: uint8(addr), Data: data}, s.put(laneIntmdCfg, wait))
}

func (s *intmdScript) intCnt(port int, op intmd.Op, tx, q uint32, wait uint8) {
	intmd.PackCnt(&intmd.Cnt{Port: uint8(port), Op: op, TxBytes: tx, Qlen: q}, s.put(laneCnt, wait))
}

// intmdRandom writes an episode of packets with and without room for telemetry, counter reports side by side
// with them, and changes of configuration.
func intmdRandom(s *intmdScript) {
	r := &s.r
	ports := s.params["NumPorts"]
	s.drawDrive(3, 2, ports)
	magic := uint16(intMagic)
	for a := range intmd.NumRegs {
		switch {
		case a == intmd.RegMode && r.n(8) > 0:
			s.intCfg(intmd.KindCfgWrite, 0, a, 3, 0)
		case r.one(3):
			s.intWrite(a)
		}
	}
	for range r.n(2 * ports) {
		s.intCfg(intmd.KindRateWrite, r.n(ports), r.n(32), uint32(r.bits(32)), 0)
	}
	bad, none, lie := pick(r, 0, 20, 60, 128), pick(r, 0, 10, 100), pick(r, 0, 0, 6, 60)
	cfg, cnt := pick(r, 2, 10, 60, 400), pick(r, 1, 2, 8, 50)
	hops := pick(r, 3, 5, 8, 30, 255)
	small := r.one(3)
	packets := s.drive.paced(30+r.n(150), 20)
	var buf []byte
	settle := uint8(0)
	for n := 0; n < packets && !s.full(); n++ {
		f := drawFrame(r, intmdKinds)
		if r.n(256) >= none {
			h := r.n(hops + 1)
			f.withTelemetry(r, h, pick(r, hops, hops, h, h+1, max(h-1, 0)))
			f.tele.magic = magic
			if r.one(20) {
				f.tele.magic ^= 1 << r.n(16)
			}
			if r.one(20) {
				f.tele.flip = pick(r, 1<<r.n(16), uint16(r.bits(16)))
			}
		}
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
		if f.tele.on && r.one(30) {
			f.tele.hops = uint8(r.bits(8))
		}
		buf = f.bytes(r, buf)
		side := intmdSide{len(buf), r.n(ports), r.n(ports)}
		if r.one(40) {
			side.in, side.out = pick(r, ports, ports-1, 255, r.n(256)), pick(r, ports, ports-1, 255, r.n(256))
		}
		if r.n(256) < lie {
			side.len = pick(r, f.size(), len(buf)+r.n(9)-4, r.n(65536), 0, 65535)
		}
		s.intRx(buf, side, r.one(10), settle)
		settle = 0
		if r.one(cnt) {
			for range 1 + r.n(6) {
				s.intReport()
			}
		}
		if r.one(cfg) {
			wait := pick(r, uint8(0), 1<<laneIntmdRx)
			for range 1 + r.n(3) {
				s.intOther(wait)
			}
			if wait != 0 {
				settle = 1 << laneIntmdCfg
			}
		}
	}
	s.intReadBack()
	s.aimResets()
}

// intReport appends a counter report.
func (s *intmdScript) intReport() {
	r := &s.r
	ports := s.params["NumPorts"]
	p := r.n(ports)
	if r.one(30) {
		p = pick(r, ports, 255, r.n(256))
	}
	q := pick(r, uint32(r.logn(24)), uint32(80*r.n(65600)+r.n(3)-1), 5242880+uint32(r.n(200)), 5242800, 1<<31+uint32(r.n(5242880)), uint32(r.corner(32)))
	tx := pick(r, uint32(r.logn(14)), 1<<27-uint32(r.n(300)), uint32(r.corner(32)), 128*uint32(r.n(1000)))
	s.intCnt(p, intmd.Op(r.n(2)), tx, q, 0)
}

// intWrite writes a register.
func (s *intmdScript) intWrite(a int) {
	r := &s.r
	v := uint32(r.bits(32))
	switch a {
	case intmd.RegMode:
		v = v | uint32(r.n(4))
	case intmd.RegUdpPort:
		v = v<<16 | 4793
	case intmd.RegMagic:
		v = v<<16 | intMagic
	case intmd.RegMaxFrame:
		v = v<<16 | uint32(pick(r, 9216, 9216, 1500, 60+r.n(400), 65535, 0, r.n(65536), 32768+r.n(400)))
	case intmd.RegPeriod:
		v = pick(r, 0, 1, 2, 3, uint32(r.n(60)), uint32(1+r.n(255))<<16|uint32(r.n(60)), 1<<24-1) | v<<24
	case intmd.RegStep:
		v = pick(r, 65536, 0, 1, 104858, 1<<24-1, v)
	case intmd.RegTime:
		v = pick(r, 0, 1<<24-1, 1<<24-uint32(1+r.n(400)), v)
	}
	s.intCfg(intmd.KindCfgWrite, r.n(256), a, v, 0)
}

// intOther appends a cfg event.
func (s *intmdScript) intOther(wait uint8) {
	r := &s.r
	ports := s.params["NumPorts"]
	p := pick(r, r.n(ports), r.n(ports), r.n(ports), ports, 255)
	switch r.n(9) {
	case 0, 1:
		s.intWrite(r.n(intmd.NumRegs))
	case 2:
		s.intCfg(intmd.KindLoad, p, r.n(intmd.NumWords), pick(r, ^uint32(0), ^uint32(1), uint32(r.corner(32))), wait)
	case 3:
		s.intCfg(intmd.KindRead, p, r.n(intmd.NumWords), uint32(r.u64()), wait)
	case 4:
		s.intCfg(intmd.KindCfgRead, p, r.n(intmd.NumRegs), uint32(r.u64()), wait)
	case 5:
		s.intCfg(intmd.KindEntryRead, p, r.n(32), uint32(r.u64()), wait)
	case 6:
		s.intCfg(intmd.KindRateWrite, p, r.n(32), uint32(r.u64()), wait)
	default:
		s.intCfg(intmd.Kind(r.n(16)), p, r.n(32), uint32(r.n(300)), wait)
	}
	s.items[s.used-1].Wait = wait
}

// intReadBack reads everything once the packets are through.
func (s *intmdScript) intReadBack() {
	for a := range intmd.NumWords {
		s.intCfg(intmd.KindRead, 0, a, 0, WaitAll)
		if a == 0 {
			s.gap(60)
		}
	}
	for a := range intmd.NumRegs {
		s.intCfg(intmd.KindCfgRead, 0, a, 0, 0)
	}
	for p := range min(s.params["NumPorts"], 8) {
		s.intCfg(intmd.KindEntryRead, p, 0, 0, 0)
	}
}
