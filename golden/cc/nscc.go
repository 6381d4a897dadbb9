package cc

import "github.com/goldwire/goldwire/golden/cc/nscc"

// nsccCC drives one float64 NSCC context with the wire values of a Event.
type nsccCC struct {
	params nscc.Params
	state  nscc.State
	pdcs   [MaxPDCs]nscc.PDC
}

// NSCC returns a factory of float64 NSCC contexts in units of a picosecond with
// the defaults of the specification's table 3-76 for the context's link, base
// RTT, MTU and trimming. edit, when not nil, may change that configuration; the
// factory errors when it becomes impossible.
func NSCC(edit func(*nscc.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := nscc.DefaultSpec()
		spec.SenderGbps = float64(cfg.LinkGbps)
		spec.ConfigBaseRTTPs = float64(cfg.BaseRTT)
		spec.Trimming = cfg.Trim
		spec.MTU = float64(cfg.MTU)
		spec.AckGenTrigger = float64(cfg.AckTrigger)
		tune(&cfg, &spec)
		if edit != nil {
			edit(&spec)
		}
		p, err := spec.Params(nscc.Picosecond)
		if err != nil {
			return nil, err
		}
		return &nsccCC{params: p, state: nscc.NewState(&p, 0)}, nil
	}
}

// tune sets what a run can change of NSCC's defaults.
func tune(cfg *Config, spec *nscc.Spec) {
	if cfg.Target > 0 {
		spec.TargetPs = float64(cfg.Target)
	}
	if cfg.QAGate >= 0 {
		spec.QAGate = uint8(cfg.QAGate)
	}
	spec.AvgWithoutSample = cfg.AvgWithoutSample
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
		n.state = nscc.NewState(&n.params, now)
		n.pdcs = [MaxPDCs]nscc.PDC{}
		return Out{
			Cwnd:    int64(n.state.Cwnd),
			CanSend: n.state.CanSend(&n.params), AckReq: n.state.AckRequest(&n.params),
		}
	case KindNewData:
		r = n.state.OnNewData(&n.params, &nscc.NewData{Time: now, Bytes: float64(ev.Size)})
	case KindSend:
		r = n.state.OnSend(&n.params, &nscc.Send{Time: now, Size: float64(ev.Size), IsRtx: ev.IsRtx})
	case KindAck:
		r = n.state.OnACK(&n.params, &n.pdcs[ev.PDC], nsccAck(ev))
	case KindNack:
		r = n.state.OnNACK(&n.params, &nscc.Nack{
			Time: now, Tx: storedTx(ev), Reason: nscc.Reason(ev.Reason),
			Size: float64(ev.Size), Marked: ev.M, Entropy: ev.Entropy,
		})
	case KindLoss:
		r = n.state.OnInferredLoss(&n.params, &nscc.Loss{Time: now, Size: float64(ev.Size), Entropy: ev.Entropy})
	}
	if ev.Kind >= KindAck {
		action = r.Action.String()
	}
	return Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest, Action: action}
}

// nsccAck is an ACK as NSCC takes it.
func nsccAck(ev *Event) *nscc.Ack {
	return &nscc.Ack{
		Time: float64(ev.Time), Tx: storedTx(ev), Service: ev.ServiceTime, RcvdBytes: ev.RcvdBytes,
		Marked: ev.M, Pend: ev.RcvCwndPend, Restore: ev.RestoreCwnd,
		AckedPkts: float64(ev.AckedPkts), UnmarkedPkts: float64(ev.UnmarkPkts),
		UnmarkedBytes: float64(ev.UnmarkBytes), Entropy: ev.Entropy,
	}
}

// storedTx is the transmit state an event refers to; without one there is no
// RTT sample.
func storedTx(ev *Event) nscc.Tx {
	if !ev.TxValid {
		return nscc.Tx{Sample: nscc.None}
	}
	return nscc.Tx{Sample: nscc.FromTx, TxTime: float64(ev.TxTime), RtxCount: ev.RtxCount, Retx: ev.Retx}
}
