package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// turned is a device whose reset has the other polarity, or one that breaks another rule of reset.
type turned struct {
	device
	flip   bool
	seed   uint32
	random bool // a valid that no reset clears, set by one seed
	early  int  // cycle behind the reset that shows a valid
	clears int  // cycles of reset until it takes effect
	behind int
	low    int
}

func (d *turned) Restart(seed uint32) error {
	d.seed, d.behind, d.low = seed, 0, 0
	return d.device.Restart(seed)
}

func (d *turned) cycleOf(in uint64) uint64 {
	at := in
	if d.flip {
		at ^= rstN
	}
	out := d.one(at)
	if at&rstN == 0 {
		out = 0 // unlike that of the other tests, quiet in reset
	}
	if in&rstN != 0 {
		d.behind++
		d.low = 0
	} else if d.low++; d.low <= d.clears {
		out |= rspValid
	}
	if d.random && d.seed == 3 || d.early > 0 && d.behind == d.early {
		out |= rspValid
	}
	return out
}

func (d *turned) Step(in, out []uint64) error {
	for i := range in {
		out[i] = d.cycleOf(in[i])
	}
	return nil
}

func (d *turned) StepUntil(in, out []uint64, watch uint64) (int, error) {
	for i := range out {
		if out[i] = d.cycleOf(in[min(i, len(in)-1)]); out[i]&watch != 0 {
			return i + 1, nil
		}
	}
	return len(out), nil
}

func (*turned) End() error { return nil }

func TestProbeReset(t *testing.T) {
	s := DefaultSpec(incrBlock(t))
	s.Flush, s.Patience = 64, 2000
	s.Port = func(string) string { return "out_vld" }
	for _, every := range []int{1, 3, 900} {
		require.NoError(t, ProbeReset(&turned{device: device{every: every}}, s, false))
	}
	// The reset has as many clock edges as the binding says, and no more.
	require.NoError(t, ProbeReset(&turned{device: device{every: 1}, clears: s.ResetCycles}, s, false))
	require.ErrorContains(t, ProbeReset(&turned{device: device{every: 1}, clears: s.ResetCycles + 1}, s, false),
		"is high in reset, after 4 cycles of it")
	// Never ready and never answering are told by others.
	require.NoError(t, ProbeReset(&turned{device: device{every: 1, neverRdy: true}}, s, false))
	for want, d := range map[string]*turned{
		"in reset with events offered, and stays low for 64 cycles of them after it": {device: device{every: 1}, flip: true},
		"in reset, after 4 cycles of it": {device: device{every: 1},
			random: true},
		"after reset and before any event was offered": {device: device{every: 1}, early: 5},
	} {
		err := ProbeReset(d, s, false)
		require.ErrorIs(t, err, ErrReset, want)
		require.ErrorContains(t, err, "rsp_valid (out_vld) is high "+want)
		require.ErrorContains(t, err, "reset.active")
	}
	require.NoError(t, ProbeReset(&turned{device: device{every: 1}, early: 5}, s, true), "a block that speaks unasked")
	require.Len(t, s.Block.StreamsOf(event.Out), 1)
}
