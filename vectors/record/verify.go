package record

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// Mismatch is a record that the model answers differently.
type Mismatch struct {
	Record  uint64
	Episode string
	Fields  []format.Difference
}

// Verify replays a file against a model and calls report for every record that the model answers differently, until
// report returns false. It returns how many there were. It errors when the file is damaged or the model stays silent.
func Verify(ctx context.Context, r *format.Reader, model event.Model, report func(Mismatch) bool) (uint64, error) {
	v := &verifier{ctx: ctx, r: r, model: model, report: report, compare: format.NewComparer(r.Block())}
	l := r.Layout()
	v.in, v.got = make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	model.Reset()
	var err error
	if r.Header().Per == format.PerCycle {
		err = v.perCycle()
	} else {
		err = v.perTransaction()
	}
	if err == errStop {
		err = nil
	}
	return v.bad, err
}

// errStop ends a replay because report had enough.
var errStop = fmt.Errorf("stop")

type verifier struct {
	ctx     context.Context
	r       *format.Reader
	model   event.Model
	report  func(Mismatch) bool
	compare *format.Comparer
	in, got []uint64
	bad     uint64
	cycles  uint64
}

func (v *verifier) mismatch(record uint64, episode string, fields []format.Difference) error {
	v.bad++
	if !v.report(Mismatch{record, episode, fields}) {
		return errStop
	}
	return nil
}

func (v *verifier) cycle(in []uint64) error {
	if v.cycles++; v.cycles%checkEvery == 0 && v.ctx.Err() != nil {
		return context.Cause(v.ctx)
	}
	v.model.Cycle(in, v.got)
	return nil
}

func (v *verifier) perCycle() error {
	episode := ""
	for rec, err := range v.r.All() {
		if err != nil {
			return err
		}
		if rec.Mark != nil {
			episode = rec.Mark.Name
		}
		if err := v.cycle(rec.In); err != nil {
			return err
		}
		if !v.compare.Equal(rec.Out, v.got) {
			if err := v.mismatch(rec.Number, episode, v.compare.Diff(rec.Out, v.got)); err != nil {
				return err
			}
		}
	}
	return nil
}

// silence is how many cycles a model may do nothing; a sweep of its largest table is shorter.
const silence = 1 << 24

// output is one output stream of a replay per transaction: what is wanted and not seen yet, or the other
// way round. At most one of the queues has something.
type output struct {
	port    *event.Port
	want    queue
	got     queue
	records []wanted // of want, same order
	head    int
}

// wanted is the place of a wanted output in the file.
type wanted struct {
	record  uint64
	episode string
}

func (v *verifier) perTransaction() error {
	l := v.r.Layout()
	ins, ready, rstN := l.Inputs(), l.Readies(), l.Reset()
	var outs []*output
	for i := range l.Outputs() {
		outs = append(outs, &output{port: &l.Outputs()[i]})
	}
	idle := make([]uint64, len(v.in))
	idle[0] = rstN | ready
	quiet, episode := 0, ""
	at := uint64(0)
	// step plays one cycle with these inputs and takes what comes out.
	step := func(in []uint64) error {
		if err := v.cycle(in); err != nil {
			return err
		}
		quiet++
		for _, o := range outs {
			if !o.port.Offered(v.got) || in[0]&rstN == 0 {
				continue
			}
			quiet = 0
			o.got.push(v.got)
			if err := v.settle(o); err != nil {
				return err
			}
		}
		if quiet > silence {
			return fmt.Errorf("record %d: the model neither takes nor gives anything for %d cycles", at, quiet)
		}
		return nil
	}
	drain := func() error {
		for _, o := range outs {
			for o.want.len() > 0 {
				if err := step(idle); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for rec, err := range v.r.All() {
		if err != nil {
			return err
		}
		at = rec.Number
		if rec.Mark != nil {
			episode = rec.Mark.Name
		}
		if rec.In[0]&rstN == 0 {
			if err := drain(); err != nil {
				return err
			}
			clear(v.in)
			for range 2 {
				if err := step(v.in); err != nil {
					return err
				}
			}
		}
		for _, o := range outs {
			if o.port.Offered(rec.Out) {
				o.want.push(rec.Out)
				o.records = append(o.records, wanted{rec.Number, episode})
				if err := v.settle(o); err != nil {
					return err
				}
			}
		}
		copy(v.in, rec.In)
		v.in[0] |= rstN | ready
		for left := true; left; {
			left = false
			offered := v.in[0]
			if err := step(v.in); err != nil {
				return err
			}
			for i := range ins {
				t := &ins[i]
				if offered&t.Valid == 0 {
					continue
				}
				if t.Taken(v.got) {
					v.in[0] &^= t.Valid
					quiet = 0
				} else {
					left = true
				}
			}
		}
	}
	if err := drain(); err != nil {
		return err
	}
	for _, o := range outs {
		if n := o.got.len(); n > 0 {
			d := format.Difference{Name: o.port.Name + "_valid", Want: "no more", Got: fmt.Sprintf("%d more", n)}
			if err := v.mismatch(at, episode, []format.Difference{d}); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle compares while both sides of a stream have something.
func (v *verifier) settle(o *output) error {
	for o.want.len() > 0 && o.got.len() > 0 {
		want, got := o.want.pop(), o.got.pop()
		at := o.records[o.head]
		if o.head++; o.head == len(o.records) {
			o.records, o.head = o.records[:0], 0
		} else if o.head > 4096 {
			o.records = append(o.records[:0], o.records[o.head:]...)
			o.head = 0
		}
		if v.compare.EqualStream(o.port.Name, want, got) {
			continue
		}
		if err := v.mismatch(at.record, at.episode, v.compare.DiffStream(o.port.Name, want, got)); err != nil {
			return err
		}
	}
	return nil
}
