package series

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// record runs a preset with a recorder of flows and ports, and other on the same ports.
func record(t *testing.T, spec settings.Spec, flows []int32, names []string,
	other func(*net.PortEvent)) (*Recorder, *result.Result) {
	t.Helper()
	n, err := spec.Layout()
	require.NoError(t, err)
	var ports []int32
	for _, name := range names {
		p, err := n.FindPort(name)
		require.NoError(t, err)
		ports = append(ports, p)
	}
	rec := NewRecorder(n, units.Microsecond/2, flows, ports)
	if flows == nil {
		rec = NewSlowest(n, units.Microsecond/2, ports)
	}
	res, err := fabric.Run(t.Context(), spec, fabric.WithTap(rec.Tap), fabric.WithDepth(units.Microsecond/2, ports...),
		fabric.WithPortTap(func(ev *net.PortEvent) { rec.PortTap(ev); other(ev) }, rec.Ports()...))
	require.NoError(t, err)
	plain, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	require.Equal(t, plain.Digest, res.Digest, "a series changes nothing")
	return rec, res
}

func lookup(t *testing.T, name string) settings.Spec {
	t.Helper()
	p, err := presets.Lookup(name)
	require.NoError(t, err)
	return p.Spec
}

// TestSeriesAddUp: rates and utilisation over time add up to the bytes that the links carried, pauses to those that a
// tap counts, and queues are those of the depth samples.
func TestSeriesAddUp(t *testing.T) {
	spec := lookup(t, "fattree128/incast32")
	spec.FlowBytes, spec.PFC, spec.Trim, spec.XOff, spec.XOn = 200_000, true, false, 100_000, 50_000
	names := []string{"tor0->host0", "agg0->tor0"}
	sent, carried, pauses := map[int32]int64{}, map[int32]int64{}, map[int32]int{}
	rec, res := record(t, spec, []int32{0, 5}, names, func(ev *net.PortEvent) {
		switch {
		case ev.Kind == net.PortPause:
			pauses[ev.Port]++
		case ev.Kind == net.PortDepart:
			carried[ev.Port] += int64(ev.Packet.Size)
			if ev.Packet.Kind == net.PacketData && ev.Port == ev.Packet.Src {
				sent[ev.Packet.Flow] += int64(ev.Packet.Size)
			}
		}
	})
	s, err := rec.Series(res)
	require.NoError(t, err)
	require.Len(t, s.Flows, 2)
	paused := 0
	for _, f := range s.Flows {
		sum, trips := 0.0, 0
		for _, p := range f.Points {
			sum += p.Gbps * float64(s.Every) / 8000
			require.Positive(t, p.Window)
			if p.RTT >= 0 {
				trips++
				require.Less(t, p.RTT, res.Time)
				require.Greater(t, p.RTT, units.Microsecond)
			}
		}
		require.InDelta(t, float64(sent[f.ID]), sum, 1)
		require.GreaterOrEqual(t, sent[f.ID], int64(200_000))
		require.Greater(t, trips, 5)
	}
	for i, p := range s.Ports {
		sum := 0.0
		for b, x := range p.Points {
			require.LessOrEqual(t, x.Utilisation, 1.0)
			sum += x.Utilisation * float64(s.Every) * 400 / 8000
			paused += x.Pauses
			pauses[rec.ports[i]] -= x.Pauses
			if b < len(res.Depth.Points) {
				require.Equal(t, res.Depth.Points[b].Ports[i], x.Queue)
			}
		}
		require.Equal(t, names[i], p.Name)
		require.InDelta(t, float64(carried[rec.ports[i]]), sum, 1)
		require.Zero(t, pauses[rec.ports[i]])
	}
	require.Positive(t, paused)

	var file bytes.Buffer
	require.NoError(t, s.WriteCSV(&file))
	rows, err := csv.NewReader(&file).ReadAll()
	require.NoError(t, err)
	want := 1
	for _, f := range s.Flows {
		want += len(f.Points)
	}
	for _, p := range s.Ports {
		want += len(p.Points)
	}
	require.Len(t, rows, want)
}

// TestSlowest: the flow with the greatest slowdown is followed as one named beforehand is. One that did not end counts
// as slower, one in the background not at all.
func TestSlowest(t *testing.T) {
	spec := lookup(t, "fattree128/incast32")
	spec.FlowBytes = 100_000
	rec, res := record(t, spec, nil, nil, func(*net.PortEvent) {})
	s, err := rec.Series(res)
	require.NoError(t, err)
	require.Len(t, s.Flows, 1)
	require.True(t, s.Slowest)
	slowdown := func(f *result.FlowResult) float64 { return float64(f.Acked-f.Start) / float64(f.Ideal) }
	slowest := s.Flows[0].ID
	for i := range res.Flows {
		require.LessOrEqual(t, slowdown(&res.Flows[i]), slowdown(&res.Flows[slowest]))
	}
	named, again := record(t, spec, []int32{slowest}, nil, func(*net.PortEvent) {})
	other, err := named.Series(again)
	require.NoError(t, err)
	require.Equal(t, other.Flows, s.Flows)
	require.False(t, other.Slowest)

	stuck := int32(7)
	if slowest == stuck {
		stuck = 8
	}
	res.Flows[stuck].Acked = -1
	require.Equal(t, []int32{stuck}, rec.slowest(res))
	res.Flows[stuck].Background = true
	require.Equal(t, []int32{slowest}, rec.slowest(res))
	require.Empty(t, rec.slowest(&result.Result{}))
}

// TestEmptySeriesAreErrors: nothing asked for, a flow that does not exist, one that never began, no row.
func TestEmptySeriesAreErrors(t *testing.T) {
	spec := lookup(t, "fattree128/incast32")
	n, err := spec.Layout()
	require.NoError(t, err)
	res := &result.Result{Flows: []result.FlowResult{{Start: -1, Acked: -1}, {Start: 0, Acked: 5}}}
	for _, c := range []struct {
		flows []int32
		want  string
	}{
		{nil, "nothing to show"}, {[]int32{2}, "there are flows 0 to 1"}, {[]int32{0}, "it has sent nothing"},
		{[]int32{1}, "it has sent nothing"},
	} {
		_, err := NewRecorder(n, 1000, c.flows, nil).Series(res)
		require.ErrorContains(t, err, c.want)
	}
	require.ErrorIs(t, (&Series{Every: 1}).WriteCSV(&bytes.Buffer{}), ErrNothing)
}

// TestWindowHolds: a window holds until its next value, and one that there is not is empty.
func TestWindowHolds(t *testing.T) {
	n, err := lookup(t, "fattree128/incast32").Layout()
	require.NoError(t, err)
	rec := NewRecorder(n, 1000, []int32{0}, nil)
	for _, e := range []struct {
		at   units.Picos
		cwnd int64
	}{{1100, 7}, {1900, 8}, {4000, 9}, {5000, cc.NoWindow}} {
		ev := cc.Event{Time: e.at, NIC: 3, CCC: 1}
		ev.Out.Cwnd = e.cwnd
		require.True(t, rec.Tap(&ev))
	}
	rec.PortTap(&net.PortEvent{Kind: net.PortDepart, Port: 3, Time: 1500, Packet: net.PacketInfo{Size: 10}})
	s, err := rec.Series(&result.Result{Flows: []result.FlowResult{{Src: 3, CCC: 1, Start: 0, Acked: 5500}}})
	require.NoError(t, err)
	var got []int64
	for _, p := range s.Flows[0].Points {
		got = append(got, p.Window)
		require.EqualValues(t, -1, p.RTT)
	}
	require.Equal(t, []int64{-1, 8, 8, 8, 9, cc.NoWindow}, got)
	require.Equal(t, 80.0, s.Flows[0].Points[1].Gbps, "200 ps of 1,000 at 400 Gb/s")
}
