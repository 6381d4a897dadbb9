package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// breaking makes a logger break the handshake of rsp from the event of that number on: a response that waits is gone
// for a cycle, or its lowest bit changes.
func breaking(d *logger, how string, from int) *logger {
	waits, alter := false, uint64(0)
	valid, ready, y := d.l.Out.Control("rsp_valid"), d.l.In.Control("rsp_ready"), d.l.Out.Slot("rsp", "y")
	d.before = func(in []uint64) { waits = waits && in[0]&d.l.In.Control("rst_n") != 0 }
	d.after = func(in, out []uint64) {
		switch {
		case out[0]&valid == 0:
			waits, alter = false, 0
			return
		case waits && d.taken >= from && how == Withdrawn && in[0]&ready == 0:
			out[0] &^= valid
		case waits && d.taken >= from && how == Altered:
			alter = 1
		}
		if alter != 0 {
			y.Set(out, y.Get(out)^alter)
		}
		waits = out[0]&valid != 0 && in[0]&ready == 0
		if !waits {
			alter = 0
		}
	}
	return d
}

// A reference that breaks the handshake is no judge: cycle by cycle, from a file, and along with the design. It is
// named even when the design breaks the handshake in the same way, in the cycle in which it does.
func TestReferenceBreaksTheHandshake(t *testing.T) {
	pattern := stim.DriveSpec{Stall: stim.Density(60), StallMore: []stim.Gate{stim.Density(60)},
		Resets: []stim.Reset{{Low: 2}, {After: 30, Low: 3}}}
	ep := func() *stim.Episode { return numbers(t, "test/0", 200, pattern) }
	fresh := func() *logger {
		d := newLogger(t)
		d.full, d.late = 4, 3
		return d
	}
	spec := severalSpec(t)
	spec.Port = func(string) string { return "the_designs" }
	spec.RefPort = func(control string) string { return "p_" + control }
	for _, how := range []string{Withdrawn, Altered} {
		for _, alike := range []bool{false, true} {
			d, ref := fresh(), breaking(fresh(), how, 50)
			if alike {
				breaking(d, how, 50)
			}
			out, err := PlayExact(t.Context(), d, ref, ep(), spec)
			requireBreaks(t, err, how)
			require.ErrorContains(t, err,
				"a response of rsp_valid (p_rsp_valid) that waited for rsp_ready (p_rsp_ready) was "+how)
			require.Nil(t, out.Finding)
			require.Greater(t, out.Events, uint64(40), "what came before was compared")
		}
		// What differs before stays found, in the same chunk of cycles, too.
		for _, at := range []int{20, 49} {
			d, ref := fresh(), breaking(fresh(), how, 51)
			d.loseLog = at
			out, err := PlayExact(t.Context(), d, ref, ep(), spec)
			require.NoError(t, err)
			require.NotNil(t, out.Finding)
			require.Equal(t, Differs, out.Finding.Kind)
		}
		// Recorded cycles.
		rec := breaking(fresh(), how, 50)
		for _, alike := range []bool{true, false} {
			driver := drive.NewDriver(rec.l)
			driver.Begin(ep())
			require.NoError(t, rec.Restart(1))
			d := fresh()
			if alike {
				breaking(d, how, 50)
			}
			out, err := PlayCycles(t.Context(), d, func(in, want []uint64) (bool, error) {
				if !driver.Drive(in) {
					return false, nil
				}
				rec.one(in, want)
				driver.Observe(want)
				return true, nil
			}, spec)
			if alike {
				requireBreaks(t, err, how)
				continue
			}
			require.NoError(t, err)
			require.NotNil(t, out.Finding, "a device that keeps the handshake differs from the file, as from any other")
		}
		// Along with the design.
		var err error
		peer := NewPeer(t.Context(), breaking(fresh(), how, 50), spec)
		peer.Together(true)
		require.NoError(t, peer.Restart(1))
		_, err = Play(t.Context(), fresh(), peer, ep(), spec)
		requireBreaks(t, err, how)
		// By itself, where the comparison leaves its outputs open.
		_, err = Holds(t.Context(), breaking(fresh(), how, 50), ep(), spec)
		requireBreaks(t, err, how)
		var whose *ReferenceError
		require.ErrorAs(t, err, &whose)
		open, err := against(t, fresh(), breaking(fresh(), how, 50), ep(), spec)
		require.NoError(t, err, "its outputs are open")
		require.Nil(t, open.Finding)
		// A rule that is relaxed is not broken; the other one is.
		own, other := spec, spec
		own.MayDrop, other.MayChange = []bool{true, true}, []bool{true, true}
		if how == Altered {
			own, other = other, own
		}
		events, err := Holds(t.Context(), breaking(fresh(), how, 50), ep(), own)
		require.NoError(t, err)
		require.EqualValues(t, 200, events)
		_, err = Holds(t.Context(), breaking(fresh(), how, 50), ep(), other)
		requireBreaks(t, err, how)
	}
	events, err := Holds(t.Context(), fresh(), ep(), spec)
	require.NoError(t, err)
	require.EqualValues(t, 200, events)
	// One that loses what is stalled without showing it, and one that never takes an event, only end it.
	mute := fresh()
	mute.full = -1
	spec.Patience = 100
	events, err = Holds(t.Context(), mute, ep(), spec)
	require.NoError(t, err)
	require.Zero(t, events)
}

func requireBreaks(t *testing.T, err error, how string) {
	t.Helper()
	var h *HandshakeError
	require.ErrorAs(t, err, &h)
	require.Equal(t, []any{"rsp", how}, []any{h.Stream, h.How})
	require.ErrorContains(t, err, "it breaks the handshake: in cycle ")
}

// stopping is a device whose assertion ends it in a cycle.
type stopping struct {
	*logger
	at int
}

func (d *stopping) Step(in, out []uint64) error {
	if d.cycle >= d.at {
		return &client.RTLError{Text: "assertion", Cycle: uint64(d.at)}
	}
	return d.logger.Step(in, out)
}

// An assertion of the reference does not hide what the design did wrong in the cycles before it.
func TestReferenceStopsAfterADifference(t *testing.T) {
	for _, lose := range []int{0, 10} {
		d, ref := newLogger(t), newLogger(t)
		d.loseRsp = lose
		out, err := PlayExact(t.Context(), d, &stopping{ref, 60}, numbers(t, "test/0", 200, stim.DriveSpec{}), severalSpec(t))
		if lose > 0 {
			require.NoError(t, err)
			require.Equal(t, Differs, out.Finding.Kind)
			continue
		}
		var whose *ReferenceError
		require.ErrorAs(t, err, &whose)
		require.Nil(t, out.Finding)
		require.EqualValues(t, 60, out.Cycles)
	}
}

// The handshake of a recorded design is watched from power-on of each episode.
func TestWatch(t *testing.T) {
	s := severalSpec(t)
	l := event.NewLayout(s.Block)
	w := NewWatch(&s)
	in, out, none := make([]uint64, l.In.Words), make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
	in[0], out[0] = l.In.Control("rst_n"), l.Out.Control("log_valid")
	require.NoError(t, w.Look(in, out))
	w.Begin()
	require.NoError(t, w.Look(in, none))
	require.NoError(t, w.Look(in, out))
	require.EqualError(t, w.Look(in, none),
		"it breaks the handshake: in cycle 2 a response of log_valid that waited for log_ready was "+Withdrawn)
}
