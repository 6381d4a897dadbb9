package client

import (
	"fmt"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// patience is for how many hang timeouts a process may be quiet while it is waiting for a processor.
const patience = 10

// watch ends the session when the DUT owes an answer and gives no sign of life for the hang timeout. A loaded machine
// is not a hang: time in which this process did not run does not count, nor does time in which the DUT's waited for a
// processor.
func (s *Session) watch() {
	period := min(max(s.opt.HangTimeout/10, 5*time.Millisecond), time.Second)
	tick := time.NewTicker(period)
	defer tick.Stop()
	var last int64           // sign of life at the tick before
	var used time.Duration   // of the processor, by the DUT, at that sign
	var missed time.Duration // since that sign, in which we did not run
	for before := time.Now(); ; {
		select {
		case <-s.failed:
			return
		case <-tick.C:
		}
		now := time.Now()
		late := now.Sub(before) - period
		before = now
		if sign := s.sign.Load(); sign != last {
			last, used, missed = sign, s.processorTime(), 0
		} else if late > period {
			missed += late
		}
		quiet := now.Sub(s.start) - time.Duration(last)
		if s.pending.Load() == 0 || quiet-missed <= s.opt.HangTimeout || s.sign.Load() != last {
			continue
		}
		if s.proc != nil && quiet < patience*s.opt.HangTimeout && s.proc.Runnable() &&
			s.processorTime()-used < s.opt.HangTimeout {
			continue
		}
		e := &wire.Error{Kind: wire.ErrDUTHung, Peer: s.opt.Peer, Log: s.log(),
			What: fmt.Sprintf("process %d gave no sign of life for %v and was killed", s.PID(), s.opt.HangTimeout),
			Mend: "look for a loop without end in the RTL, or raise the hang timeout (--timeout)"}
		if s.proc == nil {
			e.What = fmt.Sprintf("the server at %s gave no sign of life for %v", s.dialled, s.opt.HangTimeout)
			e.Mend = "look at the server, which must send progress while it works, or raise the hang timeout (--timeout)"
		}
		s.fail(e)
		return
	}
}

// processorTime returns what the DUT has used of the processor; 0 when it is not ours.
func (s *Session) processorTime() time.Duration {
	if s.proc == nil {
		return 0
	}
	return s.proc.ProcessorTime()
}
