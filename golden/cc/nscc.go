package cc

import (
	"github.com/goldwire/goldwire/golden/cc/mnscc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// nsccCC drives one float64 NSCC context with the wire values of an Event.
type nsccCC struct {
	params nscc.Params
	state  *nscc.State
	pdcs   [MaxPDCs]nscc.PDC
	watch  Watch
	// median, when not nil, has the state, and judges ACKs as spec says.
	median *mnscc.State
	spec   *mnscc.Spec
}

// Watch is given the state of an NSCC context after an event and what it made of it. The state may be changed in an
// opening, whose response is empty.
type Watch func(ev *Event, s *nscc.State, r nscc.Response)

// NSCC returns a factory of float64 NSCC contexts in units of a picosecond with
// the defaults of the specification's table 3-76 for the context's link, base
// RTT, MTU and trimming. edit, when not nil, may change that configuration; the
// factory errors when it becomes impossible.
func NSCC(edit func(*nscc.Spec)) Factory { return WatchedNSCC(edit, nil) }

// WatchedNSCC returns NSCC with a watch, which is called in each event; nil for none.
func WatchedNSCC(edit func(*nscc.Spec), watch Watch) Factory {
	return func(cfg Config) (Control, error) {
		p, err := nsccParams(&cfg, edit)
		if err != nil {
			return nil, err
		}
		s := nscc.NewState(&p, 0)
		return &nsccCC{params: p, state: &s, watch: watch}, nil
	}
}

func nsccParams(cfg *Config, edit func(*nscc.Spec)) (nscc.Params, error) {
	spec := nscc.DefaultSpec()
	spec.SenderGbps = float64(cfg.LinkGbps)
	spec.ConfigBaseRTTPs = float64(cfg.BaseRTT)
	spec.Trimming = cfg.Trim
	spec.MTU = float64(cfg.MTU)
	spec.AckGenTrigger = float64(cfg.AckTrigger)
	spec.AvgWithoutSample = cfg.AvgWithoutSample
	if cfg.Target > 0 {
		spec.TargetPs = float64(cfg.Target)
	}
	if cfg.QAGate >= 0 {
		spec.QAGate = uint8(cfg.QAGate)
	}
	if edit != nil {
		edit(&spec)
	}
	return spec.Params(nscc.Picosecond)
}

// Step implements Control.
func (n *nsccCC) Step(ev *Event) Out {
	now := float64(ev.Time)
	if ev.Sample > 0 {
		n.state.OnSample(&n.params, &nscc.Sample{Time: now, RTT: float64(ev.Sample)})
	}
	var r nscc.Response
	action := ""
	switch ev.Kind {
	case KindOpen:
		if n.median != nil {
			*n.median = mnscc.NewState(&n.params)
		}
		*n.state, n.pdcs = nscc.NewState(&n.params, now), [MaxPDCs]nscc.PDC{}
		if n.watch != nil {
			n.watch(ev, n.state, nscc.Response{})
		}
		return Out{
			Cwnd:    int64(n.state.Cwnd),
			CanSend: n.state.CanSend(&n.params), AckReq: n.state.AckRequest(&n.params),
		}
	case KindNewData:
		r = n.state.OnNewData(&n.params, &nscc.NewData{Time: now, Bytes: float64(ev.Size)})
	case KindSend:
		r = n.state.OnSend(&n.params, &nscc.Send{Time: now, Size: float64(ev.Size), IsRtx: ev.IsRtx})
	case KindAck:
		e := nscc.Ack{
			Time: now, Tx: storedTx(ev), Service: ev.ServiceTime, RcvdBytes: ev.RcvdBytes,
			Marked: ev.M, Pend: ev.RcvCwndPend, Restore: ev.RestoreCwnd,
			AckedPkts: float64(ev.AckedPkts), UnmarkedPkts: float64(ev.UnmarkPkts),
			UnmarkedBytes: float64(ev.UnmarkBytes), Entropy: ev.Entropy,
		}
		if n.median != nil {
			r = n.median.OnACK(n.spec, &n.params, &n.pdcs[ev.PDC], &e)
		} else {
			r = n.state.OnACK(&n.params, &n.pdcs[ev.PDC], &e)
		}
	case KindNack:
		r = n.state.OnNACK(&n.params, &nscc.Nack{
			Time: now, Tx: storedTx(ev), Reason: nscc.Reason(ev.Reason),
			Size: float64(ev.Size), Marked: ev.M, Entropy: ev.Entropy,
		})
	case KindLoss:
		r = n.state.OnInferredLoss(&n.params, &nscc.Loss{Time: now, Size: float64(ev.Size), Entropy: ev.Entropy})
	}
	if n.watch != nil {
		n.watch(ev, n.state, r)
	}
	if ev.Kind >= KindAck {
		action = r.Action.String()
	}
	return Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest, Action: action}
}

// storedTx is the transmit state an event refers to; without one there is no
// RTT sample.
func storedTx(ev *Event) nscc.Tx {
	if !ev.TxValid {
		return nscc.Tx{Sample: nscc.None}
	}
	return nscc.Tx{Sample: nscc.FromTx, TxTime: float64(ev.TxTime), RtxCount: ev.RtxCount, Retx: ev.Retx}
}
