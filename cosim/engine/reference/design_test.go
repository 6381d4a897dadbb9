package reference

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/event"
)

// What one of two designs lacks, how it orders its answers and for how long it may take counts for both.
func TestAgainstTakesBothBindings(t *testing.T) {
	b,
		err := event.Parse([]byte("block: two\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: id, width: 4}, {name: y, width: 8}, {name: z, width: 70}]}\n  - {name: " +
		"log, dir: out, fields: [{name: l, width: 8}]}\n"))
	require.NoError(t, err)
	binding := func(latency bind.Latency, flush int, none ...string) *bind.Binding {
		x := &bind.Binding{Block: b, Latency: latency, Order: "stream", Flush: flush, Patience: 10,
			Reset: bind.Reset{Cycles: 4}, Map: map[string]bind.Expr{}}
		for _, name := range none {
			x.Map[name] = bind.Expr{None: true}
		}
		return x
	}
	mask := func(fields ...string) []uint64 { return binding(bind.Elastic, 1, fields...).Uncompared() }
	both := func(x, y *bind.Binding) (*design, elastic.Spec) {
		d, spec := newDesign(t.Context(), Given{Against: y}, x, &device.Device{}), device.Elastic(x)
		d.Adapt(&spec)
		return d, spec
	}
	for _, c := range []struct{ x, y []string }{{nil, []string{"rsp.z"}}, {[]string{"rsp.y"}, []string{"rsp.z", "log.l"}},
		{[]string{"rsp.y", "log.l"}, nil}} {
		d, spec := both(binding(bind.Elastic, 5, c.x...), binding(bind.Exact, 9, c.y...))
		require.Equal(t, mask(append(c.x, c.y...)...), spec.Skip)
		require.False(t, d.exact())
		require.NotNil(t, d.named)
		require.Equal(t, 5, spec.Flush, "the second one waits by its own")
	}
	for _, flush := range [][2]int{{5, 9}, {9, 5}} {
		d, spec := both(binding(bind.Exact, flush[0], "rsp_ready"), binding(bind.Exact, flush[1], "log_ready"))
		require.True(t, d.exact())
		require.Equal(t, 9, spec.Flush, "what the slower may take is waited for")
		require.Equal(t, []bool{true, true}, spec.NoStall)
	}
	keyed := binding(bind.Elastic, 5)
	keyed.Order, keyed.Key = "context", "id"
	for _, two := range [][2]*bind.Binding{{keyed, binding(bind.Elastic, 5)}, {binding(bind.Elastic, 5), keyed}} {
		_, spec := both(two[0], two[1])
		require.Equal(t, []any{elastic.Context, "id"}, []any{spec.Order, spec.Key})
	}
}
