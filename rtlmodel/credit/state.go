package credit

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Counters holds the counters by address; those below WordEvents, where the other words are, stay 0.
type Counters [port.NumWords]uint32

// sender is what the block keeps of a sender; the fields are those of the contract's words.
type sender struct {
	open, active, idle bool

	target, granted uint32 // quanta
}

// numbers are the bits of a number of quanta.
const numbers = 1<<port.WordGrantedWidth - 1

// diff returns a - b on numbers of quanta: -2^23 .. 2^23 - 1.
func diff(a, b uint32) int32 {
	const unused = 32 - port.WordGrantedWidth
	return int32((a-b)<<unused) >> unused
}

// demand returns the quanta that the sender wants beyond what it has been granted.
func (s *sender) demand() uint32 { return uint32(max(diff(s.target, s.granted), 0)) }

// list is a list of senders with room for all of them. Its changes take effect at once.
type list struct{ clk.FIFO[uint16] }

// add makes s the last.
func (l *list) add(s uint16) {
	*l.Push() = s
	l.Tick()
}

// leave removes the first and returns it.
func (l *list) leave() uint16 {
	s := *l.Front()
	l.Pop()
	l.Tick()
	return s
}

// pace says when the next pull is due.
type pace struct {
	wait uint64 // cycles/2^FRAC
	late int    // cycles
}

// cycle is one cycle in the unit of wait.
const cycle = 1 << port.Frac

func (p *pace) due() bool { return p.wait < cycle }

// pass is a cycle without the job of a pull.
func (p *pace) pass() {
	if !p.due() {
		p.wait -= cycle
	} else if p.late < port.Slack {
		p.late++
	}
}

// back returns the cycles that have passed already when the job of a pull ends.
func (p *pace) back() int {
	if p.late < port.Slack {
		return port.PullBusy + p.late
	}
	return port.PullBusy
}

// pulled is the end of a job with a pull, which the next one follows by gap cycles/2^FRAC.
func (p *pace) pulled(gap uint64) {
	back := uint64(p.back()) * cycle
	*p = pace{wait: max(p.wait+gap, back) - back}
}
