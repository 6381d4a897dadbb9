package fabric

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// TestEveryTopologyKeepsItsBooks crosses topologies with balancers, recoveries
// and switches of all kinds.
func TestEveryTopologyKeepsItsBooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
hosts: [a, b, c, d, e, f]
switches: [s, t, u]
links:
  - {a: a, b: s}
  - {a: b, b: s, gbps: 100}
  - {a: c, b: t}
  - {a: d, b: t}
  - {a: e, b: u}
  - {a: f, b: u, latency_us: 3}
  - {a: s, b: t}
  - {a: s, b: t}
  - {a: t, b: u, gbps: 800}
  - {a: u, b: s}
`), 0o600))
	topologies := map[string]func(*settings.Spec){
		"fattree": func(s *settings.Spec) { s.K, s.Oversub = 4, 2 },
		"tiers": func(s *settings.Spec) {
			s.K, s.TierGbps, s.TierLatency = 4, [2]units.Gbps{800, 200}, [2]units.Picos{300_000, 2 * units.Microsecond}
		},
		"fattree2":  func(s *settings.Spec) { s.K, s.Tiers = 6, 2 },
		"leafspine": func(s *settings.Spec) { s.Topology, s.Leaves, s.LeafHosts, s.Spines = settings.LeafSpine, 4, 4, 3 },
		"dumbbell":  func(s *settings.Spec) { s.Topology, s.Switches, s.Senders = settings.Dumbbell, 4, 5 },
		"file":      func(s *settings.Spec) { s.Topology, s.TopologyFile = settings.CustomFile, file },
	}
	switches := map[string]func(*settings.Spec){
		"trim":     func(s *settings.Spec) { s.TrimRule = settings.TrimEither },
		"drop":     func(s *settings.Spec) { s.Trim, s.DropAt, s.Recovery = false, 0.3, settings.RecoverSLEEK },
		"lossless": func(s *settings.Spec) { s.Trim, s.PFC, s.XOff, s.XOn = false, true, 60_000, 40_000 },
		"drr":      func(s *settings.Spec) { s.DRR = [3]int{0, 1024, 3072} },
		"lossy":    func(s *settings.Spec) { s.LossProb, s.Recovery, s.INT = 2e-3, settings.RecoverSLEEK, settings.INTData },
	}
	for tn, topology := range topologies {
		for sn, sw := range switches {
			for i, kind := range lb.Kinds() {
				t.Run(fmt.Sprintf("%s/%s/%s", tn, sn, kind), func(t *testing.T) {
					s := settings.DefaultSpec()
					s.FlowBytes, s.LB = 300_000, kind
					s.Seed = uint64(i)
					topology(&s)
					sw(&s)
					if i%2 == 1 {
						s.CC = "nscc-htsim"
					}
					books(t, s)
				})
			}
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.TopologyFile = settings.CustomFile, "/nonexistent.yaml"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "topology file")
	require.ErrorContains(t, err, "/nonexistent.yaml")
}

// TestFailures: with a tenth of the links gone, at the start or later, every
// flow still ends; a host that is cut off leaves its flows unfinished, named.
func TestFailures(t *testing.T) {
	for _, at := range []units.Picos{0, 15 * units.Microsecond} {
		for _, rec := range []settings.Recovery{settings.RecoverRTO, settings.RecoverSLEEK} {
			s := settings.DefaultSpec()
			s.FlowBytes, s.FailProb, s.FailAt, s.Recovery, s.Seed = 1_000_000, 0.1, at, rec, 3
			r := books(t, s)
			if at > 0 {
				require.NotZero(t, r.Counters.DataLost, "packets on the links that fail are lost")
			}
		}
	}
	s := settings.DefaultSpec()
	require.NoError(t, s.Set("fail.links", "host5-tor1@10, tor9-agg9"))
	r := run(t, s)
	names := ""
	for _, f := range r.Unfinished() {
		require.True(t, f.Src == 5 || f.Dst == 5, "%v", &f)
		names += f.String() + "\n"
	}
	require.Len(t, r.Unfinished(), 2)
	require.Contains(t, names, "host 5 ccc 0")
	require.NotZero(t, r.Counters.GaveUp)
	require.ErrorContains(t, r.Verify(), "not finished")
	require.Len(t, result.Summarise(time.Second, r).Unfinished, 2)

	require.NoError(t, s.Set("fail.links", "tor0-core0"))
	require.ErrorContains(t, s.Validate(), `fail.links[0]: link "tor0-core0": no such link`)
}

// TestPFC: pauses keep the fullest input of a switch near its threshold, and
// nothing is dropped.
func TestPFC(t *testing.T) {
	p, err := presets.Lookup("fattree128/lossless")
	require.NoError(t, err)
	paused := 0
	r := books(t, p.Spec, WithCC(cc.FixedWindow(0)), WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind == net.PortPause {
			paused++
		}
	}))
	require.NotZero(t, r.Counters.Pauses)
	require.NotZero(t, paused)
	// At each of the four inputs of the last switch from above, and each of the
	// three hosts beside the receiver, may wait XOff and what is on its way.
	rtt := p.Spec.LinkGbps.PerByte().Bytes(2*p.Spec.LinkLatency) + 3*int64(p.Spec.MTU)
	for _, q := range r.Queues {
		if q.Class == "low" {
			require.LessOrEqual(t, q.Peak, 7*(p.Spec.XOff+rtt))
		}
	}
}

// TestTelemetry: the records name the hops in order, their counters grow, and
// FNCC's are younger than HPCC's.
func TestTelemetry(t *testing.T) {
	age := map[settings.INTMode]float64{}
	for _, mode := range []settings.INTMode{settings.INTData, settings.INTAck} {
		p, err := presets.Lookup("dumbbell/2")
		require.NoError(t, err)
		p.Spec.INT, p.Spec.TierGbps[0], p.Spec.FlowBytes = mode, 50, 1_000_000
		n, sum, queued := 0, 0.0, false
		books(t, p.Spec, WithTap(func(ev *cc.Event) bool {
			if ev.Kind != cc.KindAck {
				return true
			}
			require.Len(t, ev.INT, 3, mode)
			codes := [3]uint8{}
			for i, w := range ev.INT {
				h := net.UnpackINT(w)
				require.Equal(t, w, h.Pack())
				codes[i] = h.Rate
				queued = queued || h.QLen > 0
				old := (uint32(ev.Time/units.Nanosecond) - h.TS) & (1<<24 - 1)
				sum += float64(old)
				n++
			}
			// The host link's rate is code 2; 50G is code 1. FNCC meets the last hop first.
			want := [3]uint8{1, 1, 2}
			if mode == settings.INTAck {
				want = [3]uint8{2, 1, 1}
			}
			require.Equal(t, want, codes)
			return true
		}))
		require.True(t, queued)
		age[mode] = sum / float64(n)
	}
	require.Less(t, age[settings.INTAck], age[settings.INTData]*0.8)
}

// TestAdaptiveRepeats: what adaptive routing draws comes from the run's seed alone, with
// any number of runs beside it.
func TestAdaptiveRepeats(t *testing.T) {
	s := settings.DefaultSpec()
	s.K, s.LB, s.FlowBytes, s.Seed = 4, lb.AR, 300_000, 1
	want := books(t, s).Digest
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 4} {
		runtime.GOMAXPROCS(procs)
		runs, err := RunSeeds(t.Context(), s, []uint64{2, 1, 3, 1}, nil)
		require.NoError(t, err)
		require.Equal(t, want, runs[1].Digest)
		require.Equal(t, want, runs[3].Digest)
		require.NotEqual(t, want, runs[0].Digest)
	}
}

// TestPortTap: at every port what departs is what arrived and was not dropped,
// in the queue sizes reported, and trimmed packets are small.
func TestPortTap(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	s := p.Spec
	s.FlowBytes = 300_000
	kinds := map[net.PortKind]uint64{}
	last := units.Picos(0)
	r := books(t, s, WithPortTap(func(ev *net.PortEvent) {
		kinds[ev.Kind]++
		require.GreaterOrEqual(t, ev.Time, last)
		last = ev.Time
		if ev.Packet.Trimmed {
			require.Equal(t, int32(s.TrimBytes), ev.Packet.Size)
			require.Equal(t, int32(0), ev.Packet.Dst)
		}
	}))
	require.Equal(t, r.Counters.PktHops, kinds[net.PortArrive])
	require.Equal(t, r.Counters.Trims, kinds[net.PortTrim])
	require.NotZero(t, kinds[net.PortTrim])
	require.Equal(t, kinds[net.PortArrive], kinds[net.PortDepart]+kinds[net.PortDrop])

	one := uint64(0)
	again := books(t, s, WithPortTap(func(ev *net.PortEvent) {
		require.Equal(t, int32(0), ev.Port)
		one++
	}, 0))
	require.NotZero(t, one)
	require.Equal(t, r.Digest, again.Digest, "a tap changes nothing")
}

func TestDepthSeries(t *testing.T) {
	p, err := presets.Lookup("dumbbell/2")
	require.NoError(t, err)
	p.Spec.FlowBytes, p.Spec.Stagger = 1_000_000, 0
	n, err := p.Spec.Layout()
	require.NoError(t, err)
	trunk, err := n.FindPort("sw0->sw1")
	require.NoError(t, err)
	_, err = n.FindPort("sw0-sw1")
	require.ErrorContains(t, err, `port "sw0-sw1": no such port; names are like host0->sw0`)
	r := books(t, p.Spec, WithDepth(2*units.Microsecond, trunk))
	require.Equal(t, []string{"sw0->sw1"}, r.Depth.Names)
	require.Greater(t, len(r.Depth.Points), 50)
	peak := int64(0)
	for i, pt := range r.Depth.Points {
		require.Equal(t, units.Picos(i)*2*units.Microsecond, pt.Time)
		require.GreaterOrEqual(t, pt.Sum, pt.Max)
		require.GreaterOrEqual(t, pt.Max, pt.Ports[0])
		peak = max(peak, pt.Ports[0])
	}
	require.Greater(t, peak, int64(50_000), "two senders at full rate meet here")
	var b bytes.Buffer
	require.NoError(t, r.Depth.WriteCSV(&b))
	require.Contains(t, b.String(), "time_ps,sum,max,sw0->sw1\n0,")
}

func TestSummary(t *testing.T) {
	p, err := presets.Lookup("fattree128/mixed")
	require.NoError(t, err)
	runs, err := RunSeeds(t.Context(), p.Spec, []uint64{1, 2}, nil)
	require.NoError(t, err)
	sum := result.Summarise(3*time.Second, runs...)
	require.Equal(t, 256, sum.Flows)
	require.Len(t, sum.Runs, 2)
	require.Equal(t, uint64(2), sum.Runs[1].Seed)
	require.Equal(t, 128, sum.Runs[1].Done)
	require.Equal(t, sum.Rtx, sum.Runs[0].Rtx+sum.Runs[1].Rtx)
	require.Equal(t, 256, sum.Done)
	require.Empty(t, sum.Unfinished)
	require.Len(t, sum.Slowdown, 3)
	for _, b := range sum.Slowdown {
		require.GreaterOrEqual(t, b.P50, 1.0)
		require.LessOrEqual(t, b.P50, b.P99)
		require.Equal(t, b.Low, b.High)
	}
	require.Less(t, sum.Jain, result.Figure(1))
	require.Greater(t, sum.Jain, result.Figure(0.3))
	require.GreaterOrEqual(t, sum.CCT, sum.CCTBound)
	require.Equal(t, sum.Rtx, runs[0].Counters.Retransmits+runs[1].Counters.Retransmits)
	text, err := json.Marshal(sum)
	require.NoError(t, err)
	var keys map[string]any
	require.NoError(t, json.Unmarshal(text, &keys))
	for _, k := range []string{"flows", "done", "fct_us", "new", "rtx", "trims", "drops", "ecn", "pkt_hops",
		"seconds", "rss_mb"} {
		require.Contains(t, keys, k)
	}
	for _, k := range []string{"mean", "p50", "p99", "max"} {
		require.Contains(t, keys["fct_us"], k)
	}
	var b bytes.Buffer
	require.NoError(t, result.WriteFlowsCSV(&b, runs...))
	require.Equal(t, 257, bytes.Count(b.Bytes(), []byte("\n")))
}

func TestEnds(t *testing.T) {
	s := small(settings.Permutation)
	s.Rounds = 0
	_, err := Run(context.Background(), s)
	require.ErrorIs(t, err, transport.ErrEndless)

	s.MaxTime = 100 * units.Microsecond
	r := run(t, s)
	require.False(t, r.Stopped)
	require.Equal(t, s.MaxTime, r.Time)
	require.NotEmpty(t, r.Unfinished())
	require.ErrorContains(t, r.Verify(), "not finished")
	f := r.Unfinished()[0]
	require.ErrorContains(t, r.Verify(), f.String())

	s.MaxTime = 0
	n := 0
	r = run(t, s, WithTap(func(*cc.Event) bool { n++; return n < 200_000 }))
	require.Equal(t, 200_000, n, "the tap is not called after it ended the run")
	require.True(t, r.Stopped)
	require.NoError(t, r.Verify())
	require.Greater(t, len(r.Flows), 256, "a context goes on with its next flow")
}
