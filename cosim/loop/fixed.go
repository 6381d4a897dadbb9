package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/units"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Names of the congestion controls of this package.
const (
	Fixed = "nscc-fixed"
	RTL   = "nscc-rtl"
)

// Names returns both.
func Names() []string { return []string{Fixed, RTL} }

// registerFile holds the registers of a profile by address.
type registerFile [ccc.NumRegs]uint64

// registers returns the register file of a context for a tick in nanoseconds.
func registers(cfg fabric.CCConfig, tickNs int) (registerFile, error) {
	g, err := exact.Constants(units.ContextSI(cfg, tickNs))
	if err != nil {
		return registerFile{}, err
	}
	return units.RegisterFile(&g), nil
}

// fixed is a context of the fixed-point model.
type fixed struct {
	run *closed
	cfg rtlccc.Config
	st  rtlccc.State
	ev  ccc.Event
	rsp ccc.Response
}

// oneProfile is a block of one context: each context of the model has its own registers.
var oneProfile = rtlccc.Spec{NumContexts: 1, NumPdcs: ccc.DefaultNumPdcs, NumProfiles: 1}

// newFixed implements fabric.CCFactory.
func (r *closed) newFixed(cfg fabric.CCConfig) (fabric.CC, error) {
	regs, err := registers(cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	f := &fixed{run: r, cfg: oneProfile.Config()}
	for a, v := range regs {
		f.cfg.Write(0, uint8(a), v)
	}
	return f, nil
}

// Step implements fabric.CC.
func (f *fixed) Step(ev *fabric.TapEvent) fabric.CCOut {
	if err := units.CCCEvent(ev, 0, f.run.tickPs(), &f.ev); err != nil {
		return f.run.fail(fmt.Errorf("%s: %w", Fixed, err))
	}
	rtlccc.Apply(&f.cfg, &f.st, &f.ev, &f.rsp)
	return view(&f.rsp)
}

// Sample implements fabric.Sampler.
func (f *fixed) Sample(now, rtt fabric.Picos) {
	if units.SampleEvent(now, rtt, 0, f.run.tickPs(), &f.ev) {
		rtlccc.Apply(&f.cfg, &f.st, &f.ev, &f.rsp)
	}
}

// view converts a response to the form that the simulated host sees.
func view(r *ccc.Response) fabric.CCOut {
	out := fabric.CCOut{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest}
	if r.Kind == ccc.KindAck || r.Kind == ccc.KindNack || r.Kind == ccc.KindLoss {
		out.Action = r.Action.String()
	}
	return out
}
