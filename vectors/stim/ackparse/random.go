package ackparse

import (
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Input streams of ackparse.
const (
	laneRx  = 0
	laneCfg = 1
)

// kinds are the PDS types that give records.
var kinds = []uint8{frame.Ack, frame.AckCC, frame.AckCCX, frame.Nack, frame.Control, frame.NackCCX}

// script writes an episode of ackparse.
type script struct{ frame.Script }

func on(s *stim.Script) *script { return &script{frame.Script{Script: s}} }

// send appends the beats of a frame; wait is for the first.
func (s *script) send(data []byte, tag uint32, empty bool, wait uint8) {
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := ackparse.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: tag}
		if i > 0 {
			x.Tag = uint32(s.Rand.U64()) // taken from the first beat only
		}
		ackparse.PackRx(&x, words)
	})
}

func (s *script) cfg(k ackparse.Kind, addr int, data uint32, wait uint8) {
	ackparse.PackCfg(&ackparse.Cfg{Kind: k, Addr: uint8(addr), Data: data}, s.Put(laneCfg, wait))
}

// lengths are what an episode's registers say.
type lengths struct {
	ack, nack int // of the states of ACK_CCX and NACK_CCX
	port      uint16
	native    uint8
}

// reset are the registers after a reset.
var reset = lengths{ack: int(ackparse.RegInfo[ackparse.RegAckState].Reset),
	nack: int(ackparse.RegInfo[ackparse.RegNackState].Reset), port: uint16(ackparse.RegInfo[ackparse.RegUdpPort].Reset),
	native: uint8(ackparse.RegInfo[ackparse.RegNative].Reset)}

// state returns the length of a type's state.
func (l *lengths) state(kind uint8) int {
	if kind == frame.NackCCX {
		return l.nack
	}
	return l.ack
}

// random writes an episode of packets, most of which give records, with changes of configuration between and among
// them.
func random(s *script) {
	r := &s.Rand
	s.DrawDrive(2, 2, 1)
	at := reset
	if r.One(2) {
		at.ack, at.nack = r.N(ackparse.MaxAckState+1), 1+r.N(ackparse.MaxNackState)
		s.cfg(ackparse.KindCfgWrite, ackparse.RegAckState, uint32(at.ack), 0)
		s.cfg(ackparse.KindCfgWrite, ackparse.RegNackState, uint32(at.nack), 0)
	}
	if r.One(3) {
		at.port, at.native = uint16(r.Bits(16)), stim.Pick(r, uint8(r.Bits(8)), 17, 254)
		s.cfg(ackparse.KindCfgWrite, ackparse.RegUdpPort, uint32(at.port)|uint32(r.Bits(16))<<16, 0)
		s.cfg(ackparse.KindCfgWrite, ackparse.RegNative, uint32(at.native), 0)
	}
	s.cfg(ackparse.KindCfgWrite, ackparse.RegControl, uint32(r.U64()), 0)
	bad, flip, cfg := stim.Pick(r, 0, 20, 60, 128), stim.Pick(r, 0, 0, 10, 60), stim.Pick(r, 2, 10, 60, 400)
	packets := s.Drive.Paced(30+r.N(150), 20)
	var buf []byte
	settle := uint8(0)
	for n := 0; n < packets && !s.Full(); n++ {
		f := s.draw(&at)
		if r.N(256) < bad {
			f.Aim(r)
			f.Spoil(r)
			if r.One(4) {
				f.Spoil(r)
			}
		}
		buf = f.Bytes(r, buf)
		if r.N(256) < flip {
			buf[r.N(len(buf))] ^= 1 << r.N(8)
		}
		f.AimZero(r, buf)
		s.send(buf, uint32(r.U64()), r.One(10), settle)
		settle = s.Asides(cfg, laneRx, laneCfg, s.other)
	}
	s.readBack()
	s.AimResets()
}

// draw draws a packet, most often one that gives a record.
func (s *script) draw(at *lengths) frame.Frame {
	r := &s.Rand
	f := frame.Draw(r, kinds)
	f.DstPort = at.port
	if !r.One(3) {
		f.BadSum, f.BadHead = false, false
	}
	if r.One(4) {
		f.Native, f.Proto, f.Ones = true, at.native, false
	}
	p := frame.DrawPDS(r, f.UET, at.state(f.UET))
	more := stim.Pick(r, 0, 0, 0, 1, r.N(64), r.N(300))
	switch r.N(24) {
	case 0: // a request, or a type that nobody has
		p.Type = uint8(r.N(32))
		more = r.N(1500)
	case 1:
		more = -1 - r.N(3)
	case 2:
		p.CCType, p.Next = uint8(r.N(16)), uint8(r.N(16))
	case 3:
		p.SPDCID = stim.Pick(r, 0, p.SPDCID)
		p.DPDCID = stim.Pick(r, 0, p.DPDCID)
	}
	f.WithPDS(&p)
	f.Body = max(f.Body+more, 0)
	if r.One(3) {
		f.Pad = stim.Pick(r, max(60-f.Size(), 0), r.N(8), 64*(1+r.N(3))-f.Size()%64)
	}
	return f
}

// other appends a cfg event.
func (s *script) other(wait uint8) {
	r := &s.Rand
	switch r.N(8) {
	case 0, 1:
		s.cfg(ackparse.KindCfgWrite, stim.Pick(r, ackparse.RegAckState, ackparse.RegNackState),
			stim.Pick(r, uint32(r.N(22)), uint32(r.N(22)), 0, 16, 17, 20, 21, 1<<5|8, uint32(r.Bits(32))), wait)
	case 2:
		s.cfg(ackparse.KindCfgWrite, ackparse.RegControl, uint32(r.U64()), wait)
	case 3:
		s.cfg(ackparse.KindLoad, r.N(ackparse.NumWords), stim.Pick(r, ^uint32(0), ^uint32(1), uint32(r.Corner(32))), wait)
	case 4:
		s.cfg(ackparse.KindRead, r.N(ackparse.NumWords), uint32(r.U64()), wait)
	case 5:
		s.cfg(ackparse.KindCfgRead, r.N(ackparse.NumRegs), uint32(r.U64()), wait)
	case 6:
		s.cfg(ackparse.Kind(r.N(16)), r.N(32), uint32(r.N(300)), wait)
	default:
		s.cfg(stim.Pick(r, ackparse.KindLoad, ackparse.KindRead, ackparse.KindCfgRead), r.N(32), uint32(r.U64()), wait)
	}
}

// readBack reads everything once the packets are through.
func (s *script) readBack() {
	for a := range ackparse.NumWords {
		s.cfg(ackparse.KindRead, a, 0, stim.WaitAll)
		if a == 0 {
			s.Gap(60)
		}
	}
	for a := range ackparse.NumRegs {
		s.cfg(ackparse.KindCfgRead, a, 0, 0)
	}
}
