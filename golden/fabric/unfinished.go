package fabric

import "fmt"

// whyUnfinished says why the last byte of flow fi is not acknowledged, "" when it
// is.
func (s *sim) whyUnfinished(fi int32) string {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	switch {
	case f.ackedAt >= 0:
		return ""
	case s.deadlock != nil:
		return "a pause deadlock ended the run"
	case t.tries > maxTries:
		return fmt.Sprintf("retries exhausted: %d timeouts in a row without an answer", maxTries+1)
	case f.waits > 0:
		return "never began: a flow that it waits for was not delivered"
	case s.late:
		return fmt.Sprintf("max_time.us = %v came first", us(s.spec.MaxTime))
	case s.stop:
		return "the run was stopped"
	case f.start < 0:
		return "never began"
	}
	return "nothing was left to happen"
}
