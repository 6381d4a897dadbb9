package rccc

import "github.com/goldwire/goldwire/golden/units"

// Pulls take 99 % of the time of the link, and one that grants nothing the time of 1,024 bytes.
const (
	shareNum, shareDen = 99, 100
	emptyPull          = 1024
	packetsPerPull     = 4
)

// Sender is what a receiver knows of one sender.
type Sender struct {
	ID      int32
	Target  Number // the highest that it has asked for
	Granted Number // of the last pull
	Pulls   uint32

	maxWnd       int64
	active, idle bool // it is in that list
}

// NewSender returns a sender at its opening.
func NewSender(id int32, maxWnd int64) Sender {
	return Sender{ID: id, Target: First, Granted: First, maxWnd: maxWnd}
}

// Pacer grants credit to the senders of one host, one pull after another.
type Pacer struct {
	perPull      int64 // quanta
	perByte      units.PerByte
	active, idle []*Sender
	running      bool // a pull is scheduled
}

// NewPacer returns the pacer of a host whose packets carry mss bytes, at the time of a byte on its links.
func NewPacer(mss int64, perByte units.PerByte) *Pacer {
	perByte.Num *= shareDen
	perByte.Den *= shareNum
	return &Pacer{perPull: packetsPerPull * mss / Quantum, perByte: perByte}
}

// Target takes a credit target. A sender whose target rises joins the end of the active list. It returns true when the
// pacer was at rest: Next is due at once.
func (p *Pacer) Target(d *Sender, n Number) bool {
	if n.Since(d.Target) <= 0 {
		return false
	}
	d.Target = n
	return p.Join(d)
}

// Join puts a sender that has something to resend into the active list, unless it is there. It returns what Target
// does.
func (p *Pacer) Join(d *Sender) bool {
	if d.active {
		return false
	}
	d.active = true
	p.active = append(p.active, d)
	start := !p.running
	p.running = true
	return start
}

// Next grants credit to the first active sender, or a slow pull to the first idle one, and returns it, with the time
// until Next is due again. It returns false, and comes to rest, when there is neither.
func (p *Pacer) Next() (d *Sender, wait units.Picos, ok bool) {
	grant := p.perPull
	switch {
	case len(p.active) > 0:
		d = p.active[0]
		p.active = p.active[1:]
		demand := max(d.Target.Since(d.Granted), 0)
		grant = min(grant, demand)
		if d.active = demand > grant; d.active {
			p.active = append(p.active, d)
		} else {
			p.rest(d)
		}
	case len(p.idle) > 0:
		d = p.idle[0]
		p.idle = p.idle[1:]
		d.idle = false
		if d.Granted.Plus(grant).Since(d.Target) < d.maxWnd/Quantum {
			p.rest(d)
		}
	default:
		p.running = false
		return nil, 0, false
	}
	d.Granted = d.Granted.Plus(grant)
	d.Pulls++
	bytes := grant * Quantum
	if grant == 0 {
		bytes = emptyPull
	}
	return d, p.perByte.Time(bytes), true
}

// rest puts a sender into the idle list, unless it is there.
func (p *Pacer) rest(d *Sender) {
	if !d.idle {
		d.idle = true
		p.idle = append(p.idle, d)
	}
}
