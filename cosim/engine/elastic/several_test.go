package elastic

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// several is a block with two outputs: an answer and a log line per event.
func several(t *testing.T) *event.Block {
	b, err := event.Parse([]byte(`
block: several
title: a number and one, and a log
doc: the answer to x is x + 1, and x goes to the log
params: [{name: Depth, doc: of its queue, default: 4, min: 1, max: 64}]
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: answers, fields: [{name: y, width: 80, doc: answer}]}
  - {name: log, dir: out, doc: log, fields: [{name: l, width: 70, doc: line}]}
`))
	require.NoError(t, err)
	return b
}

// logger answers each event on both outputs. What is wrong with it is up to the test.
type logger struct {
	late             int  // cycles to an answer
	full             int  // answers that it holds before it is not ready; 0: any number
	loses            bool // an answer is lost when it is stalled
	chatty           int  // the log is valid in one of so many cycles, 0: as events demand
	loseRsp, loseLog int  // number of the answer that is lost
	edit             func(l *logger, out []uint64)
	before           func(in []uint64)
	after            func(in, out []uint64)
	atEnd            error // of the last clock edge

	l         *event.Layout
	cycle     int
	taken     int
	stalled   [2]int // cycles, by output
	rsp, log  []line
	resetting int // cycles in reset
	lows      []int
}

type line struct {
	due int
	v   uint64
}

func newLogger(t *testing.T) *logger { return &logger{l: event.NewLayout(several(t)), late: 1} }

func (d *logger) Restart(uint32) error {
	d.cycle, d.taken, d.stalled, d.rsp, d.log, d.resetting, d.lows = 0, 0, [2]int{}, nil, nil, 0, nil
	return nil
}

func (d *logger) one(in, out []uint64) {
	clear(out)
	d.cycle++
	if d.before != nil {
		d.before(in)
	}
	if in[0]&d.l.In.Control("rst_n") == 0 {
		d.rsp, d.log = nil, nil
		d.resetting++
		return
	}
	if d.resetting > 0 {
		d.lows = append(d.lows, d.resetting)
		d.resetting = 0
	}
	show := func(k int, q *[]line, valid, ready string, slot *event.Slot) {
		if len(*q) == 0 || (*q)[0].due > d.cycle {
			return
		}
		out[0] |= d.l.Out.Control(valid)
		slot.Set(out, (*q)[0].v)
		switch {
		case in[0]&d.l.In.Control(ready) != 0:
			*q = (*q)[1:]
		case d.loses:
			*q, d.stalled[k] = (*q)[1:], d.stalled[k]+1
		default:
			d.stalled[k]++
		}
	}
	show(0, &d.rsp, "rsp_valid", "rsp_ready", d.l.Out.Slot("rsp", "y"))
	show(1, &d.log, "log_valid", "log_ready", d.l.Out.Slot("log", "l"))
	if d.chatty > 0 && d.cycle%d.chatty == 0 {
		out[0] |= d.l.Out.Control("log_valid")
	}
	if d.full == 0 || len(d.rsp) < d.full && len(d.log) < d.full {
		out[0] |= d.l.Out.Control("ev_ready")
		if in[0]&d.l.In.Control("ev_valid") != 0 {
			d.taken++
			x := d.l.In.Slot("ev", "x").Get(in)
			if d.taken != d.loseRsp {
				d.rsp = append(d.rsp, line{d.cycle + d.late, x + 1})
			}
			if d.chatty == 0 && d.taken != d.loseLog {
				d.log = append(d.log, line{d.cycle + d.late, x})
			}
		}
	}
	if d.edit != nil {
		d.edit(d, out)
	}
	if d.after != nil {
		d.after(in, out)
	}
}

func (d *logger) Step(in, out []uint64) error {
	iw, ow := d.l.In.Words, d.l.Out.Words
	for i := range len(in) / iw {
		d.one(in[i*iw:(i+1)*iw], out[i*ow:(i+1)*ow])
	}
	return nil
}

func (d *logger) StepUntil(in, out []uint64, watch uint64) (int, error) {
	iw, ow := d.l.In.Words, d.l.Out.Words
	for i := range len(out) / ow {
		k := min(i, len(in)/iw-1)
		o := out[i*ow : (i+1)*ow]
		if d.one(in[k*iw:(k+1)*iw], o); o[0]&watch != 0 {
			return i + 1, nil
		}
	}
	return len(out) / ow, nil
}

func (d *logger) End() error { return d.atEnd }

// numbers is an episode of n events.
func numbers(t *testing.T, name string, n int, drive stim.DriveSpec) *stim.Episode {
	l := event.NewLayout(several(t))
	items := make([]stim.Item, n)
	for i := range items {
		items[i].Words = make([]uint64, l.In.Words)
		l.In.Slot("ev", "x").Set(items[i].Words, uint64(i*37%256))
	}
	if drive.Resets == nil {
		drive.Resets = []stim.Reset{{Low: 2}}
	}
	return stim.Recorded(name, "several", 1, drive, items)
}

func severalSpec(t *testing.T) Spec {
	s := DefaultSpec(several(t))
	s.Flush, s.Patience = 64, 3000
	return s
}

// against plays an episode on a device against another one.
func against(t *testing.T, dev, ref *logger, ep *stim.Episode, s Spec) (Outcome, error) {
	t.Helper()
	require.NoError(t, dev.Restart(1))
	p := NewPeer(t.Context(), ref, s)
	require.NoError(t, p.Restart(1))
	return Play(t.Context(), dev, p, ep, s)
}

// An output without ready is kept open, and the others are stalled all the same.
func TestStallByOutput(t *testing.T) {
	drive := stim.DriveSpec{Stall: stim.Density(100), StallMore: []stim.Gate{stim.Density(100)}}
	for open, want := range map[int][]bool{-1: {true, true}, 0: {false, true}, 1: {true, false}} {
		s := severalSpec(t)
		if open >= 0 {
			s.NoStall = make([]bool, 2)
			s.NoStall[open] = true
		}
		d := newLogger(t)
		out, err := against(t, d, newLogger(t), numbers(t, "test/0", 200, drive), s)
		require.NoError(t, err)
		require.Nil(t, out.Finding)
		require.Equal(t, uint64(400), out.Responses)
		require.Equal(t, want, []bool{d.stalled[0] > 0, d.stalled[1] > 0}, "%d", open)
		d.loses = true
		out, err = against(t, d, newLogger(t), numbers(t, "test/0", 200, drive), s)
		require.NoError(t, err)
		require.NotNil(t, out.Finding)
		if open >= 0 {
			require.Equal(t, 1-open, out.Finding.Stream)
		}
		require.True(t, slices.Contains([]Kind{Wrong, Missing, Unstable}, out.Finding.Kind))
		x, err := PlayExact(t.Context(), d, newLogger(t), numbers(t, "test/0", 200, drive), s)
		require.NoError(t, err)
		require.Contains(t, []Kind{Differs, Unstable}, x.Finding.Kind)
	}
	one := stim.DriveSpec{Stall: stim.Density(100)}
	s := severalSpec(t)
	s.NoStall = []bool{false, true}
	ep := numbers(t, "test/0", 1, one)
	require.Equal(t, one.Stall, s.Calm(ep).Drive.Stall, "no gate to open")
	s.NoStall = []bool{true, false}
	require.Equal(t, stim.Gate{}, s.Calm(ep).Drive.Stall)
	require.Equal(t, one.Stall, ep.Drive.Stall, "the episode is the caller's")
}
