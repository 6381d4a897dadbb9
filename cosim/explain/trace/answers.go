package trace

import (
	"errors"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/explain/wave"
	"github.com/goldwire/goldwire/vectors/event"
)

// Answers plays an episode as in a run that compares answers. First restart restarts both sides. Then play plays the
// episode on the device that it is given, and passes its verdicts to judged; it may restart again. Expected values are
// known where an answer was compared or, in a run that compares cycles, in every cycle. The state is not known: our
// model keeps its own time, and other references show none. Words describes a kind of finding.
func Answers(dev *client.Session, l *event.Layout, w Window, restart func() error,
	play func(dev elastic.Device, judged func(elastic.Verdict), restart func() error) (elastic.Outcome, error),
	words func(elastic.Kind) string, to *wave.Wave) error {
	d := &dumped{Session: dev, w: w, inWords: l.In.Words, outWords: l.Out.Words}
	begin := func() error {
		d.n, d.seen, d.judged = 0, nil, map[uint64]*elastic.Verdict{}
		if err := restart(); err != nil {
			return err
		}
		return dev.Trace(w.Dump, w.From, w.Cycles)
	}
	if err := begin(); err != nil {
		return err
	}
	out, err := play(d, d.judge, begin)
	if err != nil {
		return err
	}
	f := out.Finding
	if f == nil || f.Kind != elastic.RTL {
		if err := d.idle(l.Reset() | l.Readies()); err != nil {
			return err
		}
	}
	if err := dev.Trace("", 0, 0); err != nil {
		return err
	}
	if f != nil {
		text := words(f.Kind)
		if f.Text != "" {
			text += ": " + f.Text
		}
		to.Failed(f.Cycle, text)
	}
	for i := range d.seen {
		c := &d.seen[i]
		if v := d.judged[c.N]; v != nil {
			c.Want, c.Known, c.Compared, c.Excused = v.Want, v.Compared, v.Compared, v.Excused
		}
		to.Cycle(c)
	}
	return nil
}

// dumped is a design with its cycles in a window, and what was compared in them. In the window it is stepped one cycle
// at a time, so that the cycles before an error of the RTL are known.
type dumped struct {
	*client.Session
	w                 Window
	inWords, outWords int
	n                 uint64 // cycles run
	seen              []wave.Cycle
	judged            map[uint64]*elastic.Verdict
}

func (d *dumped) Restart(seed uint32) error {
	d.n, d.seen = 0, nil
	return d.Session.Restart(seed)
}

// judge keeps a comparison, and merges it with others of the same cycle.
func (d *dumped) judge(v elastic.Verdict) {
	was := d.judged[v.Cycle]
	if was == nil {
		d.judged[v.Cycle] = &v
		return
	}
	for k := range v.Want {
		was.Want[k] = was.Want[k]&^v.Compared[k] | v.Want[k]
		was.Compared[k] |= v.Compared[k]
	}
	was.Excused = was.Excused && v.Excused
}

// meets reports whether cycles from now on are in the window.
func (d *dumped) meets(cycles int) bool {
	return d.n < d.w.From+d.w.Cycles && d.n+uint64(cycles) > d.w.From
}

func (d *dumped) Step(in, out []uint64) error {
	n := len(in) / d.inWords
	if !d.meets(n) {
		d.n += uint64(n)
		return d.Session.Step(in, out)
	}
	for i := range n {
		if err := d.one(in[i*d.inWords:(i+1)*d.inWords], out[i*d.outWords:(i+1)*d.outWords]); err != nil {
			return err
		}
	}
	return nil
}

// StepUntil runs cycles up to one that shows a bit of watch.
func (d *dumped) StepUntil(in, out []uint64, watch uint64) (int, error) {
	most, given := min(len(out)/d.outWords, 1024), len(in)/d.inWords
	if !d.meets(most) {
		n, err := d.Session.StepUntil(in, out, watch)
		d.n += uint64(n)
		return n, err
	}
	for i := range most {
		k := min(i, given-1)
		rec := out[i*d.outWords : (i+1)*d.outWords]
		if err := d.one(in[k*d.inWords:(k+1)*d.inWords], rec); err != nil {
			return 0, err
		}
		if rec[0]&watch != 0 {
			return i + 1, nil
		}
	}
	return most, nil
}

func (d *dumped) one(in, out []uint64) error {
	c := wave.Cycle{N: d.n, In: slices.Clone(in)}
	err := d.Session.Step(in, out)
	var rtl *client.RTLError
	if err == nil {
		c.Got = slices.Clone(out)
	} else if !errors.As(err, &rtl) {
		return err
	}
	if d.w.in(d.n) {
		d.seen = append(d.seen, c)
	}
	d.n++
	return err
}

// idle runs the rest of the window without offering an event, to show what follows the cycle of the finding.
func (d *dumped) idle(word uint64) error {
	in, out := make([]uint64, d.inWords), make([]uint64, d.outWords)
	in[0] = word
	for end := min(d.w.From+d.w.Cycles, d.n+after); d.n < end; {
		err := d.one(in, out)
		var rtl *client.RTLError
		if errors.As(err, &rtl) {
			return nil // the finding is known already
		}
		if err != nil {
			return err
		}
	}
	return nil
}
