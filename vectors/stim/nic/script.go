package nic

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Input streams of nic.
const (
	laneRx = iota
	laneCmd
	lanes
)

// outs is the number of output streams.
const outs = 4

// templateBytes is how many bytes a template holds.
const templateBytes = 4 * nic.WordSize

// Kinds of commands for the writer, the parser and the destination, which are those of txpdc.
const (
	kindLoad     = uint8(txpdc.KindLoad)
	kindRead     = uint8(txpdc.KindRead)
	kindCfgWrite = uint8(txpdc.KindCfgWrite)
	kindCfgRead  = uint8(txpdc.KindCfgRead)
)

// script writes an episode of nic.
type script struct {
	frame.Script
	rest int // cycles that the next item waits
}

func on(s *stim.Script) *script { return &script{Script: frame.Script{Script: s}} }

// contexts returns the number of contexts of the block.
func (s *script) contexts() int { return s.Params["Contexts"] }

// pdcs returns the number of PDCs to send with.
func (s *script) pdcs() int { return nic.Slots * s.contexts() }

// sweep returns the cycles of the sweep.
func (s *script) sweep() int { return max(s.pdcs()*nic.Window, s.Params["Receives"]) }

// send appends the beats of a frame; wait is for the first.
func (s *script) send(data []byte, tag uint32, empty bool, wait uint8) {
	first := s.Used
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := nic.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: tag}
		if i > 0 {
			x.Tag = uint32(s.Rand.U64()) // taken from the first beat only
		}
		nic.PackRx(&x, words)
	})
	s.rested(first)
}

// cmd appends a command.
func (s *script) cmd(x nic.Cmd) {
	nic.PackCmd(&x, s.Put(laneCmd, 0))
	s.rested(s.Used - 1)
}

// after makes the last item wait until all before it are taken, and then for that many cycles at least.
func (s *script) after(cycles int) { s.wait(s.Used-1, cycles) }

// pause makes the next item wait so.
func (s *script) pause(cycles int) { s.rest = cycles }

func (s *script) rested(item int) {
	if s.rest > 0 {
		s.wait(item, s.rest)
		s.rest = 0
	}
}

func (s *script) wait(item, cycles int) {
	it := &s.Items[item]
	it.Wait, it.Gap = stim.WaitAll, max(it.Gap, uint16(min(cycles, 1<<16-1)))
}

// source is a command for a PDC to send with.
func (s *script) source(k txpdc.Kind, pdc, addr int, psn, data uint32) {
	s.cmd(nic.Cmd{Kind: uint8(k), Index: uint16(pdc), Addr: uint8(addr), PSN: psn, Data: uint64(data)})
}

func (s *script) sourceReg(addr int, data uint32) { s.source(txpdc.KindCfgWrite, 0, addr, 0, data) }

// window is a command for a congestion-control context.
func (s *script) window(k ccc.Kind, ctx, addr int, data uint64) {
	s.cmd(nic.Cmd{Target: nic.TargetWindow, Kind: uint8(k), Index: uint16(ctx), Addr: uint8(addr), Data: data})
}

func (s *script) windowReg(profile, addr int, data uint64) {
	s.cmd(nic.Cmd{Target: nic.TargetWindow, Kind: uint8(ccc.KindCfgWrite), Profile: uint8(profile), Addr: uint8(addr),
		Data: data})
}

func (s *script) openWindow(ctx, profile int) {
	s.cmd(nic.Cmd{Target: nic.TargetWindow, Kind: uint8(ccc.KindOpen), Index: uint16(ctx), Profile: uint8(profile)})
}

// writer is a command for the writer.
func (s *script) writer(kind uint8, ctx, addr int, data uint64) {
	s.cmd(nic.Cmd{Target: nic.TargetWriter, Kind: kind, Index: uint16(ctx), Addr: uint8(addr), Data: data})
}

// form is how the packets of a context begin.
type form struct {
	size         int
	ipv6, native bool
	entropy      uint16
	bytes        [templateBytes]byte
}

// word is the form as its word holds it.
func (f *form) word() uint64 {
	return uint64(f.size&63) | uint64(stim.Bit(f.ipv6))<<nic.WordIpv6LSB | uint64(stim.Bit(f.native))<<nic.WordNativeLSB |
		uint64(f.entropy)<<nic.WordEntropyLSB
}

// formOf takes the headers of a frame up to UDP or native UET as a template.
func (s *script) formOf(f *frame.Frame, entropy uint16) (x form) {
	data := s.Bytes(f)
	x = form{size: f.UDP(), ipv6: f.V6, native: f.Native, entropy: entropy}
	copy(x.bytes[:], data[:x.size])
	if ip := x.bytes[f.L2():]; f.V6 {
		ip[4], ip[5] = 0, 0
	} else { // the checksum is for a total length of 0
		ip[2], ip[3], ip[10], ip[11] = 0, 0, 0, 0
		sum := ^frame.Fold(frame.Sum16(0, ip[:20]))
		ip[10], ip[11] = byte(sum>>8), byte(sum)
	}
	return x
}

// template writes the template of a context and, as the last word, its form.
func (s *script) template(ctx int, f *form) {
	for a := 0; 4*a < max(f.size, 34); a++ {
		b := f.bytes[4*a:]
		s.writer(kindLoad, ctx, a, uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24)
	}
	s.writer(kindLoad, ctx, nic.WordSize, f.word())
}

// good is a template of a family of headers.
func (s *script) good(ctx, tags int, v6, native bool, entropy uint16) {
	f := frame.Good(tags, v6, 0)
	f.From = uint32(ctx) + 1
	if f.Native = native; native {
		f.Proto = uint8(ackgen.RegInfo[ackgen.RegNative].Reset)
	}
	x := s.formOf(&f, entropy)
	s.template(ctx, &x)
}

// record sends the frame that ackparse makes a record of.
func (s *script) record(f frame.Frame, x *txpdc.Rec, wait uint8) {
	r := &s.Rand
	p := frame.PDS{Type: uint8(x.PdsType), PSN: x.PSN, SPDCID: x.Spdcid, DPDCID: x.Dpdcid, CCType: x.CcType, MPR: x.Mpr,
		SACKOffset: uint16(x.SackBase - x.PSN), SACK: x.SackBitmap, Payload: uint32(r.U64()), Next: uint8(r.N(10))}
	for flag, on := range map[uint8]bool{frame.FlagM: x.M, frame.FlagRetx: x.Retx, frame.FlagProbe: x.Probe} {
		if on {
			p.Flags |= flag
		}
	}
	switch p.Type {
	case frame.Ack, frame.AckCC, frame.AckCCX:
		p.Short = uint16(x.AckPSN - x.PSN)
	default:
		p.Short = uint16(x.NackCode) << 8
	}
	n := map[uint8]int{frame.AckCC: 8, frame.AckCCX: int(ackparse.RegInfo[ackparse.RegAckState].Reset),
		frame.NackCCX: int(ackparse.RegInfo[ackparse.RegNackState].Reset)}[p.Type]
	for len(p.State) < n {
		p.State = append(p.State, uint8(r.Bits(8)))
	}
	if p.Type == frame.AckCC {
		copy(p.State, []byte{byte(x.ServiceTime >> 8), byte(x.ServiceTime), byte(stim.Bit(x.RC))<<7 | x.Pend&127,
			byte(x.RcvdBytes >> 16), byte(x.RcvdBytes >> 8), byte(x.RcvdBytes)})
	}
	f.SrcPort = x.Entropy
	f.WithPDS(&p)
	s.send(s.Bytes(&f), uint32(r.U64()), false, wait)
}

// acks returns a frame for acknowledgements, most often of the shortest headers.
func (s *script) acks() frame.Frame {
	r := &s.Rand
	f := frame.Good(stim.Pick(r, 0, 0, 0, 1, 2), r.One(4), stim.Pick(r, 0, 0, 0, r.N(11)))
	if f.NoSum = r.One(3); r.One(5) {
		f.Native, f.Proto = true, uint8(ackparse.RegInfo[ackparse.RegNative].Reset)
	}
	return f
}

// counters reads what is counted and configured, once what came before is over.
func (s *script) counters() {
	for i, x := range []struct {
		target        nic.Target
		kind          uint8
		first, beyond int
	}{{nic.TargetSource, kindRead, txpdc.WordSent, txpdc.NumWords}, {nic.TargetSource, kindCfgRead, 0, txpdc.NumRegs},
		{nic.TargetDestination, kindRead, ackgen.WordFrames, ackgen.NumWords},
		{nic.TargetDestination, kindCfgRead, 0, ackgen.NumRegs},
		{nic.TargetParser, kindRead, 0, ackparse.NumWords}, {nic.TargetParser, kindCfgRead, 0, ackparse.NumRegs},
		{nic.TargetWriter, kindRead, nic.WordUnaddressed, nic.NumWords}, {nic.TargetWriter, kindCfgRead, 0, nic.NumRegs}} {
		for a := x.first; a < x.beyond; a++ {
			s.cmd(nic.Cmd{Target: x.target, Kind: x.kind, Addr: uint8(a)})
			if i == 0 && a == x.first {
				s.after(600)
			}
		}
	}
}

// reads reads what a PDC to send with, its context and the writer hold.
func (s *script) reads(pdc int, psn uint32) {
	for a := range txpdc.WordSent {
		s.source(txpdc.KindRead, pdc, a, psn, 0)
	}
	s.cmd(nic.Cmd{Target: nic.TargetTimes, Kind: uint8(txstate.KindRead), Index: uint16(pdc), PSN: psn})
	ctx := pdc / nic.Slots
	for a := range ccc.NumWords {
		s.cmd(nic.Cmd{Target: nic.TargetWindow, Kind: uint8(ccc.KindRead), Index: uint16(ctx), Slot: uint8(pdc % nic.Slots),
			Addr: uint8(a)})
	}
	for a := range nic.WordUnaddressed {
		s.writer(kindRead, ctx, a, 0)
	}
}

// readBack reads everything, of many contexts the first and the last.
func (s *script) readBack() {
	s.counters()
	for _, ctx := range []int{0, 1, s.contexts() - 1} {
		s.reads(ctx*nic.Slots+ctx%nic.Slots, 1)
	}
	for k := range min(s.Params["Receives"], 3) {
		s.readDestination(k)
	}
}

// readDestination reads the words of a PDC that sources can open.
func (s *script) readDestination(pdc int) {
	for a := range ackgen.WordFrames {
		s.cmd(nic.Cmd{Target: nic.TargetDestination, Kind: kindRead, Index: uint16(pdc), Addr: uint8(a)})
	}
}
