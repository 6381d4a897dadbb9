package effect

import (
	"context"
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Exact is the pacer whose rate is not rounded; the others are named by their formats.
const Exact = "exact rate"

// fewer are the formats of a gap that are compared where none is given.
var fewer = []string{"UQ8.8", "UQ8.4", "UQ8.0"}

// links are the rates of links whose errors are listed.
var links = []units.Gbps{25, 50, 100, 200, 400, 800, 1600}

// Rate is the error of a pacer's rate at the link of a host, in parts per million, by format.
type Rate struct {
	Gbps   units.Gbps `json:"gbps"`
	Errors []*float64 `json:"ppm"` // nil where the gap does not fit
}

// PacerBlock returns the block whose formats RunPacers compares.
func PacerBlock() string { return credit.Formats().Block }

// RunPacers is Run for the receivers' pacers of credit: one at the exact rate, one whose gap between pulls has the
// contract's format, and others at that of the table, or at several with fewer bits. All follow the rules of package
// rccc. It also returns an error when the table changes anything else, and when no flow needs credit.
func RunPacers(ctx context.Context, spec Spec) (*Result, error) {
	contract := credit.Formats()
	gap := func(t *formats.Table) *formats.Value {
		v, _ := t.Lookup(credit.RegInfo[credit.RegGap].Name)
		return v
	}
	all := []*formats.Value{nil, gap(contract)}
	res := &Result{Preset: spec.Name, Seeds: spec.Seeds, TickNs: int(fields.CreditCycle / units.Nanosecond),
		Kinds: "pacers", CC: spec.Fabric.CC, figures: ofPacers}
	if spec.Table != nil {
		res.Changed = diff.Changes(spec.Table, contract)
	}
	for _, c := range res.Changed {
		if c.Name != gap(contract).Name {
			return nil, fmt.Errorf("--format %s: only %s has a fraction; the others are whole numbers", c.Name,
				gap(contract).Name)
		}
		all = append(all, gap(spec.Table))
	}
	for _, f := range fewer {
		if len(res.Changed) > 0 {
			break
		}
		t := credit.Formats()
		if err := t.Set(gap(t).Name, f); err != nil {
			return nil, err
		}
		all = append(all, gap(t))
	}
	var arms []arm
	for _, v := range all {
		name := Exact
		switch {
		case v == nil:
		case v != all[1] && v.Format == all[1].Format: // with another rounding or overflow
			name = v.String()
		default:
			name = v.Format.String()
		}
		arms = append(arms, arm{name, func(ctx context.Context, seed uint64) (*result.Result, error) {
			return onePaced(ctx, &spec, v, seed)
		}})
	}
	if err := res.run(ctx, &spec, arms); err != nil {
		return nil, err
	}
	for i := range res.Arms[1:] {
		res.Pairs = append(res.Pairs, res.compare(&res.Arms[0], &res.Arms[i+1]))
	}
	return res, res.rates(all)
}

// onePaced simulates one seed; a format of nil stands for the exact rate.
func onePaced(ctx context.Context, spec *Spec, v *formats.Value, seed uint64) (*result.Result, error) {
	s := spec.Fabric
	s.Seed = seed
	made := 0
	opts := []fabric.Option{fabric.WithPacers(func(x transport.PacerSpec) (transport.Pacer, error) {
		made++
		return newGapPacer(x, v)
	})}
	if spec.Messages != nil {
		opts = append(opts, fabric.WithMessages(spec.Messages))
	}
	r, err := fabric.Run(ctx, s, opts...)
	if err == nil && (made == 0 || r.Counters.Credits == 0) {
		err = fmt.Errorf("%w: no receiver grants credit; set cc to rccc or nscc+rccc", diff.ErrNothing)
	}
	return r, err
}

// gapOf returns the time between two pulls of a quantum in picoseconds, in a format, or the exact one.
func gapOf(perByte units.PerByte, v *formats.Value) (*big.Rat, error) {
	gap, err := fields.CreditGap(perByte, fields.CreditCycle)
	if err != nil {
		return nil, err
	}
	if v != nil {
		word, err := fields.CreditGapWord(gap, v)
		if err != nil {
			return nil, err
		}
		gap = exact.UFixed(word, uint(v.Format.Frac))
	}
	ps := gap.Rat()
	return ps.Mul(ps, big.NewRat(int64(fields.CreditCycle), 1)), nil
}

// gapPacer is a pacer by the rules of package rccc whose pulls keep to a gap exactly.
type gapPacer struct {
	rule    *rccc.Pacer // counts quanta as picoseconds
	senders map[int32]*rccc.Sender
	maxWnd  int64
	gap     *big.Rat // picoseconds
	at      *big.Rat // when the next pull is due
	runs    bool
}

func newGapPacer(x transport.PacerSpec, v *formats.Value) (*gapPacer, error) {
	gap, err := gapOf(x.PerByte, v)
	if err != nil {
		return nil, err
	}
	quanta := units.PerByte{Num: rccc.ShareNum, Den: rccc.ShareDen * rccc.Quantum}
	return &gapPacer{rule: rccc.NewPacer(quanta), senders: map[int32]*rccc.Sender{}, maxWnd: x.MaxWnd, gap: gap,
		at: new(big.Rat)}, nil
}

// Wants implements transport.Pacer.
func (p *gapPacer) Wants(now units.Picos, sender int32, target rccc.Number, resends bool) {
	d := p.senders[sender]
	if d == nil {
		x := rccc.NewSender(sender, p.maxWnd)
		d = &x
		p.senders[sender] = d
	}
	if p.rule.Wants(d, target, resends) {
		p.runs = true
		p.at.SetInt64(int64(now))
	}
}

// Due implements transport.Pacer.
func (p *gapPacer) Due() units.Picos {
	if !p.runs {
		return -1
	}
	return units.Picos(new(big.Int).Quo(p.at.Num(), p.at.Denom()).Int64())
}

// Pull implements transport.Pacer.
func (p *gapPacer) Pull(units.Picos) (int32, rccc.Number, bool) {
	d, quanta, ok := p.rule.Next()
	if p.runs = ok; !ok {
		return 0, 0, false
	}
	step := new(big.Rat).SetInt64(int64(quanta))
	p.at.Add(p.at, step.Mul(step, p.gap))
	return d.ID, d.Granted, true
}

// rates fills in the errors of the rates at the links of hosts.
func (res *Result) rates(all []*formats.Value) error {
	for _, g := range links {
		want, err := gapOf(g.PerByte(), nil)
		if err != nil {
			return err
		}
		rate := Rate{Gbps: g}
		for _, v := range all[1:] {
			got, err := gapOf(g.PerByte(), v)
			if err != nil {
				rate.Errors = append(rate.Errors, nil)
				continue
			}
			ratio := new(big.Rat).Quo(want, got)
			ppm, _ := ratio.Sub(ratio, big.NewRat(1, 1)).Mul(ratio, big.NewRat(1e6, 1)).Float64()
			rate.Errors = append(rate.Errors, &ppm)
		}
		res.Rates = append(res.Rates, rate)
	}
	return nil
}

func (res *Result) rateSheet() report.Sheet {
	s := report.Sheet{Title: "Error of the pacer's rate by the format of its gap, in parts per million",
		Head: []string{"link, Gb/s"},
		Note: "a gap is the time of 256 bytes at 99 % of the link, in cycles of 1 ns; -: it does not fit"}
	for _, a := range res.Arms[1:] {
		s.Head = append(s.Head, a.Name)
	}
	for _, r := range res.Rates {
		row := []any{fmt.Sprint(float64(r.Gbps))}
		for _, e := range r.Errors {
			if e == nil {
				row = append(row, "-")
			} else {
				row = append(row, *e)
			}
		}
		s.Row(row...)
	}
	return s
}
