package cc

import "github.com/goldwire/goldwire/golden/cc/nscc/htsim"

// htsimCC drives one context of NSCC in the reference simulator's arithmetic. It reads received bytes exactly, as that
// simulator does: the wire's units of 256 are rounded up, and would leave inflight up to 255 bytes below zero when
// nothing is in flight. A bytes_to_ignore of that value wraps to nearly 2^32, and the flow ignores every mark from then
// on.
type htsimCC struct {
	p        htsim.Params
	st       *htsim.IntState
	inflight int64
	trigger  int64
	last     [MaxPDCs]uint32
}

// HtsimNSCC returns a factory of contexts that run NSCC as the public reference
// simulator does, its integer wraps included: target 0.75 base RTT with
// trimming, 1.0 without. edit, when not nil, may change the derived constants.
func HtsimNSCC(edit func(*htsim.Params)) Factory {
	return func(cfg Config) (Control, error) {
		c := htsim.Config{
			LinkGbps: float64(cfg.LinkGbps), NetworkRTT: int64(cfg.BaseRTT), Target: int64(cfg.BaseRTT),
			MTU: int64(cfg.MTU), MSS: int64(cfg.MTU - cfg.HeaderBytes),
		}
		if cfg.Trim {
			c.Target = int64(0.75 * float64(cfg.BaseRTT))
		}
		if cfg.Target > 0 {
			c.Target = int64(cfg.Target)
		}
		p, err := c.Params()
		if err != nil {
			return nil, err
		}
		if cfg.QAGate >= 0 {
			p.QAGate = uint(cfg.QAGate)
		}
		if edit != nil {
			edit(&p)
		}
		h := &htsimCC{p: p, trigger: cfg.AckTrigger}
		h.st = htsim.NewIntState(&h.p)
		return h, nil
	}
}

// Step implements Control.
func (h *htsimCC) Step(ev *Event) Out {
	e := htsim.Event{Time: int64(ev.Time), ECN: ev.M}
	if ev.TxValid && (ev.RtxCount == 0 && !ev.Retx || ev.RtxCount == 1 && ev.Retx) {
		e.RTT, e.RawRTT = htsim.DataSample, int64(ev.Time-ev.TxTime)
	}
	action := ""
	switch ev.Kind {
	case KindOpen:
		*h = htsimCC{p: h.p, st: h.st, trigger: h.trigger}
		*h.st = *htsim.NewIntState(&h.p)
	case KindSend:
		h.inflight += ev.Size
	case KindAck:
		if delta := ev.RcvdExact - h.last[ev.PDC]; delta < 1<<31 {
			h.last[ev.PDC] = ev.RcvdExact
			e.Newly = int64(delta)
		}
		h.inflight += ev.UnmarkBytes - e.Newly
		e.InFlight = h.inflight
		if ev.Probe && ev.ProbeTime > 0 {
			e.RTT, e.RawRTT = htsim.ProbeSample, int64(ev.Time-ev.ProbeTime)
		}
		action = h.st.Step(&h.p, &e).Action
	case KindNack:
		e.Kind, e.Lost, e.InFlight = htsim.NACK, ev.Size, h.inflight
		action = h.st.Step(&h.p, &e).Action
		h.inflight -= ev.Size
	case KindLoss:
		h.inflight -= ev.Size
		e.Kind, e.Lost, e.RTT, e.InFlight = htsim.RTO, ev.Size, htsim.NoSample, h.inflight
		action = h.st.Step(&h.p, &e).Action
	}
	w := h.st.Cwnd
	return Out{
		Cwnd: w, Inflight: h.inflight, CanSend: h.inflight+h.p.MTU <= w,
		AckReq: w-h.inflight < h.p.MTU || w < h.trigger, Action: action,
	}
}
