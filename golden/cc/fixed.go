package cc

// fixedWindow is a congestion control whose window never moves: the simplest sender that keeps the
// accounting of the specification (3.6.12.3 and 3.6.13.5), used to test hosts and network apart
// from any control law.
type fixedWindow struct {
	cwnd, mtu, trigger int64
	account
}

// FixedWindow returns a factory of contexts with a constant window in bytes; 0 takes the context's
// MaxWnd. Windows below one MTU are raised to one.
func FixedWindow(cwnd int64) Factory {
	return func(cfg Config) (Control, error) {
		w := cwnd
		if w == 0 {
			w = cfg.MaxWnd
		}
		return &fixedWindow{cwnd: max(w, int64(cfg.MTU)), mtu: int64(cfg.MTU), trigger: cfg.AckTrigger}, nil
	}
}

// Step implements Control.
func (f *fixedWindow) Step(ev *Event) Out {
	f.note(ev)
	return Out{
		Cwnd: f.cwnd, Inflight: f.inflight,
		CanSend: f.inflight+f.mtu <= f.cwnd,
		AckReq:  f.cwnd-f.inflight < f.mtu || f.cwnd < f.trigger,
	}
}

// account is the number of bytes that a context has in flight, by the wire's counters.
type account struct {
	inflight int64
	last     [MaxPDCs]uint32
}

// note accounts for an event and returns the bytes that an ACK newly acknowledges.
func (a *account) note(ev *Event) (acked int64) {
	switch ev.Kind {
	case KindSend:
		a.inflight += ev.Size
	case KindNack, KindLoss:
		a.inflight -= ev.Size
	case KindAck:
		delta := (ev.RcvdBytes - a.last[ev.PDC]) & 0xFFFFFF
		if delta < 1<<23 {
			a.last[ev.PDC] = ev.RcvdBytes
			acked = int64(delta) << 8
			a.inflight -= acked
		}
		// The loss of an unmarked packet had taken its bytes out already.
		a.inflight += ev.UnmarkBytes
	}
	return acked
}
