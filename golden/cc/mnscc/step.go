package mnscc

import (
	"slices"

	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// OnACK applies an acknowledgement. The sample that it carries, if it is valid, is raw: the round trip less the service
// time, which NSCC then takes as base_rtt plus the median.
func (f *State) OnACK(s *Spec, p *nscc.Params, pdc *nscc.PDC, e *nscc.Ack) nscc.Response {
	raw, valid := p.RTT(e)
	if !valid {
		return f.State.OnACK(p, pdc, e)
	}
	cwnd := f.Cwnd
	f.OnSample(p, &nscc.Sample{Time: e.Time, RTT: raw}) // base_rtt and nothing else
	f.push(s, p, sample{e.Time, raw - f.BaseRTT}, cwnd)
	judged := *e
	judged.Tx = nscc.Tx{Sample: nscc.Given, RawRTT: f.BaseRTT + f.Median}
	return f.State.OnACK(p, pdc, &judged)
}

// push keeps a sample and finds the median.
func (f *State) push(s *Spec, p *nscc.Params, x sample, cwnd float64) {
	f.past = append(f.past, x)
	drop := max(0, len(f.past)-s.History)
	for x.at-f.past[drop].at > float64(s.Age*(f.BaseRTT+p.Target)) {
		drop++
	}
	f.past = f.past[:copy(f.past, f.past[drop:])]
	f.Seen = min(max(min(int(cwnd/p.MTU/2), s.History), 1), len(f.past))
	f.sort = f.sort[:0]
	for _, y := range f.past[len(f.past)-f.Seen:] {
		f.sort = append(f.sort, y.delay)
	}
	slices.Sort(f.sort)
	f.Median = f.sort[(f.Seen+1)/2-1] // the lower middle
}
