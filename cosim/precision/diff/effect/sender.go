package effect

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// senders makes the contexts of one run: the rules in fixed point at the formats of a table.
type senders struct {
	table  *formats.Table
	tickNs int
	cancel context.CancelCauseFunc
	err    error // the first
}

// sender is one context: a block of its own, because each context has its own registers.
type sender struct {
	all   *senders
	num   *arith.Fixed
	party *diff.Party[fixed.Num]
	ev    ccc.Event
	rsp   ccc.Response
}

// create is a cc.Factory.
func (s *senders) create(cfg cc.Config) (cc.Control, error) {
	g, err := exact.Constants(fields.ContextSI(cfg, fields.NSCC, s.tickNs))
	if err != nil {
		return nil, err
	}
	num, err := arith.NewFixed(s.table)
	if err != nil {
		return nil, err
	}
	x := &sender{all: s, num: num,
		party: diff.NewParty[fixed.Num](num, diff.Size{Contexts: 1, PDCs: cc.MaxPDCs, Profiles: 1})}
	for addr, v := range fields.RegisterFile(&g) {
		x.ev = ccc.Event{Kind: ccc.KindCfgWrite, Addr: uint8(addr), Data: v}
		if x.party.Apply(&x.ev, &x.rsp); x.rsp.Refused {
			return nil, fmt.Errorf("register %s: %d is refused", ccc.RegInfo[addr].Name, v)
		}
	}
	return x, num.Err()
}

// fail keeps the first error and ends the run.
func (s *senders) fail(err error) cc.Out {
	if s.err == nil {
		s.err = err
		s.cancel(err)
	}
	return cc.Out{}
}

// Step implements cc.Control.
func (x *sender) Step(ev *cc.Event) cc.Out {
	tickPs := int64(x.all.tickNs) * 1000
	if fields.SampleEvent(ev.Time, ev.Sample, 0, tickPs, &x.ev) {
		x.party.Apply(&x.ev, &x.rsp)
	}
	if err := fields.CCCEvent(ev, 0, tickPs, &x.ev); err != nil {
		return x.all.fail(err)
	}
	x.party.Apply(&x.ev, &x.rsp)
	if err := x.num.Err(); err != nil {
		return x.all.fail(fmt.Errorf("host %d context %d at %v: %w", ev.NIC, ev.CCC, ev.Time, err))
	}
	r := &x.rsp
	out := cc.Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest}
	if r.Kind == ccc.KindAck || r.Kind == ccc.KindNack || r.Kind == ccc.KindLoss {
		out.Action = r.Action.String()
	}
	return out
}
