// Package credit turns what reaches simulated receivers into the events of the block credit.
package credit

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// Sources lists the sources fabric:NAME of credit.
var Sources = fabric.NIC.Simulated("", open)

func open(o *stim.Options, spec settings.Spec, name, _ string) (stim.Source, error) {
	spec.CC, spec.SlowHosts = "rccc", 0 // it has no destination flow control
	x := &arriving{opened: map[int]bool{}}
	return fabric.OpenNIC(fabric.NICBlock{Schema: credit.Schema(), Limit: o.Params["Senders"], Tap: x.tap,
		Packet: x.packet}, name, spec, o)
}

// arriving puts what the pacers of all hosts see, as if one pacer saw it.
type arriving struct {
	opened map[int]bool
}

func (x *arriving) tap(s *fabric.NICSource, _ *cc.Event) bool { return s.Proceed() }

func (x *arriving) packet(s *fabric.NICSource, k *net.Packet) {
	if k.Flags&net.FlagCredit == 0 || k.Kind != net.PacketData && k.Kind != net.PacketCreditReq {
		return
	}
	n, ok := s.Number(0, k.PDC)
	if !ok {
		return
	}
	put := func(kind credit.Kind, number uint32) {
		if s.Proceed() {
			credit.PackEvent(&credit.Event{Kind: kind, Sender: uint16(n), Data: number}, s.Put(nil))
		}
	}
	if !x.opened[n] {
		x.opened[n] = true
		put(credit.KindOpen, uint32(rccc.First))
	}
	put(credit.KindTarget, k.Cum)
	if k.Kind == net.PacketCreditReq || k.Flags&net.FlagTrimmed != 0 {
		put(credit.KindWant, 0)
	}
}
