package loop

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/device"
	nicport "github.com/goldwire/goldwire/vectors/event/nic"
)

// short keeps runs on the RTL short: a device plays every nanosecond of every NIC.
const short = "k=4 rtt.us=3 "

// unkind is a network in which everything happens to packets that can.
const unkind = "rto.us=8 loss_prob=0.01 ctl_loss_prob=0.03 dup_prob=0.05 reorder_prob=0.05 reorder.us=1 "

// A network whose hosts are the RTL of nic goes the same way as one whose hosts are the model, to the digit, and the
// device has compared every cycle of every NIC.
func TestNICsOnRTL(t *testing.T) {
	for _, c := range []struct {
		preset, text string
		nics         int
		long         bool
	}{
		{"fattree128/permutation", twoHosts + "rtt.us=3 flow.bytes=100000", 2, false},
		{"fattree128/incast32", short + "incast=6 flow.bytes=60000 loss_prob=1e-2", 7, false},
		{"fattree128/permutation", twoHosts + "rtt.us=3 " + unkind + "flow.bytes=60000", 2, false},
		{"fattree128/incast32", short + unkind + "incast=6 flow.bytes=60000 flow.rounds=2 fail.links=tor0-agg0@4", 7, true},
		{"fattree128/permutation", short + unkind + "flow.bytes=50000 fail.prob=0.1 fail.at_us=4", 16, true},
		{"fattree128/permutation", short + "flow.bytes=50000 nic.pdcs=2 flow.rounds=2", 16, true},
		{"fattree128/permutation", "rtt.us=3 flow.bytes=100000 loss_prob=1e-3", 128, true},
		{"fattree128/incast32", "rtt.us=3 incast=127 flow.bytes=30000 loss_prob=1e-3", 128, true},
		{"fattree128/incast32", "flow.bytes=50000 trim=off", 33, true},
		{"stimulus/turnover", "loss_prob=1e-3", 33, true},
	} {
		t.Run(c.preset+" "+c.text, func(t *testing.T) {
			if c.long {
				launchtest.Long(t, "two hosts and a small incast")
			}
			s := nicSpec(t, c.preset, c.text)
			s.CC = NICModel
			model := run(t, Config{}, s)
			s.CC = NICRTL
			rtl, played, err := Run(t.Context(), Config{Root: "../../.."}, s, nil)
			require.NoError(t, err)
			require.Nil(t, played.Carried.Left, "%v", played.Carried.Left)
			same(t, model, rtl)
			require.Equal(t, c.nics, played.Carried.NICs)
			x := &rtl.Counters
			t.Log(played.Carried)
			require.Equal(t, 2*(x.NewPackets+x.Retransmits+x.CtlSent)-x.DataDrops-x.DataLost-x.TrimDrops-x.TrimLost-
				x.CtlDrops-x.CtlLost+x.DataCopied+x.CtlCopied, played.Carried.Frames, "each leaves and arrives, copies arrive")
		})
	}
}

// taped returns a run of NICs whose inputs are kept, and not yet played.
func taped(t *testing.T) *closed {
	r := &closed{Config: Config{Root: "../../.."}, ctx: t.Context(), tickNs: 1, cancel: func() {}}
	s := nicSpec(t, "fattree128/permutation", twoHosts+"rtt.us=3 flow.bytes=40000")
	s.CC = NICRTL
	_, err := r.simulate(t.Context(), s, nil)
	require.NoError(t, err)
	require.Len(t, r.nics, 2)
	return r
}

// The device must play all that the network gave, and be compared with all that the network got.
func TestTapesAreCompared(t *testing.T) {
	skip := func(batches func(n int) bool) func(*closed) {
		return func(r *closed) {
			r.tamper = func(d *device.Device) device.Side { return &cut{Device: d, skip: batches} }
		}
	}
	for name, c := range map[string]struct {
		change func(r *closed)
		want   string
	}{
		"fewer cycles": {func(r *closed) { r.nics[0].tape.runs = r.nics[0].tape.runs[:100] },
			"the device played"},
		"fewer than the network's": {func(r *closed) { r.nics[0].next++ }, "the device played"},
		"no batch":                 {skip(func(int) bool { return true }), "the device compared 0 of"},
		"few":                      {skip(func(n int) bool { return n > 1 }), "the device compared"},
		"other sum":                {func(r *closed) { r.tamper = otherSum }, "the device compared"},
	} {
		t.Run(name, func(t *testing.T) {
			r := taped(t)
			c.change(r)
			_, err := r.playNICs()
			require.ErrorContains(t, err, "NIC of host 0: ")
			require.ErrorContains(t, err, c.want)
		})
	}
}

// retape makes a tape anew, with other cycles. change gets their numbers and how many cycles of a rest end with each.
func retape(x *tape, change func(cycle, rests int, c *ports)) {
	again := tape{idle: x.idle}
	cycle, rests := 0, 0
	x.play(func(in, out []uint64) bool {
		c := ports{[nicport.InWords]uint64(in), [nicport.OutWords]uint64(out)}
		if rests++; c != resting {
			rests = 0
		}
		change(cycle, rests, &c)
		again.add(&c, 1)
		cycle++
		return true
	})
	*x = again
}

// The cycles of a rest are compared like all others. A model that rests although it has work is found, and a design
// that does not rest.
func TestRestsAreCompared(t *testing.T) {
	for name, change := range map[string]func(c *ports, rests int) bool{
		"the model has work": func(c *ports, _ int) bool {
			works := c.in == resting.in && c.out != resting.out && c.out[0]&nicport.OutNoteValid != 0
			if works {
				c.out = resting.out
			}
			return works
		},
		"the model has none": func(c *ports, rests int) bool {
			if rests == 500 {
				c.out[0] |= nicport.OutNoteValid
			}
			return rests == 500
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := taped(t)
			changed := 0
			retape(r.nics[0].tape, func(cycle, rests int, c *ports) {
				if changed == 0 && uint64(cycle) > r.nics[0].tape.idle && change(c, rests) {
					changed = cycle
				}
			})
			done, err := r.playNICs()
			require.NoError(t, err)
			require.NotNil(t, done.Left)
			require.Equal(t, uint64(changed), done.Left.Cycle)
			require.Equal(t, "note_valid", done.Left.Port)
			require.Zero(t, done.Frames)
		})
	}
	t.Run("the design has work", func(t *testing.T) {
		launchtest.Long(t, "the model has work")
		r := taped(t)
		r.RTLDir = launchtest.RTL(t, "../../..", "txpdc_timer.sv", "once_q) & (age >= {2'b0, timeout_q})",
			"once_q) & (age >= {6'b0, timeout_q[29:4]})")
		done, err := r.playNICs()
		require.NoError(t, err)
		require.NotNil(t, done.Left)
		require.Equal(t, "note_valid", done.Left.Port)
		rest := 0
		retape(r.nics[0].tape, func(cycle, rests int, _ *ports) {
			if uint64(cycle) == done.Left.Cycle {
				rest = rests
			}
		})
		require.Greater(t, rest, 100, "the model rests")
	})
}

// A design that leaves the model is named by the output, the host and the time, and the network has followed the model.
func TestBrokenNICIsFound(t *testing.T) {
	launchtest.Long(t, "TestTapesAreCompared")
	dir := launchtest.RTL(t, "../../..", "nic_build.sv", "Close, 2'b0, rtx, 4'b0}", "Close, 2'b0, rtx, 4'b1}")
	s := nicSpec(t, "fattree128/permutation", strings.TrimSpace(twoHosts+"rtt.us=3 flow.bytes=40000"))
	s.CC = NICRTL
	res, played, err := Run(t.Context(), Config{Root: "../../..", RTLDir: dir}, s, nil)
	require.NoError(t, err)
	left := played.Carried.Left
	require.NotNil(t, left)
	require.Equal(t, "tx_data", left.Port)
	require.Contains(t, left.String(), "tx_data of the NIC of host 0 at ")
	require.Greater(t, left.Time, res.Flows[0].Acked, "a CLOSE is wrong")
	require.Zero(t, played.Carried.Frames, "no frame of that NIC counts as compared")
	s.CC = NICModel
	same(t, run(t, Config{}, s), res)
}
