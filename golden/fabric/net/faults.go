package net

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// faults are what links do to packets.
type faults struct {
	any     bool
	loss    fault
	ctlLoss fault
	dup     fault
	late    fault
	delay   units.Picos // greatest of late packets
}

// fault is something that strikes at random.
type fault struct {
	cut uint64 // a 53-bit draw below it is a hit
	rng *rand.PCG
}

func newFaults(s *settings.Spec, draw func(kernel.Stream) *rand.PCG) faults {
	of := func(p float64, stream kernel.Stream) fault { return fault{uint64(p * (1 << 53)), draw(stream)} }
	return faults{
		any:  s.LossProb > 0 || s.CtlLossProb > 0 || s.DupProb > 0 || s.ReorderProb > 0,
		loss: of(s.LossProb, kernel.StreamLoss), ctlLoss: of(s.CtlLossProb, kernel.StreamCtlLoss),
		dup: of(s.DupProb, kernel.StreamCopy), late: of(s.ReorderProb, kernel.StreamDelay), delay: s.ReorderBy,
	}
}

func (f *fault) strikes() bool { return f.cut > 0 && f.rng.Uint64()>>11 < f.cut }

// risk has packet i cross the link of port p, which may lose, double or delay it.
func risk(s *Network, p *Port, i int32, k *Packet) {
	if s.faults.loss.strikes() || k.Kind != PacketData && s.faults.ctlLoss.strikes() {
		s.lose(i, k)
		return
	}
	again := int32(-1)
	if s.faults.dup.strikes() {
		again = s.Put(k)
		s.copyCarried(again, i)
		s.bytes.Sent += s.PayloadOf(k)
		if k.Kind == PacketData {
			s.count.DataCopied++
		} else {
			s.count.CtlCopied++
		}
	}
	reach(s, p, due(s, p), i)
	if again >= 0 {
		reach(s, p, due(s, p), again)
	}
}

// due returns when the packet that port p transmits arrives.
func due(s *Network, p *Port) units.Picos {
	at := p.FreeAt + p.Latency
	if f := &s.faults; f.late.strikes() {
		s.count.Delayed++
		at += units.Picos(f.late.rng.Uint64() % uint64(f.delay+1))
	}
	return at
}
