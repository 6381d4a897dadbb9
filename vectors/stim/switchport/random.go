package switchport

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/switchport"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Input streams of switchport.
const (
	laneRx    = 0
	laneGrant = 1
	laneCfg   = 2
)

// script writes an episode of switchport.
type script struct{ frame.Script }

func on(s *stim.Script) *script { return &script{frame.Script{Script: s}} }

// sideband is what comes with a packet.
type sideband struct {
	port, in, cls           int
	trimmable, ect, lastHop bool
	id                      uint32
	between                 func(beat int) // called after each beat, to list other streams' items
}

// switchRx appends the beats of a frame.
func (s *script) switchRx(data []byte, side *sideband, empty bool, wait uint8) {
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := switchport.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last}
		if i == 0 {
			x.Port, x.InPort, x.Cls, x.Id = uint8(side.port), uint8(side.in), switchport.Cls(side.cls), side.id
			x.Trimmable, x.Ect, x.LastHop = side.trimmable, side.ect, side.lastHop
		} else {
			n := s.Rand.U64()
			x.Port, x.InPort, x.Cls, x.Id = uint8(n), uint8(n>>8), switchport.Cls(n>>16&3), uint32(n>>24)
			x.Trimmable, x.Ect, x.LastHop = n>>56&1 != 0, n>>57&1 != 0, n>>58&1 != 0
		}
		switchport.PackRx(&x, words)
		if side.between != nil {
			side.between(i)
		}
	})
}

func (s *script) grantPort(port int, wait uint8) {
	switchport.PackGrant(&switchport.Grant{Port: uint8(port)}, s.Put(laneGrant, wait))
}

func (s *script) switchCfg(x *switchport.Cfg, wait uint8) {
	switchport.PackCfg(x, s.Put(laneCfg, wait))
}

// granted sends a frame to port 0, and a grant of that port after it.
func (s *script) granted(data []byte, side *sideband) {
	s.switchRx(data, side, false, 0)
	s.grantPort(0, 1<<laneRx)
}

// write writes a register of a block inside; the code of the kind is the same in all three.
func (s *script) write(target switchport.Target, addr int, v uint32, wait uint8) {
	s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, wait)
}

func (s *script) egressReg(addr int, v uint32) { s.write(switchport.TargetEgress, addr, v, 0) }

// intMode writes the sorts of packets that telemetry goes into.
func (s *script) intMode(v uint32) { s.write(switchport.TargetIntmd, intmd.RegMode, v, 0) }

// drawFrame draws a frame as a switch meets it: requests and acknowledgements with telemetry, some of them wrong.
func drawFrame(r *stim.Rand, bad int, size int) frame.Frame {
	f := frame.Draw(r, frame.TelemetryKinds)
	if !r.One(4) {
		h := r.N(4)
		f.WithTelemetry(r, h, h+r.N(3))
	}
	f.Sized(size)
	f.Aim(r)
	if r.N(256) < bad {
		f.Spoil(r)
	}
	return f
}

// random writes an episode of packets through a whole port: few ports, thresholds that the traffic
// meets, grants among the beats, accesses to the blocks inside, and a drain at the end.
func random(s *script) {
	r := &s.Rand
	ports, slots := s.Params["NumPorts"], s.Params["Slots"]
	s.DrawDrive(3, 4, ports)
	used := 1 + r.N(min(ports, 4))
	deep := stim.Pick(r, 200, 800, 3000, 12000)
	for _, a := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed,
		egress.RegDropHigh, egress.RegShared,
		egress.RegKDet, egress.RegKMin, egress.RegKMax, egress.RegXoff, egress.RegXon} {
		if !r.One(4) {
			s.egressReg(a, uint32(r.N(deep)*stim.Pick(r, 1, 1, 2, 8)))
		}
	}
	s.egressReg(egress.RegECNMode, uint32(r.N(4)))
	s.egressReg(egress.RegSched, uint32(r.N(4)))
	if !r.One(4) {
		s.intMode(3)
	}
	for range r.N(6) {
		s.switchOther(0)
	}
	bad, cfg, rate := stim.Pick(r, 0, 20, 100), stim.Pick(r, 3, 20, 200), stim.Pick(r, 0, 128, 256, 256, 300)
	small := !r.One(4)
	packets := s.Drive.Paced(20+r.N(90), 15)
	grant := func() {
		p := r.N(used)
		if r.One(40) {
			p = stim.Pick(r, ports, ports-1, 255, r.N(256))
		}
		s.grantPort(p, 0)
	}
	var buf []byte
	owed, begun := 0, 0
	side := &sideband{between: func(i int) {
		if i%8 == 7 && r.N(256) < rate {
			grant()
		}
	}}
	for n := 0; n < packets && !s.Full() && s.Used < 2500; n++ {
		size := frame.DrawSize(r)
		if small {
			size = 60 + size%240
		}
		f := drawFrame(r, bad, size)
		if r.One(150) {
			f.Pad += 64 * (140 + r.N(8)) // about as long as a slot
		}
		buf = f.Bytes(r, buf)
		f.AimZero(r, buf)
		side.port, side.in, side.cls = r.N(used), r.N(ports), stim.Pick(r, 0, 0, 0, 1, 2)
		if r.One(40) {
			side.port, side.cls = stim.Pick(r, ports, 255, side.port), stim.Pick(r, 3, side.cls)
		}
		if r.One(12) {
			side.in = stim.Pick(r, r.N(256), side.in^1<<r.N(8))
		}
		side.trimmable, side.ect, side.lastHop, side.id = !r.One(4), !r.One(4), r.One(2), uint32(r.U64())
		s.switchRx(buf, side, r.One(12), 0)
		begun++
		for owed += rate; owed >= 256; owed -= 256 {
			grant()
		}
		if r.One(cfg) {
			s.switchOther(stim.Pick(r, uint8(0), 1<<laneRx, 1<<laneGrant))
		}
		if begun > 2*slots && r.One(10) {
			begun = 0
			rate = stim.Pick(r, 64, 256, 400)
		}
	}
	s.Drive.Relief = fabric.Relief(s.Drive.Relief, used)
	s.switchDrain(used, min(slots, packets)+2)
	s.switchReadBack(used)
	s.AimResets()
}

// switchDrain grants every port in use until nothing can be left in it, and once more.
func (s *script) switchDrain(used, packets int) {
	for range packets {
		for p := range used {
			s.grantPort(p, 0)
		}
	}
	for p := range used {
		s.grantPort(p, 1<<laneRx)
		if p == 0 {
			s.Gap(40)
		}
	}
}

// switchReadBack reads counters of the blocks inside.
func (s *script) switchReadBack(used int) {
	read := func(target switchport.Target, kind, port, cls, addr int, wait uint8) {
		s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(kind), Port: uint8(port), Cls: switchport.Cls(cls),
			Addr: uint8(addr)}, wait)
	}
	for p := range min(used, 2) {
		for c := range 3 {
			for a := range egress.NumWords {
				wait := uint8(0)
				if p+c+a == 0 {
					wait = stim.WaitAll
				}
				read(switchport.TargetEgress, int(egress.KindRead), p, c, a, wait)
				if wait != 0 {
					s.Gap(70)
				}
			}
		}
		read(switchport.TargetIntmd, int(intmd.KindEntryRead), p, 0, 0, 0)
	}
	for a := range trimmer.NumWords {
		read(switchport.TargetTrimmer, int(trimmer.KindRead), 0, 0, a, 0)
	}
	for a := range intmd.NumWords {
		read(switchport.TargetIntmd, int(intmd.KindRead), 0, 0, a, 0)
	}
}

// switchOther appends an access to a block inside.
func (s *script) switchOther(wait uint8) {
	r := &s.Rand
	x := switchport.Cfg{Target: switchport.Target(r.N(3)), Kind: uint8(r.N(16)),
		Port: uint8(r.N(s.Params["NumPorts"] + 1)),
		Cls:  switchport.Cls(r.N(4)), Addr: uint8(r.N(32)), Data: uint32(r.U64())}
	switch {
	case r.One(12):
		x.Target = 3
	case r.One(12):
		x.Kind = 0
	case r.One(2):
		// One that does something and keeps packets flowing.
		switch x.Target {
		case switchport.TargetEgress:
			x.Kind, x.Addr = uint8(egress.KindCfgWrite),
				uint8(stim.Pick(r, egress.RegTrim, egress.RegTrimLasthop, egress.RegKDet, egress.RegKMin,
					egress.RegKMax, egress.RegSched, egress.RegECNMode))
			x.Data = uint32(r.N(6000))
		case switchport.TargetTrimmer:
			x.Kind, x.Addr = uint8(trimmer.KindCfgWrite),
				uint8(stim.Pick(r, trimmer.RegTrimSize, trimmer.RegMinSize, trimmer.RegTrimSize, trimmer.RegMinSize,
					trimmer.RegUdpPort, trimmer.RegDscpTrimmed, trimmer.RegDscpLasthop))
			if x.Data = uint32(r.N(260)); x.Addr == trimmer.RegUdpPort {
				x.Data = stim.Pick(r, 4793, 4793, x.Data<<16|4793, x.Data)
			}
		case switchport.TargetIntmd:
			x.Kind, x.Addr = uint8(intmd.KindCfgWrite),
				uint8(stim.Pick(r, intmd.RegMode, intmd.RegPeriod, intmd.RegStep, intmd.RegTime))
			x.Data = uint32(stim.Pick(r, r.N(4), 3, r.N(1<<24)))
		}
	case x.Kind == uint8(egress.KindCfgWrite) || x.Kind == uint8(egress.KindLoad):
		x.Kind = uint8(egress.KindRead)
	}
	s.switchCfg(&x, wait)
}
