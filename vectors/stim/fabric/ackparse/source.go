// Package ackparse turns what reaches simulated NICs into the packets of the block ackparse.
package ackparse

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of ackparse.
var Sources = fabric.NIC.Sources("", open)

// requestEvery is how many packets of data are left out for one that is parsed and dropped. Each has up to 65 beats.
const requestEvery = 32

func open(o *stim.Options, name, _ string) (stim.Source, error) {
	spec, err := fabric.NIC.Spec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	x := &arriving{}
	return fabric.OpenNIC(fabric.NICBlock{Schema: ackparse.Schema(), Tap: x.tap}, name, spec, o)
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
		f := x.frame(t)
		f.UET, f.TOS = 13, fabric.DSCPData<<2|2
		f.Sized(int(t.Size))
		x.put(s, t, &f)
	case cc.KindAck:
		f, p := x.frame(t), ack(t)
		f.WithPDS(&p)
		x.put(s, t, &f)
	case cc.KindNack:
		f := x.frame(t)
		f.WithPDS(&frame.PDS{Type: frame.Nack, Flags: flags(t), Short: uint16(t.Reason) << 8, PSN: t.PSN,
			SPDCID: remote(t), DPDCID: local(t)})
		x.put(s, t, &f)
	default:
		return true
	}
	return s.Proceed()
}

// frame returns a frame of control traffic; odd NICs speak IPv6.
func (x *arriving) frame(t *cc.Event) frame.Frame {
	f := frame.Good(0, t.NIC%2 == 1, 0)
	f.SrcPort, f.TOS = t.Entropy, fabric.DSCPControl<<2
	return f
}

// ack returns the header of an acknowledgement. The bitmap begins after the cumulative PSN.
func ack(t *cc.Event) frame.PDS {
	cum := t.Una - 1
	p := frame.PDS{Type: frame.AckCC, Flags: flags(t), Short: uint16(t.PSN - cum), PSN: cum, SPDCID: remote(t),
		DPDCID: local(t), SACKOffset: 1,
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

func (x *arriving) put(s *fabric.NICSource, t *cc.Event, f *frame.Frame) {
	x.buf = f.Bytes(&s.Rand, x.buf)
	frame.Beats(&s.Rand, &x.bt, x.buf, false, func(i int, b *frame.Beat) {
		ackparse.PackRx(&ackparse.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: uint32(t.NIC)},
			s.PutPart(t, !b.Last))
	})
}
