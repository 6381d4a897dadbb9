package run

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover/schema"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// modelFollow is the coverage follower of a model that runs at its own pace beside a bound design.
type modelFollow struct {
	*watch.Cover
	e      *answers
	ports  play.Ports
	cycles uint64   // of the model in the episode
	last   []uint64 // input record of the last accepted event; empty for none
	lane   int
	known  bool // a difference was found
	over   bool // the run is over: later cycles do not count
}

func (e *answers) newModelFollow(w *watch.Cover) *modelFollow {
	return &modelFollow{Cover: w, e: e, ports: play.PortsOf(e.judge.Layout())}
}

func (w *modelFollow) Begin(n uint64, ep *stim.Episode) {
	w.Cover.Begin(n, ep)
	w.cycles, w.last = 0, w.last[:0]
}

func (w *modelFollow) observe(in, out []uint64) {
	if w.over {
		return
	}
	w.Cycle(w.cycles, in, out)
	for i := range w.ports.Ins {
		if s := &w.ports.Ins[i]; in[0]&w.ports.RstN != 0 && in[0]&s.Valid != 0 && out[0]&s.Ready != 0 {
			w.last, w.lane = append(w.last[:0], in...), i
		}
	}
	if !w.known && w.C.Differences() > 0 {
		w.known = true
		f, l := w.Finding(), w.e.judge.Layout()
		f.At, f.Place = w.cycles, "in the outputs of the model, whose cycles are counted: it runs at its own pace"
		f.Show(l, in, out, w.C.Difference(), func(stream string, out []uint64) string {
			return w.e.judge.Describe(&l.Out, stream, out)
		})
		if len(w.last) > 0 {
			f.Event = "accepted last: " + w.e.judge.Event(w.lane, w.last)
		}
	}
	w.cycles++
}

// judged turns a result into a mismatch if the coverage follower found a difference in the model's outputs.
func (e *answers) judged(_ context.Context, res *report.Result, _ bool) bool {
	if e.cover == nil {
		return false
	}
	f := e.cover.Finding()
	if f == nil {
		return false
	}
	m := &report.Mismatch{Seed: e.cfg.Seed, Reproduce: e.cfg.repeat(f.Episode), FoundIn: "model"}
	f.Fill(m)
	if err := e.cover.Check(); err != nil {
		m.AddNote("beside it: " + err.Error())
	}
	f.Settle(res, e.cases, m)
	return true
}

// schemaCoverage starts the coverage of a user-defined block: of its inputs and its answers.
func (e *answers) schemaCoverage() error {
	if !e.cfg.Bind.SchemaOnly() {
		return nil
	}
	var err error
	if e.schema, err = schema.New(e.kind.Schema, e.params, !e.given.OwnEvents() && e.cfg.Replay == ""); err != nil {
		return fmt.Errorf("schema %s: %w", e.cfg.Bind.SchemaFile, err)
	}
	e.spec.Took, e.spec.Gave = e.schema.Take, e.schema.Answer
	return nil
}

// checkSchema returns an error if an event was counted that the constraints of the schema exclude.
func (e *answers) checkSchema() error {
	if e.schema == nil {
		return nil
	}
	if r, _, _ := e.schema.Report(); len(r.Impossible) > 0 {
		return fmt.Errorf("coverage: bin %s was hit, and the constraints of schema %s rule it out", r.Impossible[0],
			e.cfg.Bind.SchemaFile)
	}
	return nil
}

// maskedBits adds the bits that the masks of the schema hid in an episode.
func (e *answers) maskedBits(counts []event.MaskCount) {
	for i, c := range counts {
		if i == len(e.masked) {
			e.masked = append(e.masked, report.Masked{Name: c.Name})
		}
		e.masked[i].Hidden += c.Hidden
		e.masked[i].Bits += c.Total
	}
}

// allMasked returns the error for a field that was never compared because its mask hid all of it.
func (e *answers) allMasked() error {
	if e.cfg.Replay != "" || e.cfg.Episode != "" {
		return nil // few events: the report shows that a mask hid all of a field
	}
	for _, m := range e.masked {
		if m.Bits > 0 && m.Hidden == m.Bits {
			return fmt.Errorf("field %s: its mask hid all %d bits of it, so nothing of it was compared; check the mask in the "+
				"schema, play more events, or map the field to none", m.Name, m.Bits)
		}
	}
	return nil
}
