package loop

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	parsed "github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	wire "github.com/goldwire/goldwire/vectors/stim/fabric/ackgen"
)

// edge is the way of feedback through hardware beside the simulator's own: each packet that reaches a host goes as a
// frame to the model of ackgen, the answer as a frame to that of ackparse, and its record to a source.
type edge struct {
	t      *testing.T
	served ackgen.Instant // a packet that came at 0
	wire   *wire.Wire
	gen    *ackgen.Receiver
	config ackparse.Config
	rand   stim.Rand
	buf    []byte
	owed   map[int32][]parsed.Rec // answers that have not reached their sources, by connection
	closed map[int32]bool
	came   *parsed.Rec // the record of the packet that departs
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
	_, ind, reply := e.gen.Receive(e.buf, ackgen.Instant{}, e.served)
	e.seen[ind.Verdict.String()]++
	e.seen[ind.NackCode.String()]++
	if reply == nil {
		return
	}
	var rec parsed.Rec
	v := ackparse.Parse(&e.config, reply, &rec)
	require.True(e.t, v.Passed(), "an answer is dropped: %v", v)
	e.owed[k.PDC] = append(e.owed[k.PDC], rec)
}

// feedback takes an acknowledgement of the simulator: hardware must have sent the same, field for field.
func (e *edge) feedback(k *net.Packet) {
	owed := e.owed[k.PDC]
	for i := range owed {
		if sameFeedback(k, &owed[i]) {
			rec := owed[i]
			e.came = &rec
			e.owed[k.PDC] = append(owed[:i], owed[i+1:]...)
			e.seen["compared"]++
			return
		}
	}
	if e.closed[k.PDC] && k.Cum == k.PSN+1 {
		e.seen["to a CLOSE again"]++
		return
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
		r.RcvdBytes == cc.RcvdUnits(k.Rcvd) && r.Ooo == k.OOO && uint16(r.Mpr) == k.Span &&
		r.ServiceTime == k.Service && r.RcvCwndPend == k.Pend && r.RC == (k.Flags&net.FlagRestore != 0)
}

// depart takes a packet that departs on the last link to its host.
func (e *edge) depart(s *sources, ev *net.PortEvent, link *topo.Port) {
	if e.came != nil {
		c := s.conns[s.of[ev.Packet.Conn]]
		bits := int64(ev.Packet.Size) * 8
		at := ev.Time + units.Picos(bits*1000/int64(link.Gbps)+link.Latency)
		c.came = append(c.came, arrival{*e.came, at})
		e.came = nil
	}
}

// alongside runs a simulation with the hardware beside it, and with halves, if there are any. It returns what was
// counted as well.
func alongside(t *testing.T, s settings.Spec, h *halves) (*edge, account.Counters) {
	e := &edge{t: t, wire: wire.NewWire(4096), gen: ackgen.NewReceiver(ackgen.Spec{Pdcs: 4096}),
		config: ackparse.DefaultConfig(), rand: stim.Seeded(1, "edge", t.Name(), 0), owed: map[int32][]parsed.Rec{},
		served: ackgen.Instant{Tick: uint32(cc.ServiceUnits(s.ServiceTime))},
		closed: map[int32]bool{}, seen: map[string]int{}}
	var rsp port.Cfgr
	e.gen.Configure(&port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegMpr, Data: uint32(s.MPR)}, &rsp)
	require.False(t, rsp.Refused)
	src := &sources{t: t, conns: map[connection]*outgoing{}, of: map[int32]connection{},
		last: map[int32]cc.Event{}, seen: e.seen, halves: h}
	if h != nil {
		h.wire, h.seen = e.wire, e.seen
	}
	layout, err := s.Layout()
	require.NoError(t, err)
	var ports []int32
	for i := range layout.Ports {
		if i < layout.Hosts || int(layout.Ports[i].To) < layout.Hosts {
			ports = append(ports, int32(i))
		}
	}
	res, err := fabric.Run(context.Background(), s, fabric.WithTap(func(ev *cc.Event) bool {
		src.tap(ev)
		return true
	}), fabric.WithPacketTap(func(kind net.PortKind, at int32, k *net.Packet) {
		if kind == net.PortDepart && int(layout.Ports[at].To) < layout.Hosts {
			e.packet(k)
		}
	}), fabric.WithPortTap(func(ev *net.PortEvent) {
		if int(ev.Port) < layout.Hosts {
			src.begins(ev)
		} else if ev.Kind == net.PortDepart {
			e.depart(src, ev, &layout.Ports[ev.Port])
		}
	}, ports...))
	require.NoError(t, err)
	for _, c := range src.conns {
		src.stale(c, math.MaxInt64)
	}
	return e, res.Counters
}

// The way of feedback over the wire gives a source the same acknowledgements as the simulator's direct one, packet for
// packet, and txstate and ccc the same events as the simulated sender's, event for event and at the same time.
func TestEdgeGivesTheSameFeedback(t *testing.T) {
	for i, c := range []struct {
		preset, settings string
		shows            []string
	}{
		{"fattree128/incast32", "", nil},
		{"fattree128/incast32", "flow.bytes=1000000 service.us=1", []string{"PSN_OOR", "ASKED"}},
		{"fattree128/permutation", "", nil}, {"spec128/incast32", "", nil}, {"fattree128/mixed", "", nil},
		{"stimulus/turnover", "", []string{"samples", "unmarked"}}, {"htsim/incast32-100g", "", nil},
		{"fattree128/failures", "", nil}, {"fattree128/alltoall", "", nil},
	} {
		t.Run(strings.TrimSpace(c.preset+" "+c.settings), func(t *testing.T) {
			if i > 3 {
				launchtest.Long(t, "the first three presets")
			}
			t.Parallel()
			p, err := presets.Lookup(c.preset)
			require.NoError(t, err)
			s := p.Spec
			s.FlowBytes = min(s.FlowBytes, 256<<10)
			s.SlowHosts, s.ServiceJitter, s.LossProb = 0, 0, 0 // a packet lost on the last link would reach hardware alone
			s.MPR = int(port.RegInfo[port.RegMpr].Reset)
			require.NoError(t, s.SetAll(strings.Fields(c.settings)...))
			e, _ := alongside(t, s, nil)
			t.Log(e.seen)
			require.Greater(t, e.seen["compared"], 1000)
			require.Greater(t, e.seen["events of ccc"], 1000)
			require.Greater(t, e.seen["RTTs"], 1000)
			require.Greater(t, e.seen["events of txstate"], e.seen["events of ccc"])
			require.Positive(t, e.seen["CLOSED"])
			for _, what := range c.shows {
				require.Positive(t, e.seen[what], what)
			}
			for conn, owed := range e.owed {
				if s.FailProb > 0 {
					break // a link that fails loses some
				}
				require.Empty(t, owed, "connection %d: hardware sends what the simulator does not", conn)
			}
		})
	}
}
