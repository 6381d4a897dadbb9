// Package txstate turns the packets and acknowledgements of simulated NICs into the events of the block txstate.
package txstate

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// Sources lists the sources fabric:NAME of txstate.
var Sources = fabric.NIC.Simulated("", open)

func open(o *stim.Options, spec settings.Spec, name, _ string) (stim.Source, error) {
	return fabric.OpenNIC(fabric.NICBlock{
		Schema: txstate.Schema(), Limit: o.Params["NumPdcs"], Tap: tap,
		Configure: func(s *fabric.NICSource) error {
			configure(s, o.TickNs)
			return nil
		},
	}, name, spec, o)
}

func configure(s *fabric.NICSource, tickNs int) {
	shift := uint8(7)
	for tickNs > 1 {
		tickNs >>= 1
		shift--
	}
	ev := txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: shift}
	txstate.PackEvent(&ev, s.Put(nil))
}

func tap(s *fabric.NICSource, t *cc.Event) bool {
	switch t.Kind {
	case cc.KindSend, cc.KindAck, cc.KindNack:
	default:
		return true
	}
	n, ok := s.Number(t.NIC, t.NICPDC)
	if !ok {
		return true
	}
	Events(t, uint16(n), s.TickPs, func(ev *txstate.Event) { txstate.PackEvent(ev, s.Put(t)) })
	return s.Proceed()
}

// Events calls put with the txstate events of one event of a connection: a send, a NACK, or each packet that an ACK
// frees. Only the packet that the ACK names has a service time; the ACK of a probe or of an ACK request names none.
func Events(t *cc.Event, pdc uint16, tickPs int64, put func(ev *txstate.Event)) {
	ev := txstate.Event{PDC: pdc, PSN: t.PSN, Now: fields.Ticks(t.Time, tickPs), IsRtx: t.IsRtx, Retx: t.Retx}
	switch t.Kind {
	case cc.KindSend:
		ev.Kind = txstate.KindSend
	case cc.KindNack:
		ev.Kind = txstate.KindNack
	case cc.KindAck:
		ev.Kind = txstate.KindAck
		named := !t.Probe && !t.Asked
		if named {
			ev.ServiceTime = t.ServiceTime
			put(&ev)
			ev.ServiceTime = 0
		}
		for _, psn := range t.AckedPSNs {
			if !named || psn != t.PSN {
				ev.PSN = psn
				put(&ev)
			}
		}
		return
	}
	put(&ev)
}
