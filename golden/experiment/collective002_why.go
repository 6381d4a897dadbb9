package experiment

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// The reasons beside checks of seed 002 that fail. Each rests on runs of the same seeds in which one number of the
// set-up is another.
const (
	quarter  = mark002 / 4 // ECN thresholds, bytes
	eighth   = mark002 / 8
	increase = 8 // packets that a member of Swift's family adds per round trip; 1 by default
)

// marking returns the workload with another ECN threshold.
func (w workload002) marking(bytes int64) workload002 {
	base := w.spec
	w.figure, w.spec = early(w.figure, bytes), func(s *settings.Spec) {
		if base != nil {
			base(s)
		}
		s.KMinBytes = bytes
	}
	return w
}

// early is the name of a figure with another ECN threshold.
func early(figure string, bytes int64) string {
	return fmt.Sprintf("%s, ECN at %d kB,", figure, bytes/1000)
}

// steep is the name of a member of Swift's family that adds more per round trip.
func steep(control string) string { return fmt.Sprintf("%s-ai%d", control, increase) }

// with returns the experiment with more runs.
func (e Experiment) with(more func(s *setup)) Experiment {
	runs := e.runs
	e.runs = func(s *setup) {
		runs(s)
		more(s)
	}
	return e
}

// medians adds MSwift with REPS, and both NSCCs, at another ECN threshold. MSwift with OPS or AR reads no marks.
func (w workload002) medians(s *setup, bytes int64) {
	at := w.marking(bytes)
	at.add(s, []string{"mswift"}, []lb.Kind{lb.REPS})
	at.add(s, []string{"nscc", "mnscc"}, balancers)
}

const whyREPS = "a path has five queues, which hold 2 us below the ECN threshold of 40 kB, twice the target, and " +
	"REPS leaves a path only when it is marked"

// early is the inflation of a control at another ECN threshold.
func (f *fig) early(bytes int64, control string, b lb.Kind) sample {
	return f.of(early(f.name, bytes), control, b, infl)
}

// whyNotREPS is beside the claim that MSwift with REPS is the least of all.
func (f *fig) whyNotREPS() string {
	var rivals []sample
	for _, c := range []string{"nscc", "mnscc"} {
		for _, b := range balancers {
			rivals = append(rivals, f.early(quarter, c, b))
		}
	}
	return fmt.Sprintf("%s; with the threshold at 10 kB mswift has %s with REPS; with OPS and AR, for which marks mean "+
		"nothing, %s and %s; the least of nscc and mnscc is then %s", whyREPS,
		f.early(quarter, "mswift", lb.REPS).words(), f.infl("mswift", lb.OPS).words(), f.infl("mswift", lb.AR).words(),
		least(rivals...).words())
}

// whyRatio is beside the ratio of two controls with REPS.
func (f *fig) whyRatio(a, b string) string {
	return fmt.Sprintf("%s; with the threshold at 10 kB the ratio is %s", whyREPS,
		means(f.early(quarter, a, lb.REPS), f.early(quarter, b, lb.REPS)).words())
}

// whyBehind is beside a control that NSCC or MNSCC beats.
func whyBehind(evidence string) string {
	return fmt.Sprintf("Swift's family adds a packet per round trip, so that a cut of half a window takes 75 round "+
		"trips to undo, and 8 MB last 14; the source does not state the increase: with %d packets %s", increase, evidence)
}

// whyLonger is beside controls whose inflation falls as messages grow.
func (f *fig) whyLonger(controls []string) string {
	var over [][2]sample
	var parts []string
	for _, c := range controls {
		for _, b := range f.over {
			now, four := f.of(f.name, c, b, excess), f.of("fig4", c, b, excess)
			over = append(over, [2]sample{four, now})
			parts = append(parts, fmt.Sprintf("%s/%s %s and %s", c, b, short(now.mean()), short(four.mean())))
		}
	}
	return fmt.Sprintf("the bound doubles with the message, and the time above it grows by less: in us, here and in "+
		"figure 4, %s; it is longer here for %s", strings.Join(parts, ", "), count(Check{}, 0, over).Measured)
}

// excess is the completion time above its bound, us.
func excess(o *Outcome) float64 {
	cct, bound := o.cct()
	return cct - bound
}

// whyHelps is beside MNSCC that still helps.
func (f *fig) whyHelps(b lb.Kind) string {
	return fmt.Sprintf("with one queue for both (figure 4) the ratio is %s",
		means(f.four("mnscc", b), f.four("nscc", b)).words())
}
