package elastic

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A response that is lost before a reset is found where the reset waits, and what is under way is lost where it
// does not.
func TestResetWaits(t *testing.T) {
	s := severalSpec(t)
	waited, found := 0, 0
	for i := range 16 {
		name := fmt.Sprintf("test/%d", i)
		ep := func(delay int) *stim.Episode {
			return numbers(t, name, 200, stim.DriveSpec{Resets: []stim.Reset{{Low: 2}, {After: 100, Delay: delay, Low: 3}}})
		}
		d, ref := newLogger(t), newLogger(t)
		d.late = 20
		out, err := against(t, d, ref, ep(0), s)
		require.NoError(t, err)
		require.Nil(t, out.Finding)
		require.Equal(t, uint64(200), out.Events)
		require.Len(t, d.lows, 2)
		if out.Responses == 400 {
			waited++
		}
		again, err := against(t, d, ref, ep(0), s)
		require.NoError(t, err)
		require.Equal(t, out, again)

		d.loseRsp = 100
		out, err = against(t, d, ref, ep(0), s)
		require.NoError(t, err)
		if out.Finding != nil {
			found++
			require.Equal(t, Missing, out.Finding.Kind)
			require.EqualValues(t, 99*37%256, d.l.In.Slot("ev", "x").Get(out.Finding.Event))
		}
		// Long enough before the reset: no draw.
		out, err = against(t, d, ref, ep(200), s)
		require.NoError(t, err)
		require.NotNil(t, out.Finding)
		require.Equal(t, Missing, out.Finding.Kind)
	}
	require.Equal(t, waited, found)
	require.Greater(t, waited, 2)
	require.Less(t, waited, 14)
}

// crossing echoes two streams; b is seldom ready. It notes an event that is withdrawn.
type crossing struct {
	l         *event.Layout
	cycle     int
	q         [2][]uint64
	held      bool // b is offered and not taken
	withdrawn bool
	low       bool
	offered   bool // b was offered when a reset came
	resets    int
}

func (d *crossing) one(in, out []uint64) {
	clear(out)
	d.cycle++
	valid := in[0]&d.l.In.Control("b_valid") != 0
	if in[0]&d.l.In.Control("rst_n") == 0 {
		if d.offered = d.offered || d.held; !d.low {
			d.resets++
		}
		d.low = true
		d.q, d.held = [2][]uint64{}, false
		return
	}
	d.low, d.withdrawn = false, d.withdrawn || d.held && !valid
	for k, name := range []string{"a", "b"} {
		if len(d.q[k]) > 0 {
			out[0] |= d.l.Out.Control(name + "r_valid")
			d.l.Out.Slot(name+"r", "y").Set(out, d.q[k][0])
			if in[0]&d.l.In.Control(name+"r_ready") != 0 {
				d.q[k] = d.q[k][1:]
			}
		}
		if name == "b" && d.cycle%30 != 0 {
			continue
		}
		out[0] |= d.l.Out.Control(name + "_ready")
		if in[0]&d.l.In.Control(name+"_valid") != 0 {
			d.q[k] = append(d.q[k], d.l.In.Slot(name, "x").Get(in))
		}
	}
	d.held = valid && out[0]&d.l.Out.Control("b_ready") == 0
}

func (d *crossing) Restart(uint32) error { *d = crossing{l: d.l}; return nil }
func (d *crossing) Step(in, out []uint64) error {
	for i := range in {
		d.one(in[i:i+1], out[i:i+1])
	}
	return nil
}
func (d *crossing) StepUntil(in, out []uint64, watch uint64) (int, error) {
	for i := range out {
		k := min(i, len(in)-1)
		if d.one(in[k:k+1], out[i:i+1]); out[i]&watch != 0 {
			return i + 1, nil
		}
	}
	return len(out), nil
}

func (*crossing) End() error { return nil }

// An event that is offered when a reset waits stays offered and is taken once.
func TestResetWaitsWithOffer(t *testing.T) {
	b, err := event.Parse([]byte(`
block: crossing
title: two echoes
doc: each of its own
streams:
  - {name: a, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: b, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: ar, dir: out, doc: answers, fields: [{name: y, width: 8, doc: answer}]}
  - {name: br, dir: out, doc: answers, fields: [{name: y, width: 8, doc: answer}]}
`))
	require.NoError(t, err)
	l := event.NewLayout(b)
	s := DefaultSpec(b)
	s.Flush, s.Patience = 64, 31 // b refuses 29 cycles at most, before a reset and behind it again
	waited := 0
	for i := range 32 {
		delay := i % 2 * i // in which b, offered before, is taken, or with the reset drawn
		items := make([]stim.Item, 60)
		for k := range items {
			lane := k % 2
			items[k] = stim.Item{Lane: lane, Words: make([]uint64, l.In.Words)}
			l.In.Slot([]string{"a", "b"}[lane], "x").Set(items[k].Words, uint64(k))
		}
		ep := stim.Recorded(fmt.Sprintf("test/%d", i), "crossing", 1,
			stim.DriveSpec{Resets: []stim.Reset{{Low: 2}, {After: 31, Delay: delay, Low: 1}}}, items)
		d, ref := &crossing{l: l}, &crossing{l: l}
		out, err := Play(t.Context(), d, NewPeer(t.Context(), ref, s), ep, s)
		require.NoError(t, err)
		require.Nil(t, out.Finding)
		require.Equal(t, uint64(60), out.Events)
		require.False(t, d.withdrawn)
		require.Equal(t, 2, d.resets)
		if delay == 0 && !d.offered {
			waited++
			require.Equal(t, uint64(60), out.Responses)
		}
	}
	require.Greater(t, waited, 2)
	require.Less(t, waited, 14)
}

// A device that never falls silent is told as that, whoever it is.
func TestEndless(t *testing.T) {
	s := severalSpec(t)
	s.Port = func(control string) string { return "p_" + control }
	s.RefPort = s.Port
	ep := func() *stim.Episode { return numbers(t, "test/0", 20, stim.DriveSpec{}) }
	endless := func(err error) {
		t.Helper()
		require.ErrorIs(t, err, ErrEndless)
		require.ErrorContains(t, err, "log_valid (p_log_valid)")
	}
	for _, every := range []int{1, 40} {
		d, ref := newLogger(t), newLogger(t)
		d.chatty, ref.chatty = every, every
		require.NoError(t, d.Restart(1))
		_, err := Play(t.Context(), d, &echo{l: d.l}, ep(), s)
		endless(err)
		if every > 1 {
			continue // the others count in the same way
		}
		_, err = PlayExact(t.Context(), d, ref, ep(), s)
		endless(err)
		_, _, err = NewPeer(t.Context(), ref, s).Next(0)
		endless(err)
		_, err = against(t, d, ref, ep(), s)
		endless(err)
		out, err := against(t, d, newLogger(t), ep(), s)
		require.NoError(t, err)
		require.NotNil(t, out.Finding, "only the device")
	}
	// An answer in time is not such a case.
	d := newLogger(t)
	d.late = 50
	out, err := against(t, d, newLogger(t), ep(), s)
	require.NoError(t, err)
	require.Nil(t, out.Finding)
	ctx, cancel := context.WithCancel(t.Context())
	p := NewPeer(ctx, newLogger(t), s)
	cancel()
	_, _, err = p.Next(0)
	require.ErrorIs(t, err, context.Canceled)
}

// echo owes what a logger gives, and any number of empty log lines.
type echo struct {
	l    *event.Layout
	owed []uint64
}

func (e *echo) Reset() error { e.owed = nil; return nil }
func (e *echo) Accept(_ int, _ bool, w []uint64) error {
	e.owed = append(e.owed, e.l.In.Slot("ev", "x").Get(w)+1)
	return nil
}
func (e *echo) Next(stream int) ([]uint64, bool, error) {
	w := make([]uint64, e.l.Out.Words)
	if stream == 1 {
		return w, true, nil
	}
	if len(e.owed) == 0 {
		return nil, false, nil
	}
	e.l.Out.Slot("rsp", "y").Set(w, e.owed[0])
	e.owed = e.owed[1:]
	return w, true, nil
}
func (e *echo) Close() error { return nil }
