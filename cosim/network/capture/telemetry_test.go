package capture

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet"
)

// TestTelemetryInCaptures: at each place of the way a packet shows as many entries as switches have sent it, that of
// the port at hand with them, whose time is that of the departure.
func TestTelemetryInCaptures(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	spec := p.Spec
	spec.FlowBytes, spec.INT = 100_000, settings.INTData
	n, err := spec.Layout()
	require.NoError(t, err)
	for _, link := range []string{"host0->tor0", "agg0->tor0", "tor0->host0"} {
		ports, err := Ports(n, link)
		require.NoError(t, err)
		var file bytes.Buffer
		w, err := NewWriter(&file, DefaultSpec(), n, ports)
		require.NoError(t, err)
		var events []net.PortEvent
		told, hops := 0, 0
		_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(func(ev *net.PortEvent) {
			w.Tap(ev)
			if ev.Kind == net.PortDepart {
				one := *ev
				one.Packet.INT = append([]uint64(nil), ev.Packet.INT...)
				events = append(events, one)
			}
		}, ports...))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		all := frames(t, file.Bytes())
		require.Len(t, all, len(events))
		for i := range events {
			k := &events[i].Packet
			got, err := packet.ReadTelemetry(packet.Judge(all[i]).Payload, INTMagic)
			if k.Trimmed || k.Kind != net.PacketData && k.Kind != net.PacketAck {
				require.Error(t, err, "%v", k.Kind)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, k.INT, got.Entries)
			if k.Kind == net.PacketAck {
				if len(k.INT) > 0 { // that of an ACK request has none
					told++
				}
				continue
			}
			hops++
			last := packet.DecodeEntry(got.Entries[len(got.Entries)-1])
			require.EqualValues(t, events[i].Time/1000&(1<<24-1), last.TS)
		}
		if link == "host0->tor0" {
			require.Greater(t, told, 20, "ACKs bring back what data has met")
		} else {
			require.Greater(t, hops, 20, link)
		}
	}
}

// TestFlowsInCaptures: the ACKs of FNCC with LHCS hold the number of flows to the receiver, those of HPCC, which does
// not read it, 0.
func TestFlowsInCaptures(t *testing.T) {
	for _, control := range []string{"hpcc", "fncc", "fncc-lhcs"} {
		p, err := presets.Lookup("fattree128/incast32")
		require.NoError(t, err)
		spec := p.Spec
		spec.FlowBytes, spec.CC, spec.INT, spec.Retrace = 100_000, control, settings.INTAck, true
		if control == "hpcc" {
			spec.INT = settings.INTData
		}
		n, err := spec.Layout()
		require.NoError(t, err)
		ports, err := Ports(n, "host0->tor0")
		require.NoError(t, err)
		var file bytes.Buffer
		w, err := NewWriter(&file, DefaultSpec(), n, ports)
		require.NoError(t, err)
		most := uint16(0)
		_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(w.Tap, ports...), fabric.WithTap(func(ev *cc.Event) bool {
			most = max(most, ev.Flows)
			return true
		}))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		acks, shown := 0, uint16(0)
		for _, data := range frames(t, file.Bytes()) {
			if got, err := packet.ReadTelemetry(packet.Judge(data).Payload, INTMagic); err == nil {
				acks++
				shown = max(shown, got.Flows)
			}
		}
		require.Greater(t, acks, 500, control)
		require.Equal(t, most, shown, control)
		require.Equal(t, control == "fncc-lhcs", shown > 16, "%s: %d", control, shown)
	}
}
