// Package txpdc turns what the contexts of simulated NICs do into the items of the block txpdc: messages of the host,
// records of ackparse and answers of ccc, at the simulation's times.
//
// Nothing comes back from the block. It sends when it may, at the latest when the simulated NIC sends, so that what a
// record acknowledges has been sent: packets are cut alike, and their PSNs are the same. A context has one PDC with
// packets at a time, because the simulated NIC takes slots in another order, and the answer of ccc to a SEND comes when
// the simulated NIC has sent, once the block has had time to. One that comes before the block's packet would be lost to
// it, so nobody refuses its actions for long.
package txpdc

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// Sources lists the sources fabric:NAME of txpdc.
var Sources = fabric.NICTurnover.Simulated("", open)

// Input streams of txpdc.
const laneCmd, laneRec, laneView = 0, 1, 2

// cycle is a cycle of the block. Of a longer pause only the first idle cycles are played, so that the block's timeouts
// come no earlier than the simulation's.
const cycle, idle = units.Nanosecond, 100

// settled are cycles in which the block has done the jobs of what it has taken.
const settled = 80

// payloadBits of a full packet: a window of the simulation is then fewer packets than the block keeps.
const payloadBits = 13

// apart is the least distance between the PSNs of PDCs that a slot has one after the other.
const apart = 8192

func open(o *stim.Options, spec settings.Spec, name, _ string) (stim.Source, error) {
	spec.MTU, spec.MPR, spec.RTO = spec.HeaderBytes+1<<payloadBits, txpdc.Window, 100*units.Microsecond
	x := &sender{spec: spec, short: name == fabric.Turnover, contexts: make([]context, o.Params["Contexts"]),
		pdcs: map[connection]*pdc{}, came: map[int32][]net.Packet{}}
	return fabric.OpenNIC(fabric.NICBlock{Schema: txpdc.Schema(), Limit: len(x.contexts), Configure: x.configure,
		Tap: x.tap, Packet: x.packet, Short: x.short, Prompt: true}, name, x.spec, o)
}

// sender is the source half that the block is, of all hosts together. It has the contexts that come first. Where each
// flow has a connection of its own, a context whose flow has ended is the next one's, in another slot.
type sender struct {
	spec     settings.Spec
	short    bool  // each flow has a connection of its own
	clock    int64 // cycle of the last item
	contexts []context
	pdcs     map[connection]*pdc    // nil for those that are left out
	came     map[int32][]net.Packet // ACKs and NACKs on the last link to each host
	closing  []*pdc
}

// connection is a connection of a host.
type connection struct{ nic, pdc int32 }

// context is a context of the block.
type context struct {
	used  bool
	next  int // slot
	slots [txpdc.Slots]*pdc
}

// pdc is a PDC of the block.
type pdc struct {
	nic     int32
	k       int
	opened  bool
	left    int64 // bytes that the simulated NIC has not sent
	closing bool
	freed   bool
	end     uint32 // PSN after all others
	at      int64  // cycle of its last item
}

func (x *sender) configure(s *fabric.NICSource) error {
	for _, r := range []struct{ addr, data int }{{txpdc.RegPayload, payloadBits}, {txpdc.RegHeader, x.spec.HeaderBytes},
		{txpdc.RegRto, int(x.spec.RTO / cycle)}, {txpdc.RegTries, 15}} {
		txpdc.PackCmd(&txpdc.Cmd{Kind: txpdc.KindCfgWrite, Addr: uint8(r.addr), Data: uint32(r.data)},
			s.PutOn(laneCmd, 0, nil))
	}
	return nil
}

// gap returns the cycles until an event of a PDC, so many after the one before of that PDC at least.
func (x *sender) gap(p *pdc, t *cc.Event, least int64) uint16 {
	now := int64(t.Time / cycle)
	n := max(min(now-x.clock, idle), p.at+least-x.clock, 0)
	x.clock = max(now, x.clock+n+1)
	p.at = x.clock
	return uint16(n)
}

// tap takes an event of a context.
func (x *sender) tap(s *fabric.NICSource, t *cc.Event) bool {
	p := x.of(s, t)
	var rec *net.Packet
	if t.Kind == cc.KindAck || t.Kind == cc.KindNack {
		if rec = x.take(t); rec == nil {
			return s.Fail(fmt.Errorf("host %d: no packet brought %+v", t.NIC, t))
		}
	}
	if p == nil {
		return s.Proceed()
	}
	switch t.Kind {
	case cc.KindNewData:
		x.message(s, p, t)
	case cc.KindSend:
		if !t.IsRtx {
			p.left -= t.Size - int64(x.spec.HeaderBytes)
		}
	case cc.KindAck, cc.KindNack:
		x.record(s, p, rec, x.gap(p, t, 0), t)
	}
	var e ccc.Event
	if err := fields.CCCEvent(t, 0, s.TickPs, &e); err != nil {
		return s.Fail(err)
	}
	x.view(s, p, e.Kind, t)
	if x.short && t.Kind == cc.KindAck && p.left == 0 && t.Una == t.Nxt && !p.closing {
		x.close(s, p, t)
	}
	return s.Proceed()
}

// of returns the PDC of an event's connection, nil for none.
func (x *sender) of(s *fabric.NICSource, t *cc.Event) *pdc {
	who := connection{t.NIC, t.NICPDC}
	p, known := x.pdcs[who]
	switch {
	case !x.short && !known:
		if n, ok := s.Number(t.NIC, t.CCC); ok {
			p = &pdc{k: n*txpdc.Slots + n%txpdc.Slots}
		}
	case x.short && t.Kind == cc.KindOpen: // of a later simulation, if it is known
		p = x.place(t.Una)
	default:
		return p
	}
	if p != nil {
		p.nic = t.NIC
	}
	x.pdcs[who] = p
	return p
}

// place returns a PDC for a connection that begins with a PSN, nil when there is none.
func (x *sender) place(first uint32) *pdc {
	for i := range x.contexts {
		c := &x.contexts[i]
		for range txpdc.Slots {
			if c.used {
				break
			}
			slot := c.next
			c.next = (slot + 1) % txpdc.Slots
			if was := c.slots[slot]; was != nil && (!was.freed || first-was.end+apart < 2*apart) {
				continue
			}
			p := &pdc{k: i*txpdc.Slots + slot}
			c.used, c.slots[slot] = true, p
			return p
		}
	}
	return nil
}

func (x *sender) cmd(s *fabric.NICSource, p *pdc, k txpdc.Kind, data uint32, gap uint16, t *cc.Event) {
	txpdc.PackCmd(&txpdc.Cmd{Kind: k, PDC: uint16(p.k), Data: data}, s.PutOn(laneCmd, gap, t))
}

// view is the answer of ccc to an event of a context.
func (x *sender) view(s *fabric.NICSource, p *pdc, k ccc.Kind, t *cc.Event) {
	least := int64(0)
	if k == ccc.KindSend {
		least = settled
	}
	txpdc.PackView(&txpdc.View{Kind: uint8(k), Ctx: uint16(p.k / txpdc.Slots), CanSend: t.Out.CanSend},
		s.PutOn(laneView, x.gap(p, t, least), t))
}

// message is a message of the host.
func (x *sender) message(s *fabric.NICSource, p *pdc, t *cc.Event) {
	if !p.opened {
		p.opened = true
		x.cmd(s, p, txpdc.KindOpen, t.Una, x.gap(p, t, 0), t)
	} else {
		x.view(s, p, ccc.KindSend, t) // should the block be a packet behind, it sends that now
	}
	packets := (t.Size + int64(x.spec.MTU) - 1) / int64(x.spec.MTU)
	p.left = t.Size - packets*int64(x.spec.HeaderBytes)
	x.cmd(s, p, txpdc.KindMessage, uint32(p.left), x.gap(p, t, settled), t)
}

// close closes a PDC, all of which is acknowledged. Its context is free for another flow.
func (x *sender) close(s *fabric.NICSource, p *pdc, t *cc.Event) {
	p.closing, p.end = true, t.Nxt
	x.closing = append(x.closing, p)
	x.contexts[p.k/txpdc.Slots].used = false
	x.cmd(s, p, txpdc.KindClose, 0, x.gap(p, t, settled), t)
}

// packet takes a packet on its last link. The ACK of a CLOSE is no event of a context.
func (x *sender) packet(s *fabric.NICSource, k *net.Packet) {
	if k.Kind != net.PacketAck && k.Kind != net.PacketNack {
		return
	}
	for i, p := range x.closing {
		if k.Kind == net.PacketAck && p.nic == k.Dst && p.end == k.PSN && k.Cum == k.PSN+1 {
			p.freed = true
			x.closing = append(x.closing[:i], x.closing[i+1:]...)
			x.record(s, p, k, 0, nil)
			return
		}
	}
	x.came[k.Dst] = append(x.came[k.Dst], *k)
}

// take returns the packet that an event comes from. Those before it gave none: they were lost, or of no use.
func (x *sender) take(t *cc.Event) *net.Packet {
	came := x.came[t.NIC]
	for i := range came {
		if k := &came[i]; (k.Kind == net.PacketAck) == (t.Kind == cc.KindAck) && k.PSN == t.PSN &&
			k.Entropy == t.Entropy && (k.Flags&net.FlagCE != 0) == t.M && (k.Flags&net.FlagRetx != 0) == t.Retx &&
			k.Rcvd == t.RcvdExact && k.Service == t.ServiceTime && k.Reason == t.Reason {
			x.came[t.NIC] = came[i+1:]
			return k
		}
	}
	return nil
}

// record is what ackparse makes of a packet.
func (x *sender) record(s *fabric.NICSource, p *pdc, k *net.Packet, gap uint16, t *cc.Event) {
	r := txpdc.Rec{PdsType: txpdc.PdsTypeNack, Entropy: k.Entropy, M: k.Flags&net.FlagCE != 0,
		Retx: k.Flags&net.FlagRetx != 0, PSN: k.PSN, Spdcid: uint16(k.PDC%65535) + 1, Dpdcid: uint16(p.k) + 1,
		NackCode: k.Reason}
	if k.Kind == net.PacketAck {
		r.PdsType, r.PSN, r.Mpr = txpdc.PdsTypeAckCc, k.Cum-1, uint8(k.Span)
		if r.Probe = k.Flags&(net.FlagProbe|net.FlagAR) != 0; !r.Probe {
			r.AckPSN = k.PSN
		}
		r.SackBase, r.SackBitmap = k.SackBase, k.Sack
		r.ServiceTime, r.Pend, r.RC = k.Service, k.Pend, k.Flags&net.FlagRestore != 0
		r.RcvdBytes = cc.RcvdUnits(k.Rcvd)
	}
	txpdc.PackRec(&r, s.PutOn(laneRec, gap, t))
}
