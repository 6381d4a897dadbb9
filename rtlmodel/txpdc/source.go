package txpdc

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Source is the state of the block inside its ports. Its methods execute jobs on that state, without timing: those that
// may have an action return whether they have one, and fill all of act then. It is not safe for concurrent use.
type Source struct {
	spec     Spec
	cfg      Config
	counters Counters
	pdcs     clk.RAM[pdc]
	rows     clk.RAM[row] // WINDOW of each PDC
	contexts clk.RAM[context]
	ready    list // the contexts that wait for their turn
	scan     int  // the PDC that the timer looks at next
}

// NewSource returns a source without a valid PDC and with the configuration after a reset. The spec must be valid.
func NewSource(spec Spec) *Source {
	s := &Source{spec: spec}
	s.pdcs.Init(spec.Pdcs())
	s.rows.Init(spec.Pdcs() * port.Window)
	s.contexts.Init(spec.Contexts)
	s.ready.Init(spec.Contexts)
	s.reset()
	for !s.swept() {
		s.sweep()
	}
	return s
}

// reset starts the sweep. The tables keep their contents until it reaches them.
func (s *Source) reset() {
	s.cfg, s.counters, s.scan = DefaultConfig(), Counters{}, 0
	s.pdcs.StartSweep()
	s.rows.StartSweep()
	s.contexts.StartSweep()
	s.ready.Reset()
}

// swept reports whether the sweep is over, which ends with the longest table.
func (s *Source) swept() bool { return s.rows.Swept() }

// sweep is a cycle of the sweep.
func (s *Source) sweep() {
	s.pdcs.Tick()
	s.rows.Tick()
	s.contexts.Tick()
}

// row returns the row of a PSN.
func (s *Source) row(k int, psn uint32) *row {
	return s.rows.Row(k*port.Window + int(psn%port.Window))
}

// eligible reports whether a context may have a turn that sends.
func (s *Source) eligible(c int) bool {
	if x := s.contexts.Row(c); !x.canSend || x.waits {
		return false
	}
	for slot := range port.Slots {
		if s.pdcs.Row(c*port.Slots + slot).work() {
			return true
		}
	}
	return false
}

// list makes a context the last of those that wait for their turn, if it is eligible and does not wait. It ends a job
// that changed what eligible looks at.
func (s *Source) list(c int) {
	if x := s.contexts.Row(c); !x.queued && s.eligible(c) {
		x.queued = true
		s.ready.add(uint16(c))
	}
}

// Waiting reports whether a context waits for its turn.
func (s *Source) Waiting() bool { return s.ready.Len() > 0 }

// Config returns the configuration after the jobs so far.
func (s *Source) Config() Config { return s.cfg }

// Counters returns the counters after the jobs so far.
func (s *Source) Counters() Counters { return s.counters }

// Words returns the state words of a PDC, of its context and of the row of a PSN as READ returns them; without a PDC of
// that number, the counters alone.
func (s *Source) Words(k int, psn uint32) (w port.Words) {
	if k >= 0 && k < s.spec.Pdcs() {
		s.pdcs.Row(k).words(&w)
		r, c := s.row(k, psn), s.contexts.Row(k/port.Slots)
		w.Size, w.Stamp = r.size, r.stamp
		w.CanSend, w.Waits, w.Queued, w.Next = c.canSend, c.waits, c.queued, c.next
	}
	for addr := port.WordSent; addr < port.NumWords; addr++ {
		w.SetWord(addr, uint64(s.counters[addr]))
	}
	return w
}
