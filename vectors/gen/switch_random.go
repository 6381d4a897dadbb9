package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Input streams of switchport.
const (
	laneSwitchRx  = 0
	laneGrant     = 1
	laneSwitchCfg = 2
)

// switchScript writes an episode of switchport.
type switchScript struct {
	*script
	beat beat // storage of the beat being written
}

// switchSide is what comes with a packet.
type switchSide struct {
	port, in, cls           int
	trimmable, ect, lastHop bool
	id                      uint32
	between                 func(beat int) // called after each beat, to list other streams' items
}

// switchRx appends the beats of a frame.
func (s *switchScript) switchRx(frame []byte, side *switchSide, empty bool, wait uint8) {
	beats(&s.r, &s.beat, frame, empty, func(i int, b *beat) {
		x := switchport.Rx{Data: b.data, Keep: b.keep, Last: b.last}
		if i == 0 {
			x.Port, x.InPort, x.Cls, x.Id = uint8(side.port), uint8(side.in), switchport.Cls(side.cls), side.id
			x.Trimmable, x.Ect, x.LastHop = side.trimmable, side.ect, side.lastHop
		} else {
			n := s.r.u64()
			x.Port, x.InPort, x.Cls, x.Id = uint8(n), uint8(n>>8), switchport.Cls(n>>16&3), uint32(n>>24)
			x.Trimmable, x.Ect, x.LastHop = n>>56&1 != 0, n>>57&1 != 0, n>>58&1 != 0
			wait = 0
		}
		switchport.PackRx(&x, s.put(laneSwitchRx, wait))
		if !b.last {
			s.more()
		}
		if side.between != nil {
			side.between(i)
		}
	})
}

func (s *switchScript) grantPort(port int, wait uint8) {
	switchport.PackGrant(&switchport.Grant{Port: uint8(port)}, s.put(laneGrant, wait))
}

func (s *switchScript) switchCfg(x *switchport.Cfg, wait uint8) {
	switchport.PackCfg(x, s.put(laneSwitchCfg, wait))
}

func (s *switchScript) egressReg(addr int, v uint32) {
	s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, 0)
}

// intMode writes the sorts of packets that telemetry goes into.
func (s *switchScript) intMode(v uint32) {
	s.switchCfg(&switchport.Cfg{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindCfgWrite), Addr: intmd.RegMode, Data: v}, 0)
}

// switchFrame draws a frame as a switch meets it: requests and acknowledgements with telemetry, some of them
// wrong.
func switchFrame(r *rng, bad int, size int) frame {
	f := drawFrame(r, intmdKinds)
	if !r.one(4) {
		h := r.n(4)
		f.withTelemetry(r, h, h+r.n(3))
	}
	f.sized(size)
	if r.n(256) < bad {
		f.spoil(r)
	}
	return f
}

// switchRandom writes an episode of packets through a whole port: few ports, thresholds that the traffic
// meets, grants among the beats, accesses to the blocks inside, and a drain at the end.
func switchRandom(s *switchScript) {
	r := &s.r
	ports, slots := s.params["NumPorts"], s.params["Slots"]
	s.drawDrive(3, 4, ports)
	used := 1 + r.n(min(ports, 4))
	deep := pick(r, 200, 800, 3000, 12000)
	for _, a := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed, egress.RegDropHigh, egress.RegShared,
		egress.RegKDet, egress.RegKMin, egress.RegKMax, egress.RegXoff, egress.RegXon} {
		if !r.one(4) {
			s.egressReg(a, uint32(r.n(deep)*pick(r, 1, 1, 2, 8)))
		}
	}
	s.egressReg(egress.RegECNMode, uint32(r.n(4)))
	s.egressReg(egress.RegSched, uint32(r.n(4)))
	if !r.one(4) {
		s.intMode(3)
	}
	for range r.n(6) {
		s.switchOther(0)
	}
	bad, cfg, rate := pick(r, 0, 20, 100), pick(r, 3, 20, 200), pick(r, 0, 128, 256, 256, 300)
	small := !r.one(4)
	packets := s.drive.paced(20+r.n(90), 15)
	grant := func() {
		p := r.n(used)
		if r.one(40) {
			p = pick(r, ports, ports-1, 255, r.n(256))
		}
		s.grantPort(p, 0)
	}
	var buf []byte
	owed, begun := 0, 0
	side := &switchSide{between: func(i int) {
		if i%8 == 7 && r.n(256) < rate {
			grant()
		}
	}}
	for n := 0; n < packets && !s.full() && s.used < 2500; n++ {
		size := drawSize(r)
		if small {
			size = 60 + size%240
		}
		f := switchFrame(r, bad, size)
		if r.one(150) {
			f.pad += 64 * (140 + r.n(8)) // about as long as a slot
		}
		buf = f.bytes(r, buf)
		side.port, side.in, side.cls = r.n(used), r.n(ports), pick(r, 0, 0, 0, 1, 2)
		if r.one(40) {
			side.port, side.cls = pick(r, ports, 255, side.port), pick(r, 3, side.cls)
		}
		if r.one(12) {
			side.in = r.n(256)
		}
		side.trimmable, side.ect, side.lastHop, side.id = !r.one(4), !r.one(4), r.one(2), uint32(r.u64())
		s.switchRx(buf, side, r.one(12), 0)
		begun++
		for owed += rate; owed >= 256; owed -= 256 {
			grant()
		}
		if r.one(cfg) {
			s.switchOther(pick(r, uint8(0), 1<<laneSwitchRx, 1<<laneGrant))
		}
		if begun > 2*slots && r.one(10) {
			begun = 0
			rate = pick(r, 64, 256, 400)
		}
	}
	s.drive.Relief = grantRelief(s.drive.Relief, used)
	s.switchDrain(used, min(slots, packets)+2)
	s.switchReadBack(used)
	s.aimResets()
}

// grantRelief grants the first ports of a switch in turn.
func grantRelief(relief []Item, ports int) []Item {
	for p := range ports {
		w := make([]uint64, switchport.InWords)
		switchport.PackGrant(&switchport.Grant{Port: uint8(p)}, w)
		relief = append(relief, Item{Lane: laneGrant, Words: w})
	}
	return relief
}

// switchDrain grants every port in use until nothing can be left in it, and once more.
func (s *switchScript) switchDrain(used, packets int) {
	for range packets {
		for p := range used {
			s.grantPort(p, 0)
		}
	}
	for p := range used {
		s.grantPort(p, 1<<laneSwitchRx)
		if p == 0 {
			s.gap(40)
		}
	}
}

// switchReadBack reads counters of the blocks inside.
func (s *switchScript) switchReadBack(used int) {
	read := func(target switchport.Target, kind, port, cls, addr int, wait uint8) {
		s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(kind), Port: uint8(port), Cls: switchport.Cls(cls), Addr: uint8(addr)}, wait)
	}
	for p := range min(used, 2) {
		for c := range 3 {
			for a := range egress.NumWords {
				wait := uint8(0)
				if p+c+a == 0 {
					wait = WaitAll
				}
				read(switchport.TargetEgress, int(egress.KindRead), p, c, a, wait)
				if wait != 0 {
					s.gap(70)
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
func (s *switchScript) switchOther(wait uint8) {
	r := &s.r
	x := switchport.Cfg{Target: switchport.Target(r.n(3)), Kind: uint8(r.n(16)), Port: uint8(r.n(s.params["NumPorts"] + 1)),
		Cls: switchport.Cls(r.n(4)), Addr: uint8(r.n(32)), Data: uint32(r.u64())}
	switch {
	case r.one(12):
		x.Target = 3
	case r.one(12):
		x.Kind = 0
	case r.one(2):
		// One that does something and keeps packets flowing.
		switch x.Target {
		case switchport.TargetEgress:
			x.Kind, x.Addr = uint8(egress.KindCfgWrite), uint8(pick(r, egress.RegTrim, egress.RegTrimLasthop, egress.RegKDet, egress.RegKMin, egress.RegKMax, egress.RegSched, egress.RegECNMode))
			x.Data = uint32(r.n(6000))
		case switchport.TargetTrimmer:
			x.Kind, x.Addr = uint8(trimmer.KindCfgWrite), uint8(pick(r, trimmer.RegTrimSize, trimmer.RegMinSize, trimmer.RegTrimSize, trimmer.RegMinSize, trimmer.RegUdpPort, trimmer.RegDscpTrimmed, trimmer.RegDscpLasthop))
			if x.Data = uint32(r.n(260)); x.Addr == trimmer.RegUdpPort {
				x.Data = pick(r, 4793, 4793, x.Data<<16|4793, x.Data)
			}
		case switchport.TargetIntmd:
			x.Kind, x.Addr = uint8(intmd.KindCfgWrite), uint8(pick(r, intmd.RegMode, intmd.RegPeriod, intmd.RegStep, intmd.RegTime))
			x.Data = uint32(pick(r, r.n(4), 3, r.n(1<<24)))
		}
	case x.Kind == uint8(egress.KindCfgWrite) || x.Kind == uint8(egress.KindLoad):
		x.Kind = uint8(egress.KindRead)
	}
	s.switchCfg(&x, wait)
}
