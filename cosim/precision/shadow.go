package precision

import (
	"cmp"
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Flips listed in a report. Those with tick inputs are few unless something is wrong; those with picosecond inputs are
// the more frequent the coarser the tick.
const maxTickFlips, maxPsFlips = 1000, 100

// Shadow compares fixed point with float64 one event at a time: both start from the fixed-point state
// before the event. Float64 runs twice: on the same tick inputs, which shows what the arithmetic costs, and on
// picoseconds, which shows what the tick adds. Its constants come from SI units, not from the registers, so that the
// registers' rounding is part of the error.
type Shadow struct {
	tick   nscc.Params
	ps     nscc.Params
	tickPs float64
	// rounded is, for each comparison of times, what rounding its threshold to a whole tick moved it by, in ps.
	rounded [nscc.NumThresholds]float64
	diff    FloatDiff
	hist    [24]uint64 // by -log10 of the relative error of cwnd
}

// NewShadow returns the comparison for contexts of one configuration and a tick in picoseconds. It errors when the
// configuration gives no constants.
func NewShadow(si nscc.Spec, tickPs int64) (*Shadow, error) {
	f := &Shadow{tickPs: float64(tickPs)}
	var err, errPs error
	f.tick, err = si.Params(nscc.Unit{Ps: f.tickPs, Whole: true})
	f.ps, errPs = si.Params(nscc.Picosecond)
	if err := cmp.Or(err, errPs); err != nil {
		return nil, err
	}
	moved := func(ps, ticks float64) float64 { return ps - ticks*f.tickPs }
	f.rounded[nscc.DelayTarget] = moved(f.ps.Target, f.tick.Target)
	f.rounded[nscc.AvgTarget] = f.rounded[nscc.DelayTarget]
	f.rounded[nscc.DelayFast] = moved(f.ps.FastDelay, f.tick.FastDelay)
	f.rounded[nscc.SinceAdjust] = moved(f.ps.AdjustPeriod, f.tick.AdjustPeriod)
	if !math.IsInf(f.ps.QAThreshold, 1) {
		f.rounded[nscc.DelayQA] = moved(f.ps.QAThreshold, f.tick.QAThreshold)
	}
	return f, nil
}

// nearest returns the comparison of times that came closest to its threshold as the registers hold it, and
// how close, in ticks.
func (f *Shadow) nearest(r *nscc.Response) (at nscc.Threshold, ticks float64) {
	ticks = math.Inf(1)
	for t := nscc.Threshold(0); t <= nscc.RTTBase; t++ {
		if m, ok := r.Margin(t); ok {
			if d := math.Abs(m+f.rounded[t]) / f.tickPs; d < ticks {
				at, ticks = t, d
			}
		}
	}
	return at, ticks
}

// Target returns the target delay in ticks.
func (f *Shadow) Target() float64 { return f.tick.Target }

// Event compares one event of a context that was valid, from the state before it. now and tx are its times in
// picoseconds. Events that decide nothing about the window are passed over.
func (f *Shadow) Event(ev *ccc.Event, now, tx int64, before *Context, rsp *ccc.Response) {
	var want nscc.Response
	times := Times{Now: float64(ev.Now), Tx: float64(ev.TxTime)}
	if !applyFloat(&f.tick, before, 1, times, ev, &want) {
		return
	}
	f.diff.Events++
	if flipped(ev, rsp, &want) {
		f.diff.ActionFlips++
		at, dist := want.NearestTime()
		f.list(ev, "tick", rsp, &want, at, dist, maxTickFlips)
	} else {
		e := relErr(float64(rsp.Cwnd), want.Cwnd)
		f.diff.MaxRelErrCwnd = max(f.diff.MaxRelErrCwnd, e)
		if e > 0 {
			f.hist[min(max(int(math.Ceil(-math.Log10(e))), 0), len(f.hist)-1)]++
		}
	}
	times = Times{Now: float64(now), Tx: float64(tx)}
	applyFloat(&f.ps, before, f.tickPs, times, ev, &want)
	if !flipped(ev, rsp, &want) {
		f.diff.PsMaxRelErrCwnd = max(f.diff.PsMaxRelErrCwnd, relErr(float64(rsp.Cwnd), want.Cwnd))
		return
	}
	f.diff.PsActionFlips++
	at, dist := f.nearest(&want)
	if dist > 1 {
		f.diff.PsUnexplained++
	}
	f.list(ev, "ps", rsp, &want, at, dist, maxPsFlips)
}

func (f *Shadow) list(ev *ccc.Event, inputs string, rsp *ccc.Response, want *nscc.Response, at nscc.Threshold,
	dist float64, limit int) {
	if len(f.diff.Flips) >= limit {
		return
	}
	f.diff.Flips = append(f.diff.Flips, Flip{
		Event: f.diff.Events - 1, Context: int(ev.Ctx), Inputs: inputs,
		Fixed: rsp.Action.String(), Float: want.Action.String(),
		Threshold: at.String(), Distance: dist,
	})
}

// Result returns the figures so far.
func (f *Shadow) Result() *FloatDiff {
	d := f.diff
	if d.Events > 0 {
		d.FlipsPer10k = 1e4 * float64(d.ActionFlips) / float64(d.Events)
		d.PsFlipsPer10k = 1e4 * float64(d.PsActionFlips) / float64(d.Events)
	}
	d.ErrHist = nil
	for i := len(f.hist) - 1; i >= 0; i-- {
		if f.hist[i] > 0 {
			d.ErrHist = append(d.ErrHist, HistBin{Log10: -i, Count: f.hist[i]})
		}
	}
	return &d
}

// applyFloat runs one event in float64 from a fixed-point state whose times are multiplied by unit. It
// returns false for kinds that are not congestion-control events.
func applyFloat(p *nscc.Params, before *Context, unit float64, at Times, ev *ccc.Event, out *nscc.Response) bool {
	if ev.Kind < ccc.KindNewData || ev.Kind > ccc.KindLoss {
		return false
	}
	s := StateOf(&before.Words, unit)
	pdc := nscc.PDC{LastRcvd: before.Words.LastRcvd}
	return Apply(p, &s, &pdc, ev, at, out)
}

// flipped reports whether fixed point and float64 decided differently: the action, or whether the decrease
// was applied.
func flipped(ev *ccc.Event, fixed *ccc.Response, float *nscc.Response) bool {
	if fixed.Kind == ccc.KindNewData || fixed.Kind == ccc.KindSend {
		return false
	}
	return fixed.Action != ActionOf(ev, float.Action) || fixed.MDApplied != float.MDApplied
}

func relErr(got, want float64) float64 {
	if want == 0 {
		return math.Abs(got)
	}
	return math.Abs(got-want) / math.Abs(want)
}
