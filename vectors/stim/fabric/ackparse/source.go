// Package ackparse turns what reaches simulated NICs into the packets of the block ackparse.
package ackparse

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of ackparse.
var Sources = fabric.NICTurnover.Simulated("", open)

// requestEvery is how many packets of data are left out for one that is parsed and dropped. Each has up to 65 beats.
const requestEvery = 32

func open(o *stim.Options, spec settings.Spec, name, _ string) (stim.Source, error) {
	x := &arriving{}
	return fabric.OpenNIC(fabric.NICBlock{Schema: ackparse.Schema(), Tap: x.tap, Packet: x.control,
		Short: name == fabric.Turnover}, name, spec, o)
}

// arriving turns what the transport is told into the packets that told it.
type arriving struct {
	buf   []byte
	bt    frame.Beat
	sends int
}

func (x *arriving) tap(s *fabric.NICSource, t *cc.Event) bool {
	switch t.Kind {
	case cc.KindSend:
		if x.sends++; x.sends%requestEvery != 0 {
			return true
		}
		f := x.frame(t.NIC, t.Entropy)
		f.UET, f.TOS = 13, fabric.DSCPData<<2|2
		f.Sized(int(t.Size))
		x.put(s, t.NIC, t, &f)
	case cc.KindAck:
		f, p := x.frame(t.NIC, t.Entropy), ack(t)
		f.WithPDS(&p)
		x.put(s, t.NIC, t, &f)
	case cc.KindNack:
		f := x.frame(t.NIC, t.Entropy)
		f.WithPDS(&frame.PDS{Type: frame.Nack, Flags: flags(t), Short: uint16(t.Reason) << 8, PSN: t.PSN,
			SPDCID: remote(t), DPDCID: local(t)})
		x.put(s, t.NIC, t, &f)
	default:
		return true
	}
	return s.Proceed()
}

// frame returns a frame of control traffic; odd NICs speak IPv6.
func (x *arriving) frame(nic int32, entropy uint16) frame.Frame {
	f := frame.Good(0, nic%2 == 1, 0)
	f.SrcPort, f.TOS = entropy, fabric.DSCPControl<<2
	return f
}

// control takes the control packets of senders.
func (x *arriving) control(s *fabric.NICSource, k *net.Packet) {
	kind, ok := map[net.PacketKind]uint8{net.PacketAckReq: frame.CtlAckReq, net.PacketClose: frame.CtlClose,
		net.PacketProbe: frame.CtlProbe}[k.Kind]
	if !ok {
		return
	}
	pdc := uint16(k.PDC%65535) + 1
	p := frame.PDS{Type: frame.Control, Next: kind, Flags: frame.FlagAR, PSN: k.PSN, SPDCID: pdc, DPDCID: pdc}
	if k.Opens() {
		p.Flags |= frame.FlagSyn
		p.DPDCID = k.Span - 1
	}
	f := x.frame(k.Dst, k.Entropy)
	f.WithPDS(&p)
	x.put(s, k.Dst, nil, &f)
}

// ack returns the header of an acknowledgement. The bitmap begins after the cumulative PSN.
func ack(t *cc.Event) frame.PDS {
	cum := t.Una - 1
	p := frame.PDS{Type: frame.AckCC, Flags: flags(t), Short: uint16(t.PSN - cum), PSN: cum, SPDCID: remote(t),
		DPDCID: local(t), MPR: t.MPR, SACKOffset: 1,
		State: []byte{byte(t.ServiceTime >> 8), byte(t.ServiceTime), t.RcvCwndPend & 127, byte(t.RcvdBytes >> 16),
			byte(t.RcvdBytes >> 8), byte(t.RcvdBytes), byte(t.OOO >> 8), byte(t.OOO)}}
	if t.RestoreCwnd {
		p.State[2] |= 0x80
	}
	if t.Probe { // its bytes 2 and 3 are the probe's number
		p.Flags |= frame.FlagProbe
		p.Short = uint16(t.PSN)
	}
	for _, psn := range t.AckedPSNs {
		if at := psn - cum - 1; at < 64 {
			p.SACK |= 1 << at
		}
	}
	return p
}

func flags(t *cc.Event) (f uint8) {
	if t.M {
		f |= frame.FlagM
	}
	if t.Retx {
		f |= frame.FlagRetx
	}
	return f
}

// local and remote are the PDCIDs of the two ends. 0 is reserved.
func local(t *cc.Event) uint16  { return uint16(t.NICPDC) + 1 }
func remote(t *cc.Event) uint16 { return uint16(t.CCC)<<2 + uint16(t.PDC) + 1 }

// put puts a frame that reaches a NIC; t is the simulation's event or nil.
func (x *arriving) put(s *fabric.NICSource, nic int32, t *cc.Event, f *frame.Frame) {
	x.buf = f.Bytes(&s.Rand, x.buf)
	frame.Beats(&s.Rand, &x.bt, x.buf, false, func(i int, b *frame.Beat) {
		ackparse.PackRx(&ackparse.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: uint32(nic)},
			s.PutPart(t, !b.Last))
	})
}
