package transport

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// Pacer grants credit to the senders of one host. A sender is a context, by its number in the run. Times never go back.
type Pacer interface {
	// Wants takes what a packet of a sender holds: its credit target, and whether the sender has something to resend.
	Wants(now units.Picos, sender int32, target rccc.Number, resends bool)
	// Due returns when Pull must be called, a time below 0 for not before the next Wants.
	Due() units.Picos
	// Pull returns the sender that is granted credit and all that it has been granted. It returns false if there is none
	// yet; Due is later then.
	Pull(now units.Picos) (sender int32, granted rccc.Number, ok bool)
}

// PacerSpec is what a pacer is made for.
type PacerSpec struct {
	Host     int32
	PerByte  units.PerByte // of its links
	Senders  int           // contexts that may send to it
	MaxWnd   int64         // largest window of its senders, bytes
	Controls []string      // congestion controls of its senders, by name; those of a program have none
}

// buildCredit gives hosts whose senders need credit a pacer: that of the run's options, or the rule's.
func (s *Hosts) buildCredit(given func(PacerSpec) (Pacer, error)) error {
	var hosts []int32
	specs := map[int32]*PacerSpec{}
	for i := range s.ccc {
		c := &s.ccc[i]
		row := (sender{s}).control(c)
		if !row.Needs.Credit {
			continue
		}
		if s.grants == nil {
			s.grants, s.pulls = make([]rccc.Sender, len(s.ccc)), make([]uint32, len(s.ccc))
		}
		s.grants[i] = rccc.NewSender(int32(i), c.maxWnd)
		h := s.tx[c.pdcs[0]].dst
		x := specs[h]
		if x == nil {
			x = &PacerSpec{Host: h, PerByte: net.PerByte(s.net, &s.net.Ports[h])}
			specs[h] = x
			hosts = append(hosts, h)
		}
		x.Senders++
		x.MaxWnd = max(x.MaxWnd, c.maxWnd)
		if !slices.Contains(x.Controls, row.Name) {
			x.Controls = append(x.Controls, row.Name)
		}
	}
	for _, h := range hosts {
		var p Pacer
		if given != nil {
			var err error
			if p, err = given(*specs[h]); err != nil {
				return fmt.Errorf("pacer of host %d: %w", h, err)
			}
		}
		if s.hosts[h].ownPacer = p != nil; p == nil {
			p = &rulePacer{rule: rccc.NewPacer(specs[h].PerByte), senders: s.grants, due: never}
		}
		s.hosts[h].pacer, s.hosts[h].pullAt = p, never
	}
	return nil
}

// rulePacer is a Pacer by the rules of package rccc.
type rulePacer struct {
	rule    *rccc.Pacer
	senders []rccc.Sender // all of the run, by number
	due     units.Picos
}

// Wants implements Pacer.
func (p *rulePacer) Wants(now units.Picos, sender int32, target rccc.Number, resends bool) {
	d := &p.senders[sender]
	if p.rule.Wants(d, target, resends) {
		p.due = now
	}
}

// Due implements Pacer.
func (p *rulePacer) Due() units.Picos { return p.due }

// Pull implements Pacer.
func (p *rulePacer) Pull(now units.Picos) (int32, rccc.Number, bool) {
	d, wait, ok := p.rule.Next()
	if !ok {
		p.due = never
		return 0, 0, false
	}
	p.due = now + wait
	return d.ID, d.Granted, true
}
