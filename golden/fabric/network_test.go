package fabric

import (
	"bytes"
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
	topologies := map[string]func(*Spec){
		"fattree": func(s *Spec) { s.K, s.Oversub = 4, 2 },
		"tiers": func(s *Spec) {
			s.K, s.TierGbps, s.TierLatency = 4, [2]int{800, 200}, [2]units.Picos{300_000, 2 * units.Microsecond}
		},
		"fattree2":  func(s *Spec) { s.K, s.Tiers = 6, 2 },
		"leafspine": func(s *Spec) { s.Topology, s.Leaves, s.LeafHosts, s.Spines = LeafSpine, 4, 4, 3 },
		"dumbbell":  func(s *Spec) { s.Topology, s.Switches, s.Senders = Dumbbell, 4, 5 },
		"file":      func(s *Spec) { s.Topology, s.TopologyFile = CustomFile, file },
	}
	switches := map[string]func(*Spec){
		"trim":     func(s *Spec) { s.TrimRule = TrimEither },
		"drop":     func(s *Spec) { s.Trim, s.DropAt, s.Recovery = false, 0.3, RecoverSLEEK },
		"lossless": func(s *Spec) { s.Trim, s.PFC, s.XOff, s.XOn = false, true, 60_000, 40_000 },
		"drr":      func(s *Spec) { s.DRR = [3]int{0, 1024, 3072} },
		"lossy":    func(s *Spec) { s.LossProb, s.Recovery, s.INT = 2e-3, RecoverSLEEK, INTData },
	}
	for tn, topology := range topologies {
		for sn, sw := range switches {
			for i, kind := range lb.Kinds() {
				t.Run(fmt.Sprintf("%s/%s/%s", tn, sn, kind), func(t *testing.T) {
					s := DefaultSpec()
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
	s := DefaultSpec()
	s.Topology, s.TopologyFile = CustomFile, "/nonexistent.yaml"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "topology file")
	require.ErrorContains(t, err, "/nonexistent.yaml")
}

// TestFailures: with a tenth of the links gone, at the start or later, every
// flow still ends; a host that is cut off leaves its flows unfinished, named.
func TestFailures(t *testing.T) {
	for _, at := range []units.Picos{0, 15 * units.Microsecond} {
		for _, rec := range []Recovery{RecoverRTO, RecoverSLEEK} {
			s := DefaultSpec()
			s.FlowBytes, s.FailProb, s.FailAt, s.Recovery, s.Seed = 1_000_000, 0.1, at, rec, 3
			r := books(t, s)
			if at > 0 {
				require.NotZero(t, r.Counters.DataLost, "packets on the links that fail are lost")
			}
		}
	}
	s := DefaultSpec()
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
	require.Len(t, Summarise(time.Second, r).Unfinished, 2)

	require.NoError(t, s.Set("fail.links", "tor0-core0"))
	require.ErrorContains(t, s.Validate(), `fail.links[0]: link "tor0-core0": no such link`)
}

// TestPFC: pauses keep the fullest input of a switch near its threshold, and
// nothing is dropped.
func TestPFC(t *testing.T) {
	p, err := Lookup("fattree128/lossless")
	require.NoError(t, err)
	paused := 0
	r := books(t, p.Spec, WithCC(cc.FixedWindow(0)), WithPortTap(func(ev *PortEvent) {
		if ev.Kind == PortPause {
			paused++
		}
	}))
	require.NotZero(t, r.Counters.Pauses)
	require.NotZero(t, paused)
	// At each of the four inputs of the last switch from above, and each of the
	// three hosts beside the receiver, may wait XOff and what is on its way.
	rtt := 2*int64(p.Spec.LinkLatency)/units.PerByte(p.Spec.LinkGbps) + 3*int64(p.Spec.MTU)
	for _, q := range r.Queues {
		if q.Class == "low" {
			require.LessOrEqual(t, q.Peak, 7*(p.Spec.XOff+rtt))
		}
	}
}

// TestDRRShares: two classes that both have enough to send share a link by their
// quanta, packet sizes aside, and a strict class goes before both.
func TestDRRShares(t *testing.T) {
	for _, quanta := range [][3]int{{0, 4096, 4096}, {0, 1024, 3072}, {0, 9000, 1000}} {
		b := newBench(t, false, func(s *Spec) { s.DRR, s.CtlDropAt = quanta, 1000 })
		b.p.limit[classLow] = 1 << 40
		for range 3000 {
			b.put(classMedium, 1000)
			b.put(classMedium, 200)
			b.put(classLow, 4096)
		}
		b.put(classHigh, 64)
		require.Equal(t, classHigh, b.choose(b.p))
		b.p.q[classHigh].pop(&b.pool)
		got := [classes]float64{}
		for range 3000 {
			c := b.choose(b.p)
			i := b.p.q[c].pop(&b.pool)
			got[c] += float64(b.pool.pkts[i].size)
		}
		require.InEpsilon(t, float64(quanta[1])/float64(quanta[2]), got[classMedium]/got[classLow], 0.03, "%v", quanta)
	}
}

// TestTelemetry: the records name the hops in order, their counters grow, and
// FNCC's are younger than HPCC's.
func TestTelemetry(t *testing.T) {
	age := map[INTMode]float64{}
	for _, mode := range []INTMode{INTData, INTAck} {
		p, err := Lookup("dumbbell/2")
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
				h := UnpackINT(w)
				require.Equal(t, w, h.Pack())
				codes[i] = h.Rate
				queued = queued || h.QLen > 0
				old := (uint32(ev.Time/units.Nanosecond) - h.TS) & (1<<24 - 1)
				sum += float64(old)
				n++
			}
			// The host link's rate is code 2; 50G is code 1. FNCC meets the last hop first.
			want := [3]uint8{1, 1, 2}
			if mode == INTAck {
				want = [3]uint8{2, 1, 1}
			}
			require.Equal(t, want, codes)
			return true
		}))
		require.True(t, queued)
		age[mode] = sum / float64(n)
	}
	require.Less(t, age[INTAck], age[INTData]*0.8)
}

// TestAdaptiveRouting: the switch takes the shortest queue, and among equals any with
// the same chance, whatever flow and entropy the packet has. One path for each flow
// and entropy meets the same collisions as long as the queues are equal.
func TestAdaptiveRouting(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.K, s.ARLevels = 8, 10 })
	w := &b.switches[0]
	require.Equal(t, int32(4), w.ups)
	for i := range w.ups {
		b.ports[w.up+i].q[classLow].bytes = 3 * b.ports[w.up].step
	}
	k := packet{dst: int32(len(b.hosts) - 1), class: classLow, flags: flagSteer}
	count := map[int32]int{}
	for range 4000 {
		count[b.route(w, &k)]++
	}
	require.Len(t, count, 4, "one flow and entropy takes every way")
	for _, n := range count {
		require.InDelta(t, 1000, n, 120)
	}
	b.ports[w.up+1].q[classLow].bytes++
	b.ports[w.up+3].q[classLow].bytes += b.ports[w.up].step
	clear(count)
	for range 3000 {
		count[b.route(w, &k)]++
	}
	require.Zero(t, count[w.up+3], "a band above the others")
	for i := range int32(3) {
		require.InDelta(t, 1000, count[w.up+i], 120, "a byte does not matter within a band")
	}
	b.ports[w.up+2].q[classLow].bytes -= 1
	for e := range uint16(20) {
		k.entropy = e
		require.Equal(t, w.up+2, b.route(w, &k))
	}
	k.flags = 0
	seen := map[int32]bool{}
	for e := range uint16(100) {
		k.entropy = e
		seen[b.route(w, &k)] = true
	}
	require.Len(t, seen, 4, "a packet that is not steered is hashed")
}

// TestAdaptiveRepeats: what adaptive routing draws comes from the run's seed alone, with
// any number of runs beside it, and from a stream of its own: marks and trims are drawn
// as they are without it.
func TestAdaptiveRepeats(t *testing.T) {
	s := DefaultSpec()
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
	b := newBench(t, false, nil)
	ecn, topology := *b.rngECN, *b.rngTopo
	w := &b.switches[0]
	before := *b.rngRoute
	b.shortest(w.up, w.ups, nil, classLow)
	require.NotEqual(t, before, *b.rngRoute)
	require.Equal(t, ecn, *b.rngECN)
	require.Equal(t, topology, *b.rngTopo)
	before = *b.rngRoute
	b.ports[w.up].q[classLow].bytes = b.ports[w.up].step
	b.shortest(w.up, 2, nil, classLow)
	require.Equal(t, before, *b.rngRoute, "nothing is drawn where one is shortest")
}

// TestPortTap: at every port what departs is what arrived and was not dropped,
// in the queue sizes reported, and trimmed packets are small.
func TestPortTap(t *testing.T) {
	p, err := Lookup("fattree128/incast32")
	require.NoError(t, err)
	s := p.Spec
	s.FlowBytes = 300_000
	kinds := map[PortKind]uint64{}
	last := units.Picos(0)
	r := books(t, s, WithPortTap(func(ev *PortEvent) {
		kinds[ev.Kind]++
		require.GreaterOrEqual(t, ev.Time, last)
		last = ev.Time
		if ev.Packet.Trimmed {
			require.Equal(t, int32(s.TrimBytes), ev.Packet.Size)
			require.Equal(t, int32(0), ev.Packet.Dst)
		}
	}))
	require.Equal(t, r.Counters.PktHops, kinds[PortArrive])
	require.Equal(t, r.Counters.Trims, kinds[PortTrim])
	require.NotZero(t, kinds[PortTrim])
	require.Equal(t, kinds[PortArrive], kinds[PortDepart]+kinds[PortDrop])

	one := uint64(0)
	again := books(t, s, WithPortTap(func(ev *PortEvent) {
		require.Equal(t, int32(0), ev.Port)
		one++
	}, 0))
	require.NotZero(t, one)
	require.Equal(t, r.Digest, again.Digest, "a tap changes nothing")
}

func TestDepthSeries(t *testing.T) {
	p, err := Lookup("dumbbell/2")
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
	p, err := Lookup("fattree128/mixed")
	require.NoError(t, err)
	runs, err := RunSeeds(t.Context(), p.Spec, []uint64{1, 2}, nil)
	require.NoError(t, err)
	sum := Summarise(3*time.Second, runs...)
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
	require.Less(t, sum.Jain, Figure(1))
	require.Greater(t, sum.Jain, Figure(0.3))
	require.GreaterOrEqual(t, sum.CCT, sum.CCTBound)
	require.Equal(t, sum.Rtx, runs[0].Counters.Retransmits+runs[1].Counters.Retransmits)
	text, err := json.Marshal(sum)
	require.NoError(t, err)
	var keys map[string]any
	require.NoError(t, json.Unmarshal(text, &keys))
	for _, k := range []string{"flows", "done", "fct_us", "new", "rtx", "trims", "drops", "ecn", "pkt_hops", "seconds", "rss_mb"} {
		require.Contains(t, keys, k)
	}
	for _, k := range []string{"mean", "p50", "p99", "max"} {
		require.Contains(t, keys["fct_us"], k)
	}
	var b bytes.Buffer
	require.NoError(t, WriteFlowsCSV(&b, runs...))
	require.Equal(t, 257, bytes.Count(b.Bytes(), []byte("\n")))
}
