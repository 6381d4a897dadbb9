package credit

import port "github.com/goldwire/goldwire/vectors/event/credit"

// Until returns how many cycles pass, at least, before one in which a pull is at the port: just that many, if the
// sender is open and no event waits or comes. It returns false when only another event can bring a pull.
func (m *Model) Until() (cycles int, ok bool) {
	switch {
	case m.pull.Len() > 0:
		return 0, true
	case m.left > 0 && m.job == ofPull:
		return m.left, true
	}
	start := int(m.pace.wait / cycle)
	switch {
	case m.left > 0:
		start = max(start, m.left)
	case !m.pacer.Waiting():
		start = max(start, port.EvBusy)
	}
	return start + port.PullBusy, m.left > 0 || m.ev.Len() > 0 || m.pacer.Waiting()
}

// Rests reports whether further cycles change nothing until an event comes.
func (m *Model) Rests() bool {
	return m.left == 0 && m.ev.Len()+m.rsp.Len()+m.pull.Len() == 0 && !m.pacer.Waiting() && m.pacer.senders.Swept() &&
		m.pace.due() && m.pace.late == port.Slack
}
