package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// explain describes a failure in the result's mismatch, hands the result out, and looks for a short list of events
// that still fails. The error is that of a failure that does not repeat; all else that goes wrong is a note.
func (e *elasticEngine) explain(ctx context.Context, res *report.Result, f *elasticFailure, took time.Duration) error {
	m := res.FirstMismatch
	e.describe(m, f.find)
	if e.after != nil {
		m.AddNote("the run ended after the mismatch: " + e.after.Error())
	}
	e.cfg.found(ctx, res, took)
	err := e.shortened(ctx, m, f)
	if err != nil && !errors.Is(err, ErrNotRepeated) {
		m.AddNote("the mismatch is not explained further: " + err.Error())
		err = nil
	}
	return err
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
	first, err := e.play(ctx, rec.Episode(e.cfg.Block))
	if err != nil {
		return err
	}
	if first.Finding == nil || first.Finding.Kind != f.find.Kind {
		return fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle,
			ErrNotRepeated)
	}
	if e.cfg.WaveDir != "" {
		m.Wave, err = waveOf(ctx, &e.cfg, e.params, f.name, first.Finding.Cycle,
			func(dev *device.Device, file string, from, cycles uint64) error {
				if err := e.restart(dev, f.name); err != nil {
					return err
				}
				if err := dev.Session.Trace(file, from, cycles); err != nil {
					return err
				}
				if _, err := e.playOn(ctx, dev, rec.Episode(e.cfg.Block)); err != nil {
					return err
				}
				return dev.Session.Trace("", 0, 0)
			})
		if err != nil {
			return err
		}
	}
	if e.cfg.NoShrink {
		return nil
	}
	legal, err := schema.NewLegal(e.block, e.params)
	if err != nil {
		return err
	}
	why := e.reasonOf(f.find)
	short, err := shorten(ctx, &e.cfg, e.block, legal, rec, first.Cycles,
		func(ctx context.Context, r *play.Recording) (bool, uint64, error) {
			out, err := e.play(ctx, r.Episode(e.cfg.Block))
			return e.fails(&why, &out, err)
		})
	words := func(it *stim.Item) string { return e.judge.Event(it.Lane, it.Words) }
	e.cfg.shrunk(m, short, rec, err, words)
	return e.cfg.saveCase(m, e.block, e.params, &short.Recording, words)
}

// fails reports whether fewer events fail for the reason for which all of them did. Events that an assertion of the
// reference's RTL refuses, or with which the reference breaks the handshake, show nothing.
func (e *elasticEngine) fails(why *reason, out *elastic.Outcome, err error) (bool, uint64, error) {
	var rtl *client.RTLError
	var broken *elastic.HandshakeError
	if errors.As(err, &rtl) || errors.As(err, &broken) || errors.Is(err, elastic.ErrStopped) {
		return false, out.Cycles, nil
	}
	if err != nil || out.Finding == nil {
		return false, out.Cycles, err
	}
	now := e.reasonOf(out.Finding)
	return why.same(&now), out.Cycles, nil
}

// record plays the failing episode again and keeps the items taken from it by the time it fails.
func (e *elasticEngine) record(ctx context.Context, f *elasticFailure) (*play.Recording, error) {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ep, err := episodeAt(src, f.name, f.index)
	if err != nil {
		return nil, err
	}
	rec := play.NewRecording(ep)
	out, err := e.play(ctx, ep)
	if err != nil {
		return nil, err
	}
	if out.Finding == nil || out.Finding.Kind != f.find.Kind || out.Finding.Cycle != f.find.Cycle {
		return nil, fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle,
			ErrNotRepeated)
	}
	return rec, nil
}

// spared returns the wanted words with the bits that the design does not have taken from what it gave.
func (e *elasticEngine) spared(want, got []uint64) []uint64 {
	w := append([]uint64(nil), want...)
	for k, skip := range e.spec.Skip {
		w[k] = w[k]&^skip | got[k]&skip
	}
	return w
}

// describe fills in what differs and the cycles up to it.
func (e *elasticEngine) describe(m *report.Mismatch, f *elastic.Finding) {
	l := e.judge.Layout()
	if f.Event != nil {
		m.Event = e.judge.Event(f.Lane, f.Event)
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
		m.AddNote(f.Text)
	case elastic.Unstable:
		was, now := record(f.Want), record(e.spared(f.Got, f.Want)) // what is not compared has not changed
		if f.Text == elastic.Withdrawn {
			now = make([]uint64, l.Out.Words)
		}
		changed := e.judge.Diff(was, now)
		if f.Text == elastic.Withdrawn {
			changed = changed[:1] // the fields mean nothing now
		}
		for i := range changed {
			m.Fields = append(m.Fields, fieldOf(&changed[i]))
		}
		broken(m, &e.spec, outs[f.Stream].Name, f.Text, changed, e.cfg.Bind)
	case elastic.Extra:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "0, nothing is owed", Got: "1"}}
	case elastic.Missing:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "1",
			Got: fmt.Sprintf("0 for %d cycles", e.spec.Flush)}}
	case elastic.Stuck:
		m.Fields = []report.Field{{Name: ins[f.Stream].Name + "_ready", Want: "1",
			Got: fmt.Sprintf("0 for %d cycles", e.spec.Patience)}}
	case elastic.Differs:
		want = f.Want
		e.differ(m, f, e.spec.Spare(want, f.Got), f.Got)
	case elastic.RTL:
		m.Fields = []report.Field{{Name: "assertion", Want: "holds", Got: f.Text}}
	}
	m.AddNote(hint(f, &e.spec, e.cfg.Golden != ""))
	for _, c := range f.Window {
		if c.N > f.Cycle || c.N+windowBefore < f.Cycle {
			continue
		}
		row := report.Row{Cycle: c.N, Inputs: named(e.judge.Inputs(c.In)), Want: named(e.judge.Outputs(c.Out)),
			Got: named(e.judge.Outputs(c.Out))}
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

// hint names the key of the binding that may be the cause of such a finding, in place of the design; "" for none.
func hint(f *elastic.Finding, s *elastic.Spec, golden bool) string {
	var hints []string
	if f.Kind == elastic.Missing {
		hints = append(hints, fmt.Sprintf("flush of the binding gives a response %d cycles; raise it when the design may "+
			"take longer", s.Flush))
	}
	if f.Kind == elastic.Wrong || f.Kind == elastic.Extra || f.Kind == elastic.Missing {
		if len(s.Block.StreamsOf(event.In)) > 1 {
			one := "those of one cycle together"
			if golden {
				one = "those of one cycle in the order of the schema's streams"
			}
			hints = append(hints, "expected is what follows from the order in which the design took the events of its several "+
				"streams, "+one+
				"; where an answer depends on more of their timing, match by the field that names the source (order: context) or "+
				"compare with latency: exact")
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
// was withdrawn or changed, as how says; changed is what differs between the cycle before, wanted, and this one.
// bound, if not nil, is where the rule can be relaxed.
func broken(m *report.Mismatch, s *elastic.Spec, stream, how string, changed []score.Difference, bound *bind.Binding) {
	ready := s.Control(stream + "_ready")
	f := report.Field{Name: s.Control(stream + "_valid"), Want: "held until " + ready, Got: how}
	m.Fields = append([]report.Field{f}, m.Fields...)
	var texts []string
	for i := range changed {
		texts = append(texts, fmt.Sprintf("%s from %s to %s", changed[i].Name, changed[i].Want, changed[i].Got))
	}
	m.AddNote("the design breaks the handshake: a response that is valid stays, unchanged, until its ready takes it")
	if len(texts) > 0 {
		m.AddNote(fmt.Sprintf("with %s low it changed %s", ready, strings.Join(texts, ", ")))
	}
	if bound != nil && bound.Latency == bind.Elastic {
		m.AddNote(fmt.Sprintf("a design that does so on purpose has relax: [%s.%s] in its dut.yaml", stream, ruleOf(how)))
	}
}
