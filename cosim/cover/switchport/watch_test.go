package switchport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// TestSwitchCoverageSeesDisagreement plays a packet through the port by hand, then with one thing wrong at a time.
func TestSwitchCoverageSeesDisagreement(t *testing.T) {
	note := switchport.Note{Id: 7, Port: 1, Verdict: switchport.VerdictAdmit, Len: 128, Depth: 128, PortBytes: 128}
	gr := switchport.Gr{Port: 1, Id: 7, Len: 128}
	tx := switchport.Tx{Port: 1, Inserted: true, Hops: 1}
	nothing := func(*switchport.Note, *switchport.Gr, *switchport.Tx) {}
	for _, c := range []struct {
		name  string
		wrong func(n *switchport.Note, g *switchport.Gr, x *switchport.Tx)
		want  string
	}{
		{"nothing", nothing, ""},
		{"handle", func(n *switchport.Note, _ *switchport.Gr, _ *switchport.Tx) { n.Id = 8 }, "note 8, next packet is 7"},
		{"length", func(n *switchport.Note, _ *switchport.Gr, _ *switchport.Tx) { n.Len = 127 },
			"for a packet of 2 beats, 128 bytes"},
		{"refused", func(n *switchport.Note, _ *switchport.Gr, _ *switchport.Tx) { n.Refused = true },
			"for a packet of 2 beats"},
		{"trimmed early", func(n *switchport.Note, g *switchport.Gr, _ *switchport.Tx) {
			n.Trimmed, n.Verdict, g.Trimmed = true, switchport.VerdictTrim, true
		}, "verdict"},
		{"drop of all ports", func(n *switchport.Note, _ *switchport.Gr, _ *switchport.Tx) {
			n.Verdict, n.Cause = switchport.VerdictDrop, switchport.CauseShared
		}, "cause SHARED"},
		{"pause", func(n *switchport.Note, _ *switchport.Gr, _ *switchport.Tx) { n.Xoff = true }, "pause at 128 bytes"},
		{"answer's handle", func(_ *switchport.Note, g *switchport.Gr, _ *switchport.Tx) { g.Id = 8 },
			"next in its queue is 7"},
		{"mark", func(_ *switchport.Note, g *switchport.Gr, _ *switchport.Tx) { g.Ce = true }, "marked in mode 2"},
		{"answer before the verdict", nothing, "packet 7 was answered before its verdict was taken"},
		{"answer a cycle late", nothing, "packet 7 is answered in cycle 17 after the reset, and 16 is when"},
		{"port at tx", func(_ *switchport.Note, _ *switchport.Gr, x *switchport.Tx) { x.Port = 2 }, "sends"},
		{"a byte too many at tx", nothing, "packet 7 leaves with 137 bytes, and 128 are booked with inserted true"},
		{"hops at tx", func(_ *switchport.Note, _ *switchport.Gr, x *switchport.Tx) { x.Inserted = false }, "sends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cov := cover.New(Coverage, nil)
			in, out := make([]uint64, switchport.InWords), make([]uint64, switchport.OutWords)
			step := func(set func()) {
				clear(in)
				clear(out)
				set()
				in[0] |= switchport.InRstN
				cov.Cycle(in, out)
			}
			cov.Cycle(in, out)
			for range 6 {
				step(func() { out[0] = 0 })
			}
			for i := range 2 {
				step(func() {
					switchport.PackRx(&switchport.Rx{Port: 1, Id: 7, Keep: ^uint64(0), Last: i == 1, Trimmable: true}, in)
					in[0] |= switchport.InRxValid
					out[0] |= switchport.OutRxReady | switchport.OutGrantReady
				})
			}
			n, g, x := note, gr, tx
			c.wrong(&n, &g, &x)
			showNote := func() {
				step(func() {
					switchport.PackNote(&n, out)
					in[0] |= switchport.InNoteReady
					out[0] |= switchport.OutNoteValid | switchport.OutRxReady | switchport.OutGrantReady
				})
			}
			early := c.name == "answer before the verdict"
			if !early {
				showNote()
			}
			step(func() {
				switchport.PackGrant(&switchport.Grant{Port: 1}, in)
				in[0] |= switchport.InGrantValid
				out[0] |= switchport.OutRxReady | switchport.OutGrantReady
			})
			wait := 5
			if c.name == "answer a cycle late" {
				wait++
			}
			for range wait {
				step(func() { out[0] |= switchport.OutRxReady | switchport.OutGrantReady })
			}
			step(func() {
				switchport.PackGr(&g, out)
				in[0] |= switchport.InGrReady
				out[0] |= switchport.OutGrValid | switchport.OutRxReady | switchport.OutGrantReady
			})
			if early {
				showNote()
			}
			bytes := 128 + 8*cover.Bit(x.Inserted)
			if c.name == "a byte too many at tx" {
				bytes++
			}
			for i := range (bytes + 63) / 64 {
				step(func() {
					x.Last, x.Keep = 64*(i+1) >= bytes, 1<<(bytes-64*i)-1
					switchport.PackTx(&x, out)
					in[0] |= switchport.InTxReady
					out[0] |= switchport.OutTxValid | switchport.OutRxReady | switchport.OutGrantReady
				})
			}
			if c.want == "" {
				require.Zero(t, cov.Differences(), cov.Difference())
				requireHit(t, cov, "verdict_class/admit.low", "sent_class_trimmed_inserted/low.0.1",
					"beats_out_against_in/one_more.0.1", "answer_taken_at_port/after_note", "answer_comes_to_reader/later")
				return
			}
			require.NotZero(t, cov.Differences())
			require.Contains(t, cov.Difference(), c.want)
		})
	}
}

func requireHit(t *testing.T, c *cover.Collector, names ...string) {
	t.Helper()
	for _, name := range names {
		n, ok := c.Hits(name)
		require.True(t, ok, "no bin %s", name)
		require.NotZero(t, n, name)
	}
}
