package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestFaultsOfLinks: each fault does what it is named for, about as often as its setting has it, and nothing else; with
// probability 0 the run is the one without it.
func TestFaultsOfLinks(t *testing.T) {
	base := small(settings.Incast)
	sound := books(t, base)
	require.Zero(t, sound.Counters.DataCopied+sound.Counters.CtlCopied+sound.Counters.CtlLost+sound.Counters.Delayed)
	const prob = 0.02
	for _, c := range []struct {
		path string
		// struck and risks count the packets that it struck, and those that it could strike.
		struck, risks func(c *account.Counters) uint64
		others        func(c *account.Counters) uint64
	}{
		{"ctl_loss_prob", func(c *account.Counters) uint64 { return c.CtlLost },
			func(c *account.Counters) uint64 { return 4 * c.CtlSent },
			func(c *account.Counters) uint64 {
				return c.DataLost + c.TrimLost + c.DataCopied + c.CtlCopied + c.Delayed
			}},
		{"dup_prob", func(c *account.Counters) uint64 { return c.DataCopied + c.CtlCopied },
			func(c *account.Counters) uint64 { return c.PktHops },
			func(c *account.Counters) uint64 { return c.DataLost + c.TrimLost + c.CtlLost + c.Delayed }},
		{"reorder_prob", func(c *account.Counters) uint64 { return c.Delayed },
			func(c *account.Counters) uint64 { return c.PktHops },
			func(c *account.Counters) uint64 {
				return c.DataLost + c.TrimLost + c.CtlLost + c.DataCopied + c.CtlCopied
			}},
	} {
		t.Run(c.path, func(t *testing.T) {
			s := base
			require.NoError(t, s.Set(c.path, "0.02"))
			r := books(t, s)
			n, of := float64(c.struck(&r.Counters)), float64(c.risks(&r.Counters))
			require.Greater(t, of, 1e4)
			// Packets cross one link more than switches; few of the control packets take less than the longest path.
			require.InEpsilon(t, prob, n/of, 0.5)
			require.Zero(t, c.others(&r.Counters))
			sameRun(t, r, run(t, s))
			require.NoError(t, s.Set(c.path, "0"))
			sameRun(t, sound, run(t, s))
		})
	}
}

// TestLatePacketsAreOvertaken: a packet that is late comes at most so much later, and others of its connection before
// it, on the only path.
func TestLatePacketsAreOvertaken(t *testing.T) {
	s := alone(200)
	s.CC, s.ReorderProb, s.ReorderBy = "", 0.05, 2*units.Microsecond
	require.Zero(t, outOfOrder(t, alone(200)))
	require.Positive(t, outOfOrder(t, s))
	s.ReorderBy = 0
	require.Zero(t, outOfOrder(t, s))
}

// outOfOrder returns the number of ACKs of a run that report packets beyond a missing one.
func outOfOrder(t *testing.T, s settings.Spec) (n int) {
	s.CC = ""
	verified(t, s, WithTap(func(ev *cc.Event) bool {
		if ev.Kind == cc.KindAck && ev.OOO > 0 {
			n++
		}
		return true
	}))
	return n
}

// TestEveryControlOutlastsFaults: under all faults at once every flow of every control ends, each byte is delivered
// once, and every packet and copy is accounted for.
func TestEveryControlOutlastsFaults(t *testing.T) {
	for _, row := range cc.Rows() {
		t.Run(row.Name, func(t *testing.T) {
			s := settings.DefaultSpec()
			require.NoError(t, s.SetAll("k=4", "workload=incast", "incast=8", "flow.bytes=200000", "loss_prob=0.005",
				"ctl_loss_prob=0.02", "dup_prob=0.02", "reorder_prob=0.05", "cc="+row.Name))
			s.Provide(&row)
			for seed := range uint64(3) {
				s.Seed = seed
				r := books(t, s)
				c := &r.Counters
				require.Positive(t, min(c.DataLost, c.CtlLost, c.DataCopied, c.CtlCopied, c.Delayed))
			}
		})
	}
}
