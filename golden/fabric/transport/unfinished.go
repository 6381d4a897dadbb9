package transport

import "fmt"

// whyUnfinished returns why the last byte of flow fi is not acknowledged, "" when it
// is. A path that is gone takes precedence over its consequences: timeouts without an
// answer, a run that waits for its end, a sender that has nothing to do.
func (s *Sim) whyUnfinished(fi int32) string {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	switch {
	case f.ackedAt >= 0:
		return ""
	case s.net.Deadlock != nil:
		return "a pause deadlock ended the run"
	case f.waits > 0:
		return "never began: a flow that it waits for was not delivered"
	}
	if why := s.net.WhyNoWay(s.ccc[t.ccc].host, t.dst); why != "" {
		return why
	}
	switch {
	case t.tries > maxTries:
		return fmt.Sprintf("retries exhausted: %d timeouts in a row without an answer", maxTries+1)
	case s.late:
		return fmt.Sprintf("max_time.us = %v came first", s.spec.MaxTime.Micros())
	case s.wheel.Halted():
		return "the run was stopped"
	case f.start < 0:
		return "never began"
	}
	return "nothing was left to happen"
}
