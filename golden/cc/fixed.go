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
