// Package ackgen turns what sources send to simulated NICs into the packets of the block ackgen.
package ackgen

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of ackgen.
var Sources = fabric.NICTurnover.Simulated("", open)

func open(o *stim.Options, spec settings.Spec, name, _ string) (stim.Source, error) {
	spec.MPR = int(ackgen.RegInfo[ackgen.RegMpr].Reset) // what the simulated receivers accept, the block accepts
	x := &arriving{wire: NewWire(o.Params["Pdcs"])}
	return fabric.OpenNIC(fabric.NICBlock{Schema: ackgen.Schema(), Tap: x.tap, Packet: x.packet,
		Short: name == fabric.Turnover}, name, spec, o)
}

// arriving puts the packets that reach NICs, all of them as if they reached the same one.
type arriving struct {
	wire *Wire
	buf  []byte
	bt   frame.Beat
}

func (x *arriving) tap(s *fabric.NICSource, _ *cc.Event) bool { return s.Proceed() }

func (x *arriving) packet(s *fabric.NICSource, k *net.Packet) {
	conn := *k
	conn.PDC = s.Connection(k)
	f, ok := x.wire.Frame(&conn)
	if !ok {
		return
	}
	x.buf = f.Bytes(&s.Rand, x.buf)
	frame.Beats(&s.Rand, &x.bt, x.buf, false, func(_ int, b *frame.Beat) {
		ackgen.PackRx(&ackgen.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: uint32(conn.PDC)}, s.PutPart(nil, !b.Last))
	})
}

// Wire writes the packets of simulated connections as they are on the wire. It knows as many connections at a time as
// the block has PDCs, and which of them each has: a block opens the lowest that is free. A connection that finds none
// is left out whole, or the block would wait for its first packets, and so is what comes after a CLOSE.
type Wire struct {
	pdcs map[int32]int  // by connection
	left map[int32]bool // connections
	used []bool
}

// NewWire returns a Wire for a block with so many PDCs.
func NewWire(pdcs int) *Wire {
	return &Wire{pdcs: map[int32]int{}, left: map[int32]bool{}, used: make([]bool, pdcs)}
}

// PDC returns the PDC of a connection, from 0.
func (w *Wire) PDC(conn int32) (k int, ok bool) {
	k, ok = w.pdcs[conn]
	return k, ok
}

// Frame returns the frame of a packet, and false for one that is not for a destination, or of a connection that has no
// PDC. Connections speak IPv4 and IPv6; two of them share an address.
func (w *Wire) Frame(k *net.Packet) (f frame.Frame, ok bool) {
	pdc, open := w.pdcs[k.PDC]
	switch k.Kind {
	case net.PacketData:
		if !open && (!k.Opens() || w.left[k.PDC] || !w.open(k.PDC)) {
			w.left[k.PDC] = true
			return f, false
		}
		pdc = w.pdcs[k.PDC]
	case net.PacketAckReq, net.PacketProbe, net.PacketClose:
		if !open {
			return f, false
		}
	default:
		return f, false
	}
	pair := k.PDC / 2
	f = frame.Good(0, pair%2 == 1, 0)
	f.From, f.SrcPort, f.TOS = uint32(pair)+1, k.Entropy, dscp(k)<<2|2
	h := frame.PDS{PSN: k.PSN, SPDCID: uint16(k.PDC%2) + 1, DPDCID: uint16(pdc) + 1}
	if k.Flags&net.FlagCE != 0 {
		f.TOS |= 3
	}
	for flag, bit := range map[uint8]uint8{net.FlagRetx: frame.FlagRetx, net.FlagAR: frame.FlagAR} {
		if k.Flags&flag != 0 {
			h.Flags |= bit
		}
	}
	if k.Opens() {
		h.Flags |= frame.FlagSyn
		h.DPDCID = k.Span - 1
	}
	switch k.Kind {
	case net.PacketData:
		h.Type = []uint8{frame.RUD, frame.RUDCC}[k.PDC%2]
		f.WithPDS(&h)
		f.Body = max(f.Body, int(k.Size)-40-8)
		return f, true
	case net.PacketAckReq:
		h.Next = frame.CtlAckReq
	case net.PacketProbe:
		h.Next, h.Payload = frame.CtlProbe, k.PSN^1<<31 // no base that a bitmap could begin with
	case net.PacketClose:
		h.Next = frame.CtlClose
		delete(w.pdcs, k.PDC)
		w.used[pdc], w.left[k.PDC] = false, true
	}
	h.Type, h.Short = frame.Control, uint16(k.PSN)
	f.WithPDS(&h)
	return f, true
}

// open gives a connection the lowest PDC that is free.
func (w *Wire) open(conn int32) bool {
	for k := range w.used {
		if !w.used[k] {
			w.used[k], w.pdcs[conn] = true, k
			return true
		}
	}
	return false
}

// dscp returns the DSCP of a packet that reaches a host.
func dscp(k *net.Packet) uint8 {
	switch {
	case k.Kind != net.PacketData:
		return fabric.DSCPControl
	case k.Flags&net.FlagLastHop != 0:
		return fabric.DSCPLasthop
	case k.Flags&net.FlagTrimmed != 0:
		return fabric.DSCPTrimmed
	}
	return fabric.DSCPData
}
