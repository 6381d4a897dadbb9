package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Ack is one ACK or NACK that reached an NSCC context, with its state after it. Delays are microseconds.
type Ack struct {
	Time   float64
	Host   int32
	Kind   cc.Kind
	Trim   bool // a NACK of a trimmed packet
	Action nscc.Action
	Cwnd   float64 // bytes
	MaxWnd float64
	// HasRTT is set when the ACK gave a sample; Delay is it less Base.
	HasRTT           bool
	Mark             bool
	Delay, Base, Avg float64
}

// tracer records the state of each NSCC context, which the events of a tap do not hold.
type tracer struct {
	acks  []Ack
	first func(host int32, max float64) float64 // the first window, nil for the largest
	noQA  bool
	quiet bool // records nothing
	// propagation leaves the packets' own time out of the base RTT.
	propagation bool
}

// row returns NSCC with the recorder, in place of the one that runs know.
func (t *tracer) row() (cc.Row, error) {
	known, err := cc.Find(cc.Default, cc.Rows())
	if err != nil {
		return cc.Row{}, err
	}
	row := *known
	row.New = t.control
	return row, nil
}

// traced is one context. It plays events as cc.NSCC does.
type traced struct {
	t      *tracer
	host   int32
	params nscc.Params
	state  nscc.State
	pdcs   [cc.MaxPDCs]nscc.PDC
	base   float64 // configured base RTT
}

func (t *tracer) control(cfg cc.Config) (cc.Control, error) {
	spec := nscc.DefaultSpec()
	spec.SenderGbps = float64(cfg.LinkGbps)
	if t.propagation {
		cfg.BaseRTT = propagation(cfg)
	}
	spec.ConfigBaseRTTPs = float64(cfg.BaseRTT)
	spec.Trimming = cfg.Trim
	spec.MTU = float64(cfg.MTU)
	spec.AckGenTrigger = float64(cfg.AckTrigger)
	if cfg.Target > 0 {
		spec.TargetPs = float64(cfg.Target)
	}
	if cfg.QAGate >= 0 {
		spec.QAGate = uint8(cfg.QAGate)
	}
	spec.AvgWithoutSample = cfg.AvgWithoutSample
	spec.DisableQuickAdapt = t.noQA
	p, err := spec.Params(nscc.Picosecond)
	if err != nil {
		return nil, err
	}
	return &traced{t: t, host: cfg.NIC, params: p, base: float64(cfg.BaseRTT)}, nil
}

// Step implements cc.Control.
func (c *traced) Step(ev *cc.Event) cc.Out {
	now := float64(ev.Time)
	if ev.Sample > 0 {
		c.state.OnSample(&c.params, &nscc.Sample{Time: now, RTT: float64(ev.Sample)})
	}
	tx := nscc.Tx{Sample: nscc.None}
	if ev.TxValid {
		tx = nscc.Tx{Sample: nscc.FromTx, TxTime: float64(ev.TxTime), RtxCount: ev.RtxCount, Retx: ev.Retx}
	}
	var r nscc.Response
	switch ev.Kind {
	case cc.KindOpen:
		c.state = nscc.NewState(&c.params, now)
		c.pdcs = [cc.MaxPDCs]nscc.PDC{}
		if c.t.first != nil {
			c.state.Cwnd = math.Floor(c.t.first(c.host, c.state.Cwnd))
		}
		return cc.Out{Cwnd: int64(c.state.Cwnd), CanSend: c.state.CanSend(&c.params),
			AckReq: c.state.AckRequest(&c.params)}
	case cc.KindNewData:
		r = c.state.OnNewData(&c.params, &nscc.NewData{Time: now, Bytes: float64(ev.Size)})
	case cc.KindSend:
		r = c.state.OnSend(&c.params, &nscc.Send{Time: now, Size: float64(ev.Size), IsRtx: ev.IsRtx})
	case cc.KindAck:
		r = c.state.OnACK(&c.params, &c.pdcs[ev.PDC], &nscc.Ack{Time: now, Tx: tx, Service: ev.ServiceTime,
			RcvdBytes: ev.RcvdBytes, Marked: ev.M, Pend: ev.RcvCwndPend, Restore: ev.RestoreCwnd,
			AckedPkts: float64(ev.AckedPkts), UnmarkedPkts: float64(ev.UnmarkPkts),
			UnmarkedBytes: float64(ev.UnmarkBytes), Entropy: ev.Entropy})
	case cc.KindNack:
		r = c.state.OnNACK(&c.params, &nscc.Nack{Time: now, Tx: tx, Reason: nscc.Reason(ev.Reason),
			Size: float64(ev.Size), Marked: ev.M, Entropy: ev.Entropy})
	case cc.KindLoss:
		r = c.state.OnInferredLoss(&c.params, &nscc.Loss{Time: now, Size: float64(ev.Size), Entropy: ev.Entropy})
	}
	out := cc.Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest}
	if ev.Kind >= cc.KindAck {
		out.Action = r.Action.String()
	}
	if (ev.Kind == cc.KindAck || ev.Kind == cc.KindNack) && !c.t.quiet {
		c.record(ev, &r)
	}
	return out
}

// record keeps the state after an ACK or NACK.
func (c *traced) record(ev *cc.Event, r *nscc.Response) {
	a := Ack{Time: ev.Time.Micros(), Host: c.host, Kind: ev.Kind, Action: r.Action, Cwnd: r.Cwnd, MaxWnd: c.state.MaxWnd,
		HasRTT: r.HasRTT, Mark: ev.M, Base: r.BaseRTT / 1e6, Avg: r.AvgDelay / 1e6}
	a.Trim = ev.Kind == cc.KindNack && (ev.Reason == cc.ReasonTrimmed || ev.Reason == cc.ReasonTrimmedLastHop)
	switch {
	case a.Trim: // which NSCC counts as a delay of the configured base RTT, marked
		a.Delay, a.Mark = c.base/1e6, true
	case r.HasRTT:
		a.Delay = (r.RTT - r.BaseRTT) / 1e6
	}
	c.t.acks = append(c.t.acks, a)
}

// changed returns a factory of controls that change has altered.
func changed(f cc.Factory, change func(cc.Config, cc.Inspector) (cc.Control, error)) cc.Factory {
	return func(cfg cc.Config) (cc.Control, error) {
		c, err := f(cfg)
		if err != nil {
			return nil, err
		}
		in, ok := c.(cc.Inspector)
		if !ok {
			return nil, fmt.Errorf("congestion control %T: its parameters and state cannot be set", c)
		}
		return change(cfg, in)
	}
}

// tuned returns a factory of controls with another value of a parameter.
func tuned(f cc.Factory, name string, value float64) cc.Factory {
	return changed(f, func(_ cc.Config, c cc.Inspector) (cc.Control, error) {
		if err := param.Set(c.Params(), name, value); err != nil {
			return nil, err
		}
		return c, c.Validate()
	})
}

// withFirst returns a factory of contexts whose window, which is a field of their state, begins at so many bytes.
func withFirst(f cc.Factory, field string, bytes func(cc.Config) float64) cc.Factory {
	return changed(f, func(cfg cc.Config, c cc.Inspector) (cc.Control, error) {
		return &firstWindow{c, field, bytes(cfg)}, nil
	})
}

type firstWindow struct {
	cc.Inspector
	field string
	bytes float64
}

// Step implements cc.Control.
func (f *firstWindow) Step(ev *cc.Event) cc.Out {
	out := f.Inspector.Step(ev)
	if ev.Kind == cc.KindOpen {
		if err := param.Set(f.State(), f.field, math.Floor(f.bytes)); err != nil {
			panic(err) // a mistake in the experiment
		}
		out.Cwnd = int64(f.bytes)
	}
	return out
}
