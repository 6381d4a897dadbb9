package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

// maxFlows bounds memory against a damaged flow column; a trace of a million
// senders is far beyond what the recorder can run.
const maxFlows = 1 << 20

type flow struct {
	last int64
	i    htsim.IntState
	r    htsim.RealState
}

// Replay runs every row of the trace in r through the model and returns what
// differed. Each flow starts as the recorder creates a sender and is then driven
// by the inputs alone: recorded outputs are compared, never loaded.
//
// The error is Config.Validate's, ctx's, or wraps ErrTrace with the line and
// column that cannot be read. Mismatches are not errors; see Report.Pass. The report is nil beside an error, unless the
// rows before it do not pass.
func Replay(ctx context.Context, r io.Reader, cfg Config) (*Report, error) {
	p, err := cfg.params()
	if err != nil {
		return nil, err
	}
	if cfg.RealTolerance == 0 {
		cfg.RealTolerance = DefaultRealTolerance
	}
	text, done, err := decompress(r)
	if err != nil {
		return nil, err
	}
	defer done()
	tr, err := newReader(text)
	if err != nil {
		return nil, err
	}

	rep := newReport(cfg)
	flows := map[int64]*flow{}
	err = rep.rows(ctx, tr, &p, flows)
	rep.finish(len(flows))
	if err != nil && rep.Pass {
		return nil, err
	}
	return rep, err
}

// rows replays every row of a trace.
func (rep *Report) rows(ctx context.Context, tr *reader, p *htsim.Params, flows map[int64]*flow) error {
	newInt, newReal := htsim.NewIntState(p), htsim.NewRealState(p)
	var w row
	for {
		if rep.Rows%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("replay stopped after %d rows: %w", rep.Rows, err)
			}
		}
		if err := tr.read(&w); errors.Is(err, io.EOF) && !errors.Is(err, ErrTrace) {
			break
		} else if err != nil {
			return err
		}
		f := flows[w.flow]
		if f == nil {
			if len(flows) == maxFlows {
				return tr.bad(fmt.Errorf("more than %d flows", maxFlows))
			}
			f = &flow{i: *newInt, r: *newReal}
			flows[w.flow] = f
		}
		if w.event.Time < f.last {
			return tr.bad(fmt.Errorf("column time_ps: %d is before %d, the flow's last row; rows must be in order "+
				"of time", w.event.Time, f.last))
		}
		f.last = w.event.Time
		rep.Rows++
		w.row = rep.Rows
		rep.actions[w.action]++

		oi := f.i.Step(p, &w.event)
		rep.integer(&w, &oi)
		or := f.r.Step(p, &w.event)
		rep.real(&w, &or)
	}
	if rep.Rows == 0 {
		return fmt.Errorf("%w: a header but no rows", ErrTrace)
	}
	return nil
}

// integer compares exactly.
func (rep *Report) integer(w *row, o *htsim.Outcome[int64]) {
	m := &rep.Integer
	if o.Action != w.action {
		m.action(w, o.Action)
	}
	got := outputs(o)
	for i, want := range w.want {
		if got[i] != want {
			m.value(w, i, float64(got[i]), relErr(float64(got[i]), float64(want)), true)
		}
	}
}

// real counts a value as different once it is a whole unit off, and keeps the
// relative error of all.
func (rep *Report) real(w *row, o *htsim.Outcome[float64]) {
	m := &rep.Real
	if o.Action != w.action {
		m.action(w, o.Action)
	}
	got := outputs(o)
	for i, want := range w.want {
		d := math.Abs(got[i] - float64(want))
		if d != 0 {
			m.value(w, i, got[i], relErr(got[i], float64(want)), d >= 1)
		}
	}
}

// relErr takes want as at least one unit, so that a recorded 0 has an error.
func relErr(got, want float64) float64 {
	return math.Abs(got-want) / max(math.Abs(want), 1)
}
