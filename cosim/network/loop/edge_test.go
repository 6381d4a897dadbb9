package loop

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	parsed "github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	wire "github.com/goldwire/goldwire/vectors/stim/fabric/ackgen"
)

// edge is the way of feedback through hardware beside the simulator's own: each packet that reaches a host goes as a
// frame to the model of ackgen, and the answer as a frame to that of ackparse.
type edge struct {
	t      *testing.T
	wire   *wire.Wire
	gen    *ackgen.Receiver
	config ackparse.Config
	rand   stim.Rand
	buf    []byte
	owed   map[int32][]parsed.Rec // answers that have not reached their sources, by connection
	closed map[int32]bool
	seen   map[string]int
}

// packet takes a packet that departs to a host.
func (e *edge) packet(k *net.Packet) {
	if k.Kind == net.PacketAck || k.Kind == net.PacketNack {
		e.feedback(k)
		return
	}
	f, ok := e.wire.Frame(k)
	if !ok { // the connection was closed: hardware would answer that it has none, the simulator repeats its last ACK
		require.True(e.t, e.closed[k.PDC], "a packet of kind %d of connection %d", k.Kind, k.PDC)
		e.seen["late"]++
		return
	}
	e.closed[k.PDC] = k.Kind == net.PacketClose
	e.buf = f.Bytes(&e.rand, e.buf)
	_, ind, reply := e.gen.Receive(e.buf, ackgen.Instant{}, ackgen.Instant{})
	e.seen[ind.Verdict.String()]++
	if reply == nil {
		return
	}
	var rec parsed.Rec
	v := ackparse.Parse(&e.config, reply, &rec)
	require.True(e.t, v.Passed(), "an answer is dropped: %v", v)
	e.owed[k.PDC] = append(e.owed[k.PDC], rec)
}

// feedback takes an acknowledgement of the simulator: hardware must have sent the same, field for field, but for the
// pressure and the service time of the simulated host.
func (e *edge) feedback(k *net.Packet) {
	owed := e.owed[k.PDC]
	for i := range owed {
		if sameFeedback(k, &owed[i]) {
			e.owed[k.PDC] = append(owed[:i], owed[i+1:]...)
			e.seen["compared"]++
			return
		}
	}
	if e.closed[k.PDC] && k.Cum == k.PSN+1 {
		return // to a CLOSE that was sent again
	}
	require.Fail(e.t, "feedback that hardware does not give", "connection %d: %+v\nhardware owes %+v", k.PDC, *k, owed)
}

// sameFeedback reports whether a record is what the simulator's packet holds.
func sameFeedback(k *net.Packet, r *parsed.Rec) bool {
	m, retx := k.Flags&net.FlagCE != 0, k.Flags&net.FlagRetx != 0
	if r.M != m || r.Retx != retx || r.Entropy != k.Entropy {
		return false
	}
	if k.Kind == net.PacketNack {
		return r.PdsType == parsed.PdsTypeNack && r.PSN == k.PSN && r.NackCode == uint8(k.Reason)
	}
	asked := k.Flags&(net.FlagProbe|net.FlagAR) != 0
	switch {
	case r.PdsType != parsed.PdsTypeAckCc, r.Probe != asked:
		return false
	case asked && r.Opaque != uint16(k.PSN), !asked && r.AckPSN != k.PSN:
		return false
	}
	return r.PSN == k.Cum-1 && r.SackBase == k.SackBase && r.SackBitmap == k.Sack &&
		r.RcvdBytes == cc.RcvdUnits(k.Rcvd) && r.Ooo == k.OOO && uint16(r.Mpr) == k.Span
}

// The way of feedback over the wire gives a source the same acknowledgements as the simulator's direct one, packet for
// packet: what they hold is all that txstate and ccc are given.
func TestEdgeGivesTheSameFeedback(t *testing.T) {
	names := []string{"fattree128/incast32", "fattree128/permutation", "spec128/incast32", "fattree128/mixed",
		"stimulus/turnover", "htsim/incast32-100g", "fattree128/failures", "fattree128/alltoall"}
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			if i > 2 {
				launchtest.Long(t, "the first three presets")
			}
			t.Parallel()
			p, err := presets.Lookup(name)
			require.NoError(t, err)
			s := p.Spec
			s.FlowBytes = min(s.FlowBytes, 256<<10)
			s.SlowHosts, s.LossProb = 0, 0 // a packet lost on the last link would reach hardware alone
			s.MPR = int(port.RegInfo[port.RegMpr].Reset)
			e := &edge{t: t, wire: wire.NewWire(4096), gen: ackgen.NewReceiver(ackgen.Spec{Pdcs: 4096}),
				config: ackparse.DefaultConfig(), rand: stim.Seeded(1, "edge", name, 0), owed: map[int32][]parsed.Rec{},
				closed: map[int32]bool{}, seen: map[string]int{}}
			layout, err := s.Layout()
			require.NoError(t, err)
			_, err = fabric.Run(context.Background(), s, fabric.WithPacketTap(func(kind net.PortKind, at int32, k *net.Packet) {
				if kind == net.PortDepart && int(layout.Ports[at].To) < layout.Hosts {
					e.packet(k)
				}
			}))
			require.NoError(t, err)
			t.Log(e.seen)
			require.Greater(t, e.seen["compared"], 1000)
			require.Positive(t, e.seen["CLOSED"])
			for conn, owed := range e.owed {
				if s.FailProb > 0 {
					break // a link that fails loses some
				}
				require.Empty(t, owed, "connection %d: hardware sends what the simulator does not", conn)
			}
		})
	}
}
