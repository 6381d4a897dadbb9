package intmd

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Input streams of intmd.
const (
	laneRx  = 0
	laneCnt = 1
	laneCfg = 2
)

// script writes an episode of intmd.
type script struct{ frame.Script }

func on(s *stim.Script) *script { return &script{frame.Script{Script: s}} }

// sideband is what comes with a packet.
type sideband struct{ len, in, out int }

// intRx appends the beats of a frame; wait is for the first.
func (s *script) intRx(data []byte, side sideband, empty bool, wait uint8) {
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := intmd.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last}
		if i == 0 {
			x.Len, x.InPort, x.OutPort = uint16(side.len), uint8(side.in), uint8(side.out)
		} else {
			n := s.Rand.U64()
			x.Len, x.InPort, x.OutPort = uint16(n), uint8(n>>16), uint8(n>>24)
		}
		intmd.PackRx(&x, words)
	})
}

// send appends a good frame whose input and output port are the same.
func (s *script) send(f frame.Frame, port int, wait uint8) {
	b := f.Bytes(&s.Rand, nil)
	s.intRx(b, sideband{len(b), port, port}, false, wait)
}

// reg writes a register once everything before it is done.
func (s *script) reg(addr int, v uint32) { s.intCfg(intmd.KindCfgWrite, 0, addr, v, stim.WaitAll) }

func (s *script) intCfg(k intmd.Kind, port, addr int, data uint32, wait uint8) {
	intmd.PackCfg(&intmd.Cfg{Kind: k, Port: uint8(port), Addr: uint8(addr), Data: data}, s.Put(laneCfg, wait))
}

func (s *script) intCnt(port int, op intmd.Op, tx, q uint32, wait uint8) {
	intmd.PackCnt(&intmd.Cnt{Port: uint8(port), Op: op, TxBytes: tx, Qlen: q}, s.Put(laneCnt, wait))
}

// random writes an episode of packets with and without room for telemetry, counter reports in parallel, and changes of
// configuration.
func random(s *script) {
	r := &s.Rand
	ports := s.Params["NumPorts"]
	s.DrawDrive(3, 2, ports)
	magic := uint16(frame.Magic)
	for a := range intmd.NumRegs {
		switch {
		case a == intmd.RegMode && r.N(8) > 0:
			s.intCfg(intmd.KindCfgWrite, 0, a, 3, 0)
		case r.One(3):
			s.intWrite(a)
		}
	}
	for range r.N(2 * ports) {
		s.intCfg(intmd.KindRateWrite, r.N(ports), r.N(32), uint32(r.Bits(32)), 0)
	}
	bad, none, lie := stim.Pick(r, 0, 20, 60, 128), stim.Pick(r, 0, 10, 100), stim.Pick(r, 0, 0, 6, 60)
	cfg, cnt := stim.Pick(r, 2, 10, 60, 400), stim.Pick(r, 1, 2, 8, 50)
	hops := stim.Pick(r, 3, 5, 8, 30, 255)
	small := r.One(3)
	packets := s.Drive.Paced(30+r.N(150), 20)
	var buf []byte
	settle := uint8(0)
	for n := 0; n < packets && !s.Full(); n++ {
		f := frame.Draw(r, frame.TelemetryKinds)
		if r.N(256) >= none {
			h := r.N(hops + 1)
			f.WithTelemetry(r, h, stim.Pick(r, hops, hops, h, h+1, max(h-1, 0)))
			f.Tele.Magic = magic
			if r.One(20) {
				f.Tele.Magic ^= 1 << r.N(16)
			}
			if r.One(20) {
				f.Tele.Flip = stim.Pick(r, 1<<r.N(16), uint16(r.Bits(16)))
			}
		}
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
		if f.Tele.On && r.One(30) {
			f.Tele.Hops = uint8(r.Bits(8))
		}
		buf = f.Bytes(r, buf)
		f.AimZero(r, buf)
		side := sideband{len(buf), r.N(ports), r.N(ports)}
		if r.One(10) { // a port but for one bit
			side.in, side.out = side.in^1<<r.N(8), side.out^1<<r.N(8)
		}
		if r.One(40) {
			side.in, side.out = stim.Pick(r, ports, ports-1, 255, r.N(256)), stim.Pick(r, ports, ports-1, 255, r.N(256))
		}
		if r.N(256) < lie {
			side.len = stim.Pick(r, f.Size(), len(buf)+r.N(9)-4, r.N(65536), 0, 65535)
		}
		s.intRx(buf, side, r.One(10), settle)
		if r.One(cnt) {
			for range 1 + r.N(6) {
				s.intReport()
			}
		}
		settle = s.Asides(cfg, laneRx, laneCfg, s.intOther)
	}
	s.intReadBack()
	s.AimResets()
}

// intReport appends a counter report.
func (s *script) intReport() {
	r := &s.Rand
	ports := s.Params["NumPorts"]
	p := r.N(ports)
	if r.One(30) {
		p = stim.Pick(r, ports, 255, r.N(256))
	}
	q := stim.Pick(r, uint32(r.LogN(24)), uint32(80*r.N(65600)+r.N(3)-1), 5242880+uint32(r.N(200)), 5242800,
		1<<31+uint32(r.N(5242880)), uint32(r.Corner(32)))
	tx := stim.Pick(r, uint32(r.LogN(14)), 1<<27-uint32(r.N(300)), uint32(r.Corner(32)), 128*uint32(r.N(1000)))
	s.intCnt(p, intmd.Op(r.N(2)), tx, q, 0)
}

// intWrite writes a register.
func (s *script) intWrite(a int) {
	r := &s.Rand
	v := uint32(r.Bits(32))
	switch a {
	case intmd.RegMode:
		v = v | uint32(r.N(4))
	case intmd.RegUdpPort:
		v = v<<16 | 4793
	case intmd.RegMagic:
		v = v<<16 | frame.Magic
	case intmd.RegMaxFrame:
		v = v<<16 | uint32(stim.Pick(r, 9216, 9216, 1500, 60+r.N(400), 65535, 0, r.N(65536), 32768+r.N(400)))
	case intmd.RegPeriod:
		v = stim.Pick(r, 0, 1, 2, 3, uint32(r.N(60)), uint32(1+r.N(255))<<16|uint32(r.N(60)), 1<<24-1) | v<<24
	case intmd.RegStep:
		v = stim.Pick(r, 65536, 0, 1, 104858, 1<<24-1, v)
	case intmd.RegTime:
		v = stim.Pick(r, 0, 1<<24-1, 1<<24-uint32(1+r.N(400)), v)
	}
	s.intCfg(intmd.KindCfgWrite, r.N(256), a, v, 0)
}

// intOther appends a cfg event.
func (s *script) intOther(wait uint8) {
	r := &s.Rand
	ports := s.Params["NumPorts"]
	p := stim.Pick(r, r.N(ports), r.N(ports), r.N(ports), ports, 255)
	switch r.N(9) {
	case 0, 1:
		s.intWrite(r.N(intmd.NumRegs))
	case 2:
		s.intCfg(intmd.KindLoad, p, r.N(intmd.NumWords), stim.Pick(r, ^uint32(0), ^uint32(1), uint32(r.Corner(32))),
			wait)
	case 3:
		s.intCfg(intmd.KindRead, p, r.N(intmd.NumWords), uint32(r.U64()), wait)
	case 4:
		s.intCfg(intmd.KindCfgRead, p, r.N(intmd.NumRegs), uint32(r.U64()), wait)
	case 5:
		s.intCfg(intmd.KindEntryRead, p, r.N(32), uint32(r.U64()), wait)
	case 6:
		s.intCfg(intmd.KindRateWrite, p, r.N(32), uint32(r.U64()), wait)
	default:
		s.intCfg(intmd.Kind(r.N(16)), p, r.N(32), uint32(r.N(300)), wait)
	}
	s.Items[s.Used-1].Wait = wait
}

// intReadBack reads everything once the packets are through.
func (s *script) intReadBack() {
	for a := range intmd.NumWords {
		s.intCfg(intmd.KindRead, 0, a, 0, stim.WaitAll)
		if a == 0 {
			s.Gap(60)
		}
	}
	for a := range intmd.NumRegs {
		s.intCfg(intmd.KindCfgRead, 0, a, 0, 0)
	}
	for p := range min(s.Params["NumPorts"], 8) {
		s.intCfg(intmd.KindEntryRead, p, 0, 0, 0)
	}
}
