package reference

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
)

// Each choice is the reference that was given, and no other is played in its place: only our model runs in lockstep,
// and
// only with a design that keeps the contract's time.
func TestOf(t *testing.T) {
	exact, other := &bind.Binding{File: "dut.yaml", Latency: bind.Exact}, &bind.Binding{File: "other.yaml",
		Latency: bind.Elastic}
	for _, c := range []struct {
		choice             Given
		kind, title, flags string
		ours, events       bool
		lockstep           [3]bool // with a design of ours, an exact one and an elastic one
	}{
		{Given{}, "", "", "", true, false, [3]bool{true, true, false}},
		{Given{Expect: "a.gwv"}, "file", "a.gwv", "--expect a.gwv", false, true, [3]bool{}},
		{Given{Against: other}, "against", "other.yaml", "--against other.yaml", false, false, [3]bool{}},
		{Given{Against: other, Self: true}, "against",
			"other.yaml (--self: it may be the design itself, and this checks the harness only)", "--against other.yaml --self",
			false, false, [3]bool{}},
		{Given{Golden: "unix:/s"}, "golden", "unix:/s", "--golden unix:/s", false, false, [3]bool{}},
	} {
		require.NoError(t, c.choice.One())
		g := c.choice
		require.Equal(t, []string{c.kind, c.title, c.flags}, []string{g.Kind(), g.Title(), strings.Join(g.Args(), " ")})
		require.Equal(t, []bool{c.ours, c.events}, []bool{g.Ours(), g.OwnEvents()}, c.kind)
		require.Equal(t, c.lockstep, [3]bool{g.Lockstep(nil), g.Lockstep(exact), g.Lockstep(other)}, c.kind)
	}
	for _, c := range []Given{{Expect: "a", Golden: "b"}, {Against: other, Golden: "b"}, {Expect: "a", Against: other}} {
		require.ErrorIs(t, c.One(), errSeveral)
	}
	require.ErrorContains(t, Given{}.Check(&bind.Binding{SchemaFile: "s.yaml", Block: small(t)}), "has no model here")
	require.NoError(t, Given{}.Check(nil))
	require.NoError(t, Given{}.Check(exact))
}
