package transport

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestChosenPerFlow: load balancer and congestion control are those that each
// flow, its host or the run names, in that order.
func TestChosenPerFlow(t *testing.T) {
	made := map[string][]int32{}
	named := func(name string) Option {
		return WithControl(cc.Row{Name: name, New: func(c cc.Config) (cc.Control, error) {
			made[name] = append(made[name], c.NIC)
			return cc.FixedWindow(0)(c)
		}})
	}
	s := settings.DefaultSpec()
	s.CC, s.CCHosts = "a", map[int32]string{2: "b"}
	var list []traffic.Message
	for i := range int32(4) {
		list = append(list, traffic.Message{Src: i, Dst: 100 + i, Bytes: 200_000, Conn: i})
	}
	list[3].CC, list[3].LB = "c", "ecmp"
	entropies := map[int32]map[uint16]bool{}
	verified(t, s, WithMessages(list), named("a"), named("b"), named("c"), WithTap(func(ev *cc.Event) bool {
		if ev.Kind == cc.KindSend {
			if entropies[ev.NIC] == nil {
				entropies[ev.NIC] = map[uint16]bool{}
			}
			entropies[ev.NIC][ev.Entropy] = true
		}
		return true
	}))
	require.Equal(t, map[string][]int32{"a": {0, 1}, "b": {2}, "c": {3}}, made)
	require.Len(t, entropies[3], 1)
	require.Greater(t, len(entropies[1]), 30)
}

func TestMessagesRefused(t *testing.T) {
	ok := traffic.Message{Src: 0, Dst: 1, Bytes: 5}
	for want, edit := range map[string]func(*traffic.Message){
		"there are hosts 0 to 127": func(m *traffic.Message) { m.Dst = 128 },
		"does not send to itself":  func(m *traffic.Message) { m.Dst = 0 },
		"0 bytes":                  func(m *traffic.Message) { m.Bytes = 0 },
		"before time 0":            func(m *traffic.Message) { m.Start = -1 },
		"connection 9":             func(m *traffic.Message) { m.Conn = 9 },
		"after: waits for 0":       func(m *traffic.Message) { m.After = []int32{0} },
		"load balancer":            func(m *traffic.Message) { m.LB = "x" },
	} {
		m := ok
		edit(&m)
		_, err := Run(t.Context(), settings.DefaultSpec(), WithMessages([]traffic.Message{m}))
		require.ErrorContains(t, err, "messages[0]")
		require.ErrorContains(t, err, want)
	}
}

// TestOrderOnAConnection: messages of one connection are sent one after another,
// back to back, and delivered in order.
func TestOrderOnAConnection(t *testing.T) {
	var list []traffic.Message
	for range 5 {
		list = append(list, traffic.Message{Src: 3, Dst: 90, Bytes: 100_001})
	}
	s := settings.DefaultSpec()
	h := NewShadow(t, s)
	r := verified(t, s, WithMessages(list), WithTap(h.Tap))
	h.Closed()
	for i := range r.Flows[1:] {
		gap := r.Flows[i+1].Delivered - r.Flows[i].Delivered
		require.Positive(t, gap)
		require.InDelta(t, float64(25*units.Picos(s.MTU)*20), float64(gap), float64(3*units.Picos(s.MTU)*20),
			"no idle link between them")
	}
}

// TestSLEEKFindsLossesEarly: where half a percent of packets is lost, SLEEK ends
// a flow sooner than timeouts alone, and sends probes.
func TestSLEEKFindsLossesEarly(t *testing.T) {
	mean := map[settings.Recovery]float64{}
	for _, rec := range []settings.Recovery{settings.RecoverRTO, settings.RecoverSLEEK} {
		s := settings.DefaultSpec()
		s.FlowBytes, s.LossProb, s.Recovery, s.RTO = 1_000_000, 5e-3, rec, 200*units.Microsecond
		r := books(t, s)
		mean[rec] = r.FCT().Mean
		if rec == settings.RecoverSLEEK {
			require.NotZero(t, r.Counters.Probes)
			require.NotZero(t, r.Counters.Recoveries)
		} else {
			require.Zero(t, r.Counters.Probes+r.Counters.Recoveries)
		}
	}
	t.Log(mean)
	require.Less(t, mean[settings.RecoverSLEEK], 0.7*mean[settings.RecoverRTO])
}

// TestPerFlowRTT: with base RTTs of its own path a flow inside a rack begins
// with a smaller window.
func TestPerFlowRTT(t *testing.T) {
	s := settings.DefaultSpec()
	s.PerFlowRTT = true
	bases := map[int32]units.Picos{}
	list := []traffic.Message{{Src: 0, Dst: 1, Bytes: 1}, {Src: 4, Dst: 8, Bytes: 1, Conn: 1},
		{Src: 8, Dst: 127, Bytes: 1, Conn: 2}}
	verified(t, s, WithMessages(list), WithCC(func(c cc.Config) (cc.Control, error) {
		bases[c.NIC] = c.BaseRTT
		require.Equal(t, 3*int64(c.BaseRTT)/40, c.MaxWnd)
		return cc.NSCC(nil)(c)
	}))
	per := s.RoundTrip() / 6
	require.Equal(t, map[int32]units.Picos{0: 2 * per, 4: 4 * per, 8: 6 * per}, bases)
}

func TestMatrixFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cm")
	require.NoError(t, os.WriteFile(file, []byte("Nodes 128\nConnections 2\n0->5 id 11 start 0 size 5000\n9->5 "+
		"id 12 start 3 size 70000\n"), 0o600))
	s := settings.DefaultSpec()
	s.Workload, s.MatrixFile, s.MatrixUnit = settings.Matrix, file, "us"
	r := verified(t, s)
	require.Equal(t, int32(12), r.Flows[1].Name)
	require.Equal(t, 3*units.Microsecond, r.Flows[1].Start)
	require.Equal(t, int64(70000), r.Flows[1].Bytes)
	s.MatrixFile += "x"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "connection matrix")
}

// TestCollectiveBound: a ring collective on an idle network of one rack takes
// its lower bound, and never less on any.
func TestCollectiveBound(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.Leaves, s.LeafHosts, s.Spines = settings.LeafSpine, 1, 8, 1
	s.Workload, s.FlowBytes, s.LB = settings.AllReduce, 8*40*int64(s.MTU-s.HeaderBytes), lb.Oblivious
	r := books(t, s)
	require.Len(t, r.Flows, 8*14)
	last := units.Picos(0)
	for _, f := range r.Flows {
		last = max(last, f.Acked)
	}
	require.GreaterOrEqual(t, last, r.Bound)
	require.InEpsilon(t, float64(r.Bound), float64(last), 0.02)
}

// TestEveryWorkloadIsDeterministic runs each workload twice.
func TestEveryWorkloadIsDeterministic(t *testing.T) {
	for _, w := range settings.Workloads() {
		if w == settings.Matrix {
			continue
		}
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			s := settings.DefaultSpec()
			s.K, s.Incast, s.FlowBytes, s.LB, s.Recovery = 4, 7, 60_000, lb.Mixed, settings.RecoverSLEEK
			s.Workload, s.Sizes, s.Elephants, s.Ring, s.CDF, s.Load, s.Flows = w, []int64{1, 90_000}, 4, 2, "fb_hadoop", 0.4, 100
			sameRun(t, books(t, s), books(t, s))
		})
	}
}
