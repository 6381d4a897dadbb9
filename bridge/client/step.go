package client

import (
	"fmt"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// Step runs the cycles of in, one record each, and fills out with as many output records. It waits for the answer: one
// round trip per call, through the mailbox when the transport is shm. It errors while batches of a run are in flight,
// and with *RTLError when the RTL reports an error; out is then undefined. The outputs are known, and returned, before
// the clock edge that ends the last cycle. What the RTL reports at that edge is returned by the next Step, StepUntil,
// Finish or End, or else by Close; Restart drops it, so call End before Restart unless the run is abandoned.
func (s *Session) Step(in, out []uint64) error {
	n := len(in) / s.bin.InWords
	if n == 0 || n*s.bin.InWords != len(in) || n*s.bin.OutWords != len(out) {
		return fmt.Errorf("step of %d input words into %d output words: not the same number of whole records", len(in),
			len(out))
	}
	for at := 0; at < n; {
		k := min(n-at, mailboxCycles)
		if _, err := (step{s}).run(in[at*s.bin.InWords:(at+k)*s.bin.InWords],
			out[at*s.bin.OutWords:(at+k)*s.bin.OutWords], k, 0, 0); err != nil {
			return err
		}
		at += k
	}
	return nil
}

// StepUntil runs the cycles of in, repeating the last record when they are used up, and stops after the
// first cycle whose output word 0 has a bit of watch set, or when out is full. It returns how many cycles
// were run; out holds their output records. At most 1,024 cycles are run.
func (s *Session) StepUntil(in, out []uint64, watch uint64) (int, error) {
	n, limit := len(in)/s.bin.InWords, min(len(out)/s.bin.OutWords, mailboxCycles)
	if n == 0 || n > mailboxCycles || n*s.bin.InWords != len(in) || limit == 0 || watch == 0 {
		return 0, fmt.Errorf("step of %d input words into %d output words until %#x: nothing to do or not whole records",
			len(in), len(out), watch)
	}
	return step{s}.run(in, out[:limit*s.bin.OutWords], n, watch, limit)
}

// End returns what the RTL reported at the clock edge that ended the last step, an *RTLError, or nil.
func (s *Session) End() error {
	_, err := s.Finish()
	return err
}

// step is a round trip for some cycles, by frames or by the mailbox of shared memory.
type step struct{ *Session }

// run runs n records of in, up to limit cycles, and returns how many cycles were run.
func (s step) run(in, out []uint64, n int, until uint64, limit int) (int, error) {
	if s.shm != nil {
		return s.byMailbox(in, out, n, until, limit)
	}
	s.stepOut = out
	m, _, err := ask[wire.Stepped](s.Session, wire.TypeStep, wire.TypeStepped,
		&wire.Step{Cycles: n, Until: until, Max: limit}, in)
	if err != nil {
		return 0, err
	}
	cycles, err := s.ran(m.Cycles, n, until, limit)
	if err == nil && s.stepGot != cycles*s.bin.OutWords {
		err = wire.Fail(wire.ErrProtocol, "outputs of %d cycles carry %d words, not %d", cycles, s.stepGot,
			cycles*s.bin.OutWords)
		s.fail(err)
	}
	if err != nil {
		return 0, err
	}
	return cycles, nil
}

// ran checks the number of cycles that a DUT claims to have run.
func (s step) ran(cycles, n int, until uint64, limit int) (int, error) {
	if until == 0 && cycles == n || until != 0 && cycles >= 1 && cycles <= limit {
		return cycles, nil
	}
	err := wire.Fail(wire.ErrProtocol, "the DUT ran %d cycles of a step of %d", cycles, n)
	s.fail(err)
	return 0, err
}

func (s step) byMailbox(in, out []uint64, n int, until uint64, limit int) (int, error) {
	select {
	case <-s.failed:
		return 0, s.failure()
	default:
	}
	if s.pending.Load() > 0 {
		return 0, errInRun
	}
	if s.shm.post(in, n, limit, until) {
		if s.out.post(wire.TypeDoorbell, nil) != nil { // for a DUT that sleeps on its socket
			return 0, s.broken()
		}
	}
	if !s.shm.await() {
		if err := s.watch(); err != nil {
			return 0, err
		}
	}
	cycles, stopped := s.shm.answer()
	if stopped {
		select {
		case r := <-s.replies:
			return 0, r.err
		case <-s.failed:
			return 0, s.failure()
		}
	}
	if cycles, err := s.ran(cycles, n, until, limit); err != nil {
		return cycles, err
	}
	copy(out, s.shm.rsp[rspWords:rspWords+cycles*s.bin.OutWords])
	return cycles, nil
}

// lookAgain is the time between looks at whether the DUT has ended.
const lookAgain = 10 * time.Millisecond

// watch waits for an answer that takes longer, under the watchdog.
func (s step) watch() error {
	s.owe()
	defer s.pending.Add(-1)
	for !s.shm.sleep(lookAgain) {
		select {
		case <-s.failed:
			if s.shm.answered() { // before the end
				return nil
			}
			return s.failure()
		default:
		}
	}
	return nil
}
