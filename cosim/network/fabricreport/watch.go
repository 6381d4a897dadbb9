package fabricreport

import (
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// watchedContexts is the number of contexts whose window is drawn.
const watchedContexts = 4

// actionBins is the most spans of time in which actions are counted.
const actionBins = 240

// Watch follows a run for its page: the windows of the first contexts and the actions of all contexts, counted in spans
// of time that grow with the run.
type Watch struct {
	ids    [][2]int32 // NIC and context
	end    float64    // of the last event of any context, us
	times  [watchedContexts][]float64
	cwnd   [watchedContexts][]float64
	width  units.Picos
	counts map[string][]float64
}

// Tap is a fabric tap.
func (w *Watch) Tap(ev *cc.Event) bool {
	w.end = float64(ev.Time) / 1e6
	id := [2]int32{ev.NIC, ev.CCC}
	at := slices.Index(w.ids, id)
	if at < 0 && len(w.ids) < watchedContexts && ev.Kind == cc.KindOpen {
		at = len(w.ids)
		w.ids = append(w.ids, id)
	}
	if at >= 0 {
		v := float64(ev.Out.Cwnd)
		if n := len(w.cwnd[at]); n == 0 || w.cwnd[at][n-1] != v {
			w.times[at] = append(w.times[at], float64(ev.Time)/1e6)
			w.cwnd[at] = append(w.cwnd[at], v)
		}
	}
	if a := ev.Out.Action; a != "" {
		w.count(ev.Time, a)
	}
	return true
}

// window returns the window of watched context i over time. It ends with the last event of the run, so a window that no
// longer changes is drawn to the end.
func (w *Watch) window(i int) (x, y []float64) {
	x, y = w.times[i], w.cwnd[i]
	if n := len(x); n > 0 && x[n-1] < w.end {
		return append(slices.Clone(x), w.end), append(slices.Clone(y), y[n-1])
	}
	return x, y
}

func (w *Watch) count(t units.Picos, action string) {
	if w.counts == nil {
		w.counts, w.width = map[string][]float64{}, units.Microsecond/4
	}
	for t/w.width >= actionBins {
		w.width *= 2
		for a, c := range w.counts {
			half := c[:(len(c)+1)/2]
			for i := range half {
				v := c[2*i]
				if 2*i+1 < len(c) {
					v += c[2*i+1]
				}
				half[i] = v
			}
			w.counts[a] = half
		}
	}
	c := w.counts[action]
	for len(c) <= int(t/w.width) {
		c = append(c, 0)
	}
	c[t/w.width]++
	w.counts[action] = c
}
