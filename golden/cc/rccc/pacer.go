package rccc

import "github.com/goldwire/goldwire/golden/units"

// A pull grants at most 64 quanta, four packets of 4,096 bytes. Pulls follow at 99 % of the rate of the link, and one
// that grants nothing takes the time of 1,024 bytes.
const (
	PerPull            = 64 // quanta
	ShareNum, ShareDen = 99, 100
	emptyPull          = 1024 // bytes
)

// idleTimes is how often a sender can be in the idle list. The reference simulator has no bound.
const idleTimes = 128

// Sender is what a receiver knows of one sender.
type Sender struct {
	ID      int32
	Target  Number // the highest that it has asked for
	Granted Number // of the last pull

	maxWnd int64
	active bool  // it is in the active list
	idle   uint8 // how often it is in the idle list
}

// NewSender returns a sender at its opening.
func NewSender(id int32, maxWnd int64) Sender {
	return Sender{ID: id, Target: First, Granted: First, maxWnd: maxWnd}
}

// Pacer grants credit to the senders of one host, one pull after another.
type Pacer struct {
	perByte      units.PerByte
	active, idle []*Sender
	running      bool // a pull is scheduled
}

// NewPacer returns the pacer of a host, given the time of a byte on its links.
func NewPacer(perByte units.PerByte) *Pacer {
	perByte.Num *= ShareDen
	perByte.Den *= ShareNum
	return &Pacer{perByte: perByte}
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

// Wants takes what a packet holds: a credit target, and whether its sender has something to resend. It returns what
// Target does.
func (p *Pacer) Wants(d *Sender, n Number, resends bool) bool {
	start := p.Target(d, n)
	return resends && p.Join(d) || start
}

// Next grants credit to the first active sender, or a slow pull to the first idle one, and returns it, with the time
// until Next is due again. It returns false, and comes to rest, when there is neither.
func (p *Pacer) Next() (d *Sender, wait units.Picos, ok bool) {
	grant := int64(PerPull)
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
		d.idle--
		if d.Granted.Plus(grant).Since(d.Target) < d.maxWnd/Quantum {
			p.rest(d)
		}
	default:
		p.running = false
		return nil, 0, false
	}
	d.Granted = d.Granted.Plus(grant)
	bytes := grant * Quantum
	if grant == 0 {
		bytes = emptyPull
	}
	return d, p.perByte.Time(bytes), true
}

// rest puts a sender into the idle list once more.
func (p *Pacer) rest(d *Sender) {
	if d.idle < idleTimes {
		d.idle++
		p.idle = append(p.idle, d)
	}
}
