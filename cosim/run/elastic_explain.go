package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// explain turns a failure into a report: it repeats the episode alone, looks for a short list of events that
// still fails, and shows what differs.
func (e *elasticEngine) explain(ctx context.Context, f *elasticFailure) (*report.Mismatch, error) {
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.find.Cycle, Reproduce: e.cfg.repeat(f.name)}
	m.Expected, _ = e.cfg.referenceName()
	e.describe(m, f.find)
	err := e.shortened(ctx, m, f)
	var ref *errReference
	if errors.As(err, &ref) && ctx.Err() == nil {
		// The mismatch stands, whatever became of the program behind it.
		m.Note = strings.TrimPrefix(m.Note+"; ", "; ") + "the search for the shortest events that fail ended early: " + ref.Error()
		err = nil
	}
	return m, err
}

// shortened repeats a failure, dumps its waves and looks for a short list of events that still fails.
func (e *elasticEngine) shortened(ctx context.Context, m *report.Mismatch, f *elasticFailure) error {
	if e.cfg.Expect != "" {
		return e.fileWave(ctx, m, f)
	}
	rec, err := e.record(ctx, f)
	if err != nil {
		return err
	}
	first, err := e.play(ctx, rec.episode(e.cfg.Block))
	if err != nil {
		return err
	}
	if first.Finding == nil || first.Finding.Kind != f.find.Kind {
		return fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle, ErrNotRepeated)
	}
	if e.cfg.WaveDir != "" {
		m.Wave, err = waveOf(ctx, &e.cfg, e.params, f.name, first.Finding.Cycle, func(dev *device, file string, from, cycles uint64) error {
			if err := e.restart(dev, f.name); err != nil {
				return err
			}
			if err := dev.session.Trace(file, from, cycles); err != nil {
				return err
			}
			if _, err := e.playOn(ctx, dev, rec.episode(e.cfg.Block)); err != nil {
				return err
			}
			return dev.session.Trace("", 0, 0)
		})
		if err != nil {
			return err
		}
	}
	if e.cfg.NoShrink {
		return nil
	}
	short, err := shorten(ctx, &e.cfg, e.block, rec, first.Cycles, func(r *recording) (bool, uint64, error) {
		out, err := e.play(ctx, r.episode(e.cfg.Block))
		return fails(f.find.Kind, &out, err)
	})
	var ref *errReference
	if err != nil && len(short.items) == len(rec.items) && !errors.As(err, &ref) {
		return err // it had not got anywhere
	}
	m.ShrunkTo = len(short.items)
	for i := range short.items {
		m.Shrunk = append(m.Shrunk, itemWords(e.block, e.judge, short.items[i].Lane, short.items[i].Words))
	}
	if err == nil {
		err = e.cfg.saveCase(m, e.block, e.params, short, m.Shrunk)
	}
	return err
}

// alike reports whether two findings may have one cause. A response that is lost or comes twice shows as a wrong one
// when others follow, and as one too few or too many when none does: the shortest case is mostly the latter.
func alike(a, b elastic.Kind) bool {
	of := func(k elastic.Kind) elastic.Kind {
		if k == elastic.Extra || k == elastic.Missing {
			return elastic.Wrong
		}
		return k
	}
	return of(a) == of(b)
}

// fails reports whether fewer events fail as all of them did. Events of which the RTL of the reference says that
// they must not be are none that show anything.
func fails(kind elastic.Kind, out *elastic.Outcome, err error) (bool, uint64, error) {
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		return false, out.Cycles, nil
	}
	return err == nil && out.Finding != nil && alike(out.Finding.Kind, kind), out.Cycles, err
}

// record plays the failing episode again and keeps the items taken from it by the time it fails.
func (e *elasticEngine) record(ctx context.Context, f *elasticFailure) (*recording, error) {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ep, err := episodeAt(src, f.name, f.index)
	if err != nil {
		return nil, err
	}
	rec := newRecording(ep)
	out, err := e.play(ctx, ep)
	if err != nil {
		return nil, err
	}
	if out.Finding == nil || out.Finding.Kind != f.find.Kind || out.Finding.Cycle != f.find.Cycle {
		return nil, fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle, ErrNotRepeated)
	}
	return rec, nil
}

// describe fills in what differs and the cycles up to it.
func (e *elasticEngine) describe(m *report.Mismatch, f *elastic.Finding) {
	l := e.judge.Layout()
	if f.Event != nil {
		m.Event = itemWords(e.block, e.judge, f.Lane, f.Event)
	}
	ins, outs := e.block.StreamsOf(event.In), e.block.StreamsOf(event.Out)
	record := func(words []uint64) []uint64 {
		r := make([]uint64, l.Out.Words)
		copy(r, words)
		r[0] |= l.Out.Control(outs[f.Stream].Name + "_valid")
		return r
	}
	var want []uint64 // output record of the failing cycle as it should be
	switch f.Kind {
	case elastic.Wrong:
		want = e.spec.Spare(record(f.Want), f.Got)
		e.differ(m, f, want, record(f.Got))
		m.Note = f.Text
	case elastic.Unstable:
		broken(m, &e.spec, outs[f.Stream].Name, f.Text)
	case elastic.Extra:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "0, nothing is owed", Got: "1"}}
	case elastic.Missing:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "1", Got: fmt.Sprintf("0 for %d cycles", e.spec.Flush)}}
	case elastic.Stuck:
		m.Fields = []report.Field{{Name: ins[f.Stream].Name + "_ready", Want: "1", Got: fmt.Sprintf("0 for %d cycles", e.spec.Patience)}}
	case elastic.Differs:
		want = f.Want
		e.differ(m, f, e.spec.Spare(want, f.Got), f.Got)
	case elastic.RTL:
		m.Fields = []report.Field{{Name: "assertion", Want: "holds", Got: f.Text}}
	}
	if h := hint(f, &e.spec, e.cfg.Golden != ""); h != "" {
		m.Note = strings.TrimPrefix(m.Note+"; ", "; ") + h
	}
	for _, c := range f.Window {
		if c.N > f.Cycle || c.N+windowBefore < f.Cycle {
			continue
		}
		row := report.Row{Cycle: c.N, Inputs: named(e.judge.Inputs(c.In)), Want: named(e.judge.Outputs(c.Out)), Got: named(e.judge.Outputs(c.Out))}
		if c.N == f.Cycle && want != nil {
			w := append([]uint64(nil), c.Out...)
			if f.Kind == elastic.Differs {
				copy(w, want)
			}
			for k, mask := range l.Out.StreamMask(outs[f.Stream].Name) {
				w[k] = w[k]&^mask | want[k]&mask
			}
			row.Want, row.Differ = named(e.judge.Outputs(w)), true
		}
		m.Window = append(m.Window, row)
	}
}

// hint says what in the binding, and not in the design, makes such a finding; "" for nothing.
func hint(f *elastic.Finding, s *elastic.Spec, golden bool) string {
	var hints []string
	if f.Kind == elastic.Missing {
		hints = append(hints, fmt.Sprintf("flush of the binding gives a response %d cycles; raise it when the design may take longer", s.Flush))
	}
	if f.Kind == elastic.Wrong || f.Kind == elastic.Extra || f.Kind == elastic.Missing {
		if len(s.Block.StreamsOf(event.In)) > 1 {
			one := "those of one cycle together"
			if golden {
				one = "those of one cycle in the order of the schema's streams"
			}
			hints = append(hints, "expected is what follows from the order in which the design took the events of its several streams, "+one+
				"; where an answer hangs on more of their timing, compare with latency: exact")
		}
	}
	return strings.Join(hints, "; ")
}

// differ fills in the fields in which two output records differ.
func (e *elasticEngine) differ(m *report.Mismatch, f *elastic.Finding, want, got []uint64) {
	diff := e.judge.Diff(want, got)
	for i := range diff {
		m.Fields = append(m.Fields, fieldOf(&diff[i]))
	}
	place(m, e.block, f.Frames, diff, want)
}

// broken labels a mismatch as a break of the handshake: an output stream's response that waited for its ready
// was withdrawn or changed, as how says.
func broken(m *report.Mismatch, s *elastic.Spec, stream, how string) {
	f := report.Field{Name: s.Control(stream + "_valid"), Want: "held until " + s.Control(stream+"_ready"), Got: how}
	m.Fields = append([]report.Field{f}, m.Fields...)
	m.Note = "the design breaks the handshake: a response that is valid stays, unchanged, until its ready takes it"
}
