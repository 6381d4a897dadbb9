package elastic

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A response may take Flush cycles, counted from the cycle in which the driver finds that there are no more events:
// the one behind the last.
func TestFlushIsExact(t *testing.T) {
	for _, flush := range []int{1, 2, 63, 1024, 1025, 2500} {
		s := severalSpec(t)
		s.Flush = flush
		for late, want := range map[int]bool{flush + 1: true, flush + 2: false} {
			d := newLogger(t)
			d.late = late
			out, err := against(t, d, newLogger(t), numbers(t, "test/0", 1, stim.DriveSpec{}), s)
			require.NoError(t, err)
			require.Equal(t, want, out.Finding == nil, "flush %d, a response after %d", flush, late)
			if !want {
				require.Equal(t, Missing, out.Finding.Kind)
			}
		}
	}
}

// A response that is stalled when the last event is taken, and is gone for some cycles then, was withdrawn.
func TestWithdrawnAtTheEnd(t *testing.T) {
	shut := stim.Gate{Close: 65535, Open: 1}
	for gone := range 4 {
		for from := 2; from < 4; from++ {
			d, since := newLogger(t), 0
			d.edit = func(l *logger, out []uint64) {
				if l.taken < 2 {
					return
				}
				if since++; since >= from && since < from+gone {
					out[0] &^= l.l.Out.Control("rsp_valid") | l.l.Out.Control("log_valid")
				}
			}
			out, err := against(t, d, newLogger(t), numbers(t, "test/0", 2, stim.DriveSpec{Stall: shut,
				StallMore: []stim.Gate{shut}}), severalSpec(t))
			require.NoError(t, err)
			if gone == 0 {
				require.Nil(t, out.Finding)
				continue
			}
			require.NotNil(t, out.Finding)
			require.Equal(t, []any{Unstable, Withdrawn}, []any{out.Finding.Kind, out.Finding.Text}, "%d cycles from %d", gone,
				from)
		}
	}
}

// What is stalled when a reset comes is lost with it, and not withdrawn.
func TestResetWhileStalled(t *testing.T) {
	lost := 0
	for i := range 16 {
		d := newLogger(t)
		drive := stim.DriveSpec{Stall: stim.Bursts(3, 40), StallMore: []stim.Gate{stim.Bursts(3, 40)},
			Resets: []stim.Reset{{Low: 2}, {After: 100 + i, Low: 3}}}
		out, err := against(t, d, newLogger(t), numbers(t, fmt.Sprintf("test/%d", i), 200, drive), severalSpec(t))
		require.NoError(t, err)
		require.Nil(t, out.Finding, "%d", i)
		if out.Responses < 400 {
			lost++
		}
	}
	require.Greater(t, lost, 2)
}

// A response behind a reset and before any event after it is early, whatever came before the reset.
func TestEarlyAfterSecondReset(t *testing.T) {
	d := newLogger(t)
	d.edit = func(l *logger, out []uint64) {
		if len(l.lows) == 2 {
			out[0] |= l.l.Out.Control("rsp_valid")
		}
	}
	out, err := against(t, d, newLogger(t), numbers(t, "test/0", 20,
		stim.DriveSpec{Resets: []stim.Reset{{Low: 2}, {After: 20, Delay: 100, Low: 3}}}), severalSpec(t))
	require.NoError(t, err)
	require.Equal(t, Extra, out.Finding.Kind)
	require.True(t, out.Finding.Early)
}

// A field beyond the first word of a record that the design does not have is not compared, and its neighbours are.
func TestSkipOfWideFields(t *testing.T) {
	l := event.NewLayout(several(t))
	y, line := l.Out.Slot("rsp", "y"), l.Out.Slot("log", "l")
	for _, word := range []int{y.Word, y.Word + 1, line.Word, line.Word + 1} {
		for _, skipped := range []*event.Slot{y, line} {
			s := severalSpec(t)
			s.Skip = l.Out.StreamMask(skipped.Stream)
			d := newLogger(t)
			d.edit = func(l *logger, out []uint64) { out[word] ^= 2 }
			out, err := against(t, d, newLogger(t), numbers(t, "test/0", 20, stim.DriveSpec{}), s)
			require.NoError(t, err)
			own := word == skipped.Word || word == skipped.Word+1
			require.Equal(t, own, out.Finding == nil, "word %d, %s not compared", word, skipped.Stream)
		}
	}
}

// loggerModel is a model that answers on two outputs.
type loggerModel struct{ *logger }

func (m loggerModel) Reset()                 { _ = m.Restart(0) }
func (m loggerModel) Cycle(in, out []uint64) { m.one(in, out) }

// What a model has given on one output while another was asked for is lost in a reset, too.
func TestTwinForgetsWhatWasGiven(t *testing.T) {
	x := NewModel(several(t), loggerModel{newLogger(t)})
	require.NoError(t, x.Reset())
	require.NoError(t, x.Accept(0, false, make([]uint64, 1)))
	_, ok, err := x.Next(0)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, x.Reset())
	_, ok, err = x.Next(1)
	require.NoError(t, err)
	require.False(t, ok)
}

// A second device that takes an event late has all of the flush from then on.
func TestPeerThatTakesLate(t *testing.T) {
	d := newLogger(t)
	d.late = 60
	d.edit = func(l *logger, out []uint64) {
		if l.cycle < 50 { // the queue is full until then
			l.full, out[0] = -1, out[0]&^l.l.Out.Control("ev_ready")
		} else {
			l.full = 0
		}
	}
	d.full = -1
	s := severalSpec(t)
	p := NewPeer(t.Context(), d, s)
	require.NoError(t, p.Restart(1))
	require.NoError(t, p.Reset())
	require.NoError(t, p.Accept(0, false, make([]uint64, 1)))
	for stream := range 2 {
		_, ok, err := p.Next(stream)
		require.NoError(t, err)
		require.True(t, ok)
	}
}

// A part of a file that was given up leaves nothing to the next: what comes twice there is too much.
func TestFilePartAfterFinding(t *testing.T) {
	for _, marked := range []bool{true, false} {
		r, err := format.NewReader(bytes.NewReader(written(t, 200, marked)))
		require.NoError(t, err)
		f := NewFile(r, "")
		s := DefaultSpec(r.Block())
		s.Flush = 64
		for _, c := range []struct {
			d      *device
			want   Kind
			events uint64
		}{{&device{wrongAt: 50}, Wrong, 49}, {&device{every: 100, twiceAt: 50}, Extra, 50}} {
			ep, ok := f.Next()
			require.True(t, ok)
			out, err := Play(t.Context(), c.d, f.Owed(), ep, s)
			require.NoError(t, err)
			require.NotNil(t, out.Finding)
			require.Equal(t, c.want, out.Finding.Kind)
			if f.anew { // the device has counted the events before the reset in mid-part, too
				c.events -= uint64(record.Midway("incr", ep.Name, ep.Seed))
			}
			require.Equal(t, c.events, out.Responses)
		}
		_, ok := f.Next()
		require.False(t, ok)
		require.NoError(t, f.Err())
	}
}

// Both bounds of what may come after the last event hold by themselves.
func TestTailBounds(t *testing.T) {
	s := severalSpec(t)
	for _, c := range []struct {
		cycles, transfers int
		endless           bool
	}{
		{tailCycles + s.Flush, tailTransfers, false}, {tailCycles + s.Flush + 1, 0, true}, {0, tailTransfers + 1, true},
	} {
		x := newTail(2)
		x.cycles, x.transfers[1] = c.cycles, c.transfers
		err := x.check(&s)
		require.Equal(t, c.endless, err != nil)
		if c.endless {
			require.ErrorIs(t, err, ErrEndless)
		}
		x.begin()
		require.NoError(t, x.check(&s), "an event ends it")
	}
}

// A second device is held in reset for as long as its binding says, each time.
func TestPeerResetCycles(t *testing.T) {
	d, s := newLogger(t), severalSpec(t)
	s.ResetCycles = 7
	p := NewPeer(t.Context(), d, s)
	require.NoError(t, p.Restart(1))
	for range 2 {
		require.NoError(t, p.Reset())
		require.NoError(t, p.Accept(0, false, make([]uint64, 1)))
		_, ok, err := p.Next(0)
		require.NoError(t, err)
		require.True(t, ok)
	}
	require.Equal(t, []int{7, 7}, d.lows)
}
