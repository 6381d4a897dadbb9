package egress

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// What is told of an event leads to its response: the limits to the verdict, the scheduler's choice to the class, the
// products to the mark. Explaining changes no response, and its rules are those of the table.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/egress", port.Schema())
	require.NoError(t, err)
	spec := DefaultSpec()
	met := map[string]int{}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 11))
		m, err := New(spec)
		require.NoError(t, err)
		plain, err := New(spec)
		require.NoError(t, err)
		var d *event.Decision
		m.Explain(func(x *event.Decision) { d = x })
		for i := range 3000 {
			var got map[string]uint64
			steps := func() {
				got = map[string]uint64{}
				for _, s := range d.Steps {
					require.NotNil(t, book.Rule(s.Rule), s.Rule)
					got[s.Name] = s.Value.Uint64()
				}
				for output, rules := range d.By {
					for _, r := range rules {
						require.True(t, book.Decides(output, r), "%s comes from %s", output, r)
					}
				}
			}
			if i%2 == 0 {
				ev := drawEnq(rng, spec)
				var rsp, same port.Enqr
				m.explainEnq(&ev, &rsp)
				plain.queue.Enq(&ev, &same)
				require.Equal(t, same, rsp)
				steps()
				if len(got) == 0 {
					continue
				}
				require.Equal(t, [2]uint64{uint64(rsp.Cls), uint64(rsp.Len)}, [2]uint64{got["c"], got["n"]})
				switch {
				case got["due"] == 1 && !rsp.Trimmed:
					require.Equal(t, port.CauseUntrimmable, rsp.Cause)
				case got["bytes[p][c] + n"] > got["D"]:
					require.Equal(t, port.CauseLimit, rsp.Cause)
				case got["shared_bytes + n"] > got["SHARED"]:
					require.Equal(t, port.CauseShared, rsp.Cause)
				case got["packets[p][c]"] == uint64(spec.Depth):
					require.Equal(t, port.CauseFull, rsp.Cause)
				default:
					require.Equal(t, port.CauseNone, rsp.Cause)
				}
				met["cause "+rsp.Cause.String()]++
				continue
			}
			ev := port.Deq{Port: uint8(rng.IntN(spec.NumPorts + 1))}
			var rsp, same port.Deqr
			m.explainDeq(&ev, &rsp)
			plain.queue.Deq(&ev, &same)
			require.Equal(t, same, rsp)
			steps()
			if c, ok := got["c"]; ok {
				require.Equal(t, uint64(rsp.Cls), c)
				met["served "+rsp.Cls.String()]++
			}
			if chance, ok := got["(d - K_MIN) * P_MAX"]; ok {
				require.Equal(t, rsp.Ce, got["r * (K_MAX - K_MIN)"] < chance)
				met["drawn"]++
			}
		}
	}
	for _, want := range []string{"cause NONE", "cause LIMIT", "served LOW", "served MEDIUM", "served HIGH", "drawn"} {
		require.NotZero(t, met[want], "%s: %v", want, met)
	}
}
