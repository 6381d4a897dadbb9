package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// flip returns an edit that inverts a bit of a logger's output record late in an episode, where condition, a
// bit of word 0, is as said.
func flip(word int, bit, condition uint64, set bool) func(*logger, []uint64) {
	return func(d *logger, out []uint64) {
		if d.taken >= 50 && (out[0]&condition != 0) == set {
			out[word] ^= bit
		}
	}
}

// Cycle by cycle every valid, ready and field counts, over the whole width and on every stream; what is not
// valid does not.
func TestPlayExact(t *testing.T) {
	l := event.NewLayout(several(t))
	rspV, logV, evR := l.Out.Control("rsp_valid"), l.Out.Control("log_valid"), l.Out.Control("ev_ready")
	y, line := l.Out.Slot("rsp", "y"), l.Out.Slot("log", "l")
	drive := stim.DriveSpec{Stall: stim.Density(60), StallMore: []stim.Gate{stim.Density(60)},
		Resets: []stim.Reset{{Low: 2}, {After: 30, Low: 3}}}
	for name, c := range map[string]struct {
		edit   func(*logger, []uint64)
		stream int // -1: a ready, -2: nothing
	}{
		"same":        {nil, -2},
		"first field": {flip(y.Word, 1<<y.Bit, rspV, true), 0},
		"upper bits":  {flip(y.Word+1, 1<<10, rspV, true), 0},
		"other field": {flip(line.Word, 1<<line.Bit, logV, true), 1},
		"not valid":   {flip(y.Word, 1<<y.Bit, rspV, false), -2},
		"valid":       {flip(0, rspV, rspV, false), 0},
		"other valid": {flip(0, logV, logV, false), 1},
		"ready":       {flip(0, evR, 0, false), -1},
	} {
		t.Run(name, func(t *testing.T) {
			d, ref := newLogger(t), newLogger(t)
			d.full, ref.full, d.late, ref.late = 4, 4, 3, 3
			d.edit = c.edit
			out, err := PlayExact(t.Context(), d, ref, numbers(t, "test/0", 200, drive), severalSpec(t))
			require.NoError(t, err)
			if c.stream == -2 {
				require.Nil(t, out.Finding)
				require.Equal(t, uint64(200), out.Events)
				require.Greater(t, out.Responses, uint64(300))
				return
			}
			require.NotNil(t, out.Finding)
			// What begins to differ while a response is stalled changes it, which breaks the handshake first.
			if out.Finding.Kind != Unstable {
				require.Equal(t, Differs, out.Finding.Kind)
				require.Len(t, out.Finding.Want, l.Out.Words)
			}
			if c.stream >= 0 && out.Finding.Event != nil {
				require.Equal(t, c.stream, out.Finding.Stream)
			}
			require.GreaterOrEqual(t, out.Events, uint64(49))
		})
	}
	// The reference is waited for as long as an answer may take.
	d, ref := newLogger(t), newLogger(t)
	d.late, ref.late, d.loseRsp = 50, 50, 200
	out, err := PlayExact(t.Context(), d, ref, numbers(t, "test/0", 200, stim.DriveSpec{}), severalSpec(t))
	require.NoError(t, err)
	require.Equal(t, Differs, out.Finding.Kind)
	require.EqualValues(t, 199*37%256, l.In.Slot("ev", "x").Get(out.Finding.Event))
}

// The error of an assertion at the last clock edge is the design's finding, and the reference's error.
func TestExactLastEdge(t *testing.T) {
	for _, mine := range []bool{true, false} {
		d, ref := newLogger(t), newLogger(t)
		failing := &client.RTLError{Cycle: 9, Text: "assertion"}
		if mine {
			d.atEnd = failing
		} else {
			ref.atEnd = failing
		}
		out, err := PlayExact(t.Context(), d, ref, numbers(t, "test/0", 20, stim.DriveSpec{}), severalSpec(t))
		if mine {
			require.NoError(t, err)
			require.Equal(t, RTL, out.Finding.Kind)
		} else {
			require.ErrorIs(t, err, wire.ErrRTL)
			require.Nil(t, out.Finding)
		}
	}
}

// A second design that fails at its last clock edge is an error, in either way in which it runs.
func TestPeersLastEdge(t *testing.T) {
	for _, together := range []bool{false, true} {
		for _, failing := range []error{nil, &client.RTLError{Cycle: 9, Text: "assertion"}} {
			ref := newLogger(t)
			ref.atEnd = failing
			peer := NewPeer(t.Context(), ref, severalSpec(t))
			peer.Together(together)
			require.NoError(t, peer.Restart(1))
			out, err := Play(t.Context(), newLogger(t), peer, numbers(t, "test/0", 20, stim.DriveSpec{}), severalSpec(t))
			require.Nil(t, out.Finding)
			if failing == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, wire.ErrRTL, "together: %t", together)
			}
		}
	}
}

// Recorded cycles are compared as they are.
func TestPlayCycles(t *testing.T) {
	l := event.NewLayout(several(t))
	for _, bad := range []bool{false, true} {
		d, ref := newLogger(t), newLogger(t)
		n := 0
		out, err := PlayCycles(t.Context(), d, func(in, want []uint64) (bool, error) {
			if n++; n > 300 {
				return false, nil
			}
			clear(in)
			if n > 4 {
				in[0] = l.In.Control("rst_n") | l.In.Control("ev_valid") | l.In.Control("rsp_ready") | l.In.Control("log_ready")
				l.In.Slot("ev", "x").Set(in, uint64(n%256))
			}
			ref.one(in, want)
			if bad && n == 299 {
				l.Out.Slot("rsp", "y").Set(want, 0)
			}
			return true, nil
		}, severalSpec(t))
		require.NoError(t, err)
		if !bad {
			require.Nil(t, out.Finding)
			require.Equal(t, []uint64{300, 296}, []uint64{out.Cycles, out.Events})
			continue
		}
		require.Equal(t, Differs, out.Finding.Kind)
		require.EqualValues(t, 298, out.Finding.Cycle)
	}
}

// Every bit of every output stream is compared, and every stream asked for what it owes.
func TestPlaySeveral(t *testing.T) {
	l := event.NewLayout(several(t))
	rspV, logV := l.Out.Control("rsp_valid"), l.Out.Control("log_valid")
	y, line := l.Out.Slot("rsp", "y"), l.Out.Slot("log", "l")
	ep := func() *stim.Episode { return numbers(t, "test/0", 200, stim.DriveSpec{}) }
	for name, c := range map[string]struct {
		edit   func(*logger, []uint64)
		stream int
	}{
		"low":   {flip(y.Word, 1<<y.Bit, rspV, true), 0},
		"mid":   {flip(y.Word, 1<<(y.Bit+30), rspV, true), 0},
		"upper": {flip(y.Word+1, 1<<10, rspV, true), 0},
		"log":   {flip(line.Word, 1<<(line.Bit+20), logV, true), 1},
	} {
		d := newLogger(t)
		d.edit = c.edit
		out, err := against(t, d, newLogger(t), ep(), severalSpec(t))
		require.NoError(t, err)
		require.NotNil(t, out.Finding, name)
		require.Equal(t, Wrong, out.Finding.Kind, name)
		require.Equal(t, c.stream, out.Finding.Stream, name)
	}
	d := newLogger(t)
	d.loseLog = 200
	out, err := against(t, d, newLogger(t), ep(), severalSpec(t))
	require.NoError(t, err)
	require.NotNil(t, out.Finding)
	require.Equal(t, []any{Missing, 1}, []any{out.Finding.Kind, out.Finding.Stream})
	d.loseLog, d.late = 0, 50
	out, err = against(t, d, newLogger(t), numbers(t, "test/0", 200,
		stim.DriveSpec{Resets: []stim.Reset{{Low: 2}, {After: 100, Low: 1}, {After: 150, Low: 3}}}), severalSpec(t))
	require.NoError(t, err)
	require.Nil(t, out.Finding, "a late answer is an answer")
	require.Len(t, d.lows, 3)
	for _, low := range d.lows {
		require.GreaterOrEqual(t, low, DefaultSpec(several(t)).ResetCycles)
	}
	long := severalSpec(t)
	long.Flush, d.late = 2000, 1500 // longer than the device is left to run by itself
	out, err = against(t, d, newLogger(t), numbers(t, "test/0", 20, stim.DriveSpec{}), long)
	require.NoError(t, err)
	require.Nil(t, out.Finding)
	require.Equal(t, uint64(40), out.Responses)
}
