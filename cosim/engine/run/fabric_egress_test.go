package run_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	stimfabric "github.com/goldwire/goldwire/vectors/stim/fabric"
	stimegress "github.com/goldwire/goldwire/vectors/stim/fabric/egress"
)

// portTally counts what one class of one port did with its packets. A trimmed packet counts as trimmed in the low class
// and as admitted or dropped in the medium class.
type portTally struct{ admitted, trimmed, dropped, marked, sent int }

// tallies are by port and class: 0 low, 1 medium, 2 high.
type tallies [][3]portTally

// fate is the outcome of a packet: the port it left by, its length, whether an earlier switch had marked it, and
// whether it is marked now.
type fate struct {
	port, class, size int
	before, ce        bool
}

// switchOfFabric runs a simulation and returns what its first ports did with the first n arrivals and departures, and
// the packets in the order in which they departed.
func switchOfFabric(t *testing.T, spec settings.Spec, ports, n int) (tallies, []fate) {
	t.Helper()
	layout, err := spec.Layout()
	require.NoError(t, err)
	out := make(tallies, ports)
	var sent []fate
	type key struct {
		port int
		conn int32
		psn  uint32
		kind net.PacketKind
		cut  bool
	}
	marked := map[key][]bool{} // on arrival
	var list []int32
	for i := range ports {
		list = append(list, int32(layout.Hosts+i))
	}
	_, err = fabric.Run(t.Context(), spec, fabric.WithTap(func(*cc.Event) bool { return n > 0 }),
		fabric.WithPortTap(func(e *net.PortEvent) {
			k := &e.Packet
			p, c := int(e.Port)-layout.Hosts, 2-int(k.Class)
			at := key{p, k.Conn, k.PSN, k.Kind, k.Trimmed}
			if e.Kind == net.PortArrive || e.Kind == net.PortDepart {
				n--
			}
			if n < 0 {
				return
			}
			row := &out[p]
			switch e.Kind {
			case net.PortArrive:
				marked[at] = append(marked[at], k.CE)
				row[c].admitted++
			case net.PortTrim:
				row[0].admitted--
				row[0].trimmed++
				row[1].admitted++
				was := at
				was.cut = false
				last := len(marked[was]) - 1 // it has just arrived
				marked[at] = append(marked[at], marked[was][last])
				marked[was] = marked[was][:last]
			case net.PortDrop:
				row[c].admitted--
				row[c].dropped++
				marked[at] = marked[at][:len(marked[at])-1]
			case net.PortDepart:
				before := marked[at][0]
				marked[at] = marked[at][1:]
				row[c].sent++
				if k.CE && !before {
					row[c].marked++
				}
				sent = append(sent, fate{p, c, int(k.Size), before, k.CE})
			}
		}, list...))
	require.NoError(t, err)
	require.LessOrEqual(t, n, 0, "the simulation ended before it showed as much as was asked")
	return out, sent
}

// egressTally plays a source of egress on a model or a device, one cycle per call, taking every response at once. It
// returns the same data as switchOfFabric: packets as they were granted, with the marks that the block decided.
func egressTally(t *testing.T, src stim.Source, ports int, cycle func(in, out []uint64)) (tallies, []fate) {
	t.Helper()
	l := event.NewLayout(egress.Schema())
	d := drive.NewDriver(l)
	ep, ok := src.Next()
	require.True(t, ok)
	ep.Drive = ep.Drive.Calm()
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	got, sent := make(tallies, ports), []fate(nil)
	var enq egress.Enqr
	var deq egress.Deqr
	d.Begin(ep)
	for d.Drive(in) {
		cycle(in, out)
		d.Observe(out)
		if in[0]&1 == 0 {
			continue
		}
		if out[0]&egress.OutEnqrValid != 0 {
			egress.UnpackEnqr(out, &enq)
			require.False(t, enq.Refused)
			if enq.Kind == egress.KindEnq {
				row := &got[enq.Port]
				require.NotContains(t, []egress.Cause{egress.CauseShared, egress.CauseFull}, enq.Cause,
					"the fabric has no such rule")
				if enq.Trimmed {
					row[0].trimmed++
				}
				if enq.Verdict == egress.VerdictDrop {
					row[enq.Cls].dropped++
				} else {
					row[enq.Cls].admitted++
				}
			}
		}
		if out[0]&egress.OutDeqrValid != 0 {
			egress.UnpackDeqr(out, &deq)
			require.False(t, deq.Refused || deq.Empty, "packet %d of port %d departs, the block has none", len(sent), deq.Port)
			row := &got[deq.Port][deq.Cls]
			row.sent++
			if deq.Ce {
				row.marked++
			}
			sent = append(sent, fate{port: int(deq.Port), class: int(deq.Cls), size: int(deq.Len), ce: deq.Ce})
		}
	}
	require.NoError(t, src.Err())
	require.Equal(t, got, egressCounters(t, d, l, ports, cycle), "responses against counters")
	return got, sent
}

// egressCounters reads the block's counters, as a driver of the hardware would.
func egressCounters(t *testing.T, d *drive.Driver, l *event.Layout, ports int, cycle func(in, out []uint64)) tallies {
	var reads []stim.Item
	read := make(tallies, ports)
	var into []*int
	for p := range ports {
		for c := range 3 {
			row := &read[p][c]
			// Words 2 enq_pkts, 4 deq_pkts, 6 trims, 7 drops, 8 marks.
			for _, x := range []struct {
				addr  uint8
				count *int
			}{{2, &row.admitted}, {4, &row.sent}, {6, &row.trimmed}, {7, &row.dropped}, {8, &row.marked}} {
				w := make([]uint64, l.In.Words)
				egress.PackEnq(&egress.Enq{Kind: egress.KindRead, Port: uint8(p), Cls: egress.Cls(c), Addr: x.addr}, w)
				reads, into = append(reads, stim.Item{Words: w}), append(into, x.count)
			}
		}
	}
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	d.Begin(stim.Recorded("read", egress.BlockName, 1, stim.DriveSpec{}, reads))
	n := 0
	for d.Drive(in) {
		cycle(in, out)
		d.Observe(out)
		if out[0]&egress.OutEnqrValid != 0 {
			var enq egress.Enqr
			egress.UnpackEnqr(out, &enq)
			require.Equal(t, egress.KindRead, enq.Kind)
			*into[n] = int(enq.Data)
			n++
		}
	}
	require.Len(t, into, n)
	return read
}

// sameRules are simulations whose switches egress must match packet for packet. Their ECN is deterministic, because the
// two would draw different numbers. The tight ones have thresholds of a few whole packets, so that every outcome occurs
// and queues are exactly at each threshold.
func sameRules(t *testing.T) map[string]settings.Spec {
	t.Helper()
	out := map[string]settings.Spec{}
	for _, name := range []string{"incast32", "permutation", "mixed", "websearch"} {
		spec, err := stimfabric.Switch.Spec(name, 3)
		require.NoError(t, err)
		spec.ECN = settings.ECNDeterministic
		out[name] = spec
		// Half a byte more than whole packets; rounding down removes it.
		whole := func(n, size int) float64 { return (float64(n*size) + 0.5) / float64(spec.BDP()) }
		spec.TrimAt, spec.TrimAtLastHop, spec.KDet, spec.CtlDropAt = whole(5, spec.MTU), whole(8, spec.MTU),
			whole(2, spec.MTU), whole(4, spec.CtlBytes)
		out[name+", tight"] = spec
		spec.Trim, spec.DropAt = false, whole(6, spec.MTU)
		out[name+", no trimming"] = spec
	}
	return out
}

// requireSame compares a switch of the fabric with the block and returns the sum over all ports. It ignores marks on
// packets that were marked before, because the fabric does not show them.
func requireSame(t *testing.T, spec settings.Spec, ports, events int, cycle func(in, out []uint64)) (sum portTally) {
	t.Helper()
	src, err := stimegress.OfSimulation(spec, stim.Options{Seed: 5, Events: events,
		Params: map[string]int{"NumPorts": ports, "Depth": sameDepth}})
	require.NoError(t, err)
	defer src.Close()
	want, departed := switchOfFabric(t, spec, ports, events-egress.NumRegs)
	got, granted := egressTally(t, src, ports, cycle)
	require.Len(t, granted, len(departed))
	for i, f := range departed {
		g := granted[i]
		if f.before && g.ce {
			got[g.port][g.class].marked--
		}
		require.Equal(t, fate{f.port, f.class, f.size, false, f.ce}, fate{g.port, g.class, g.size, false, g.ce || f.before},
			"departure %d", i)
	}
	require.Equal(t, want, got)
	for _, row := range want {
		for _, c := range row {
			sum.admitted += c.admitted
			sum.trimmed += c.trimmed
			sum.dropped += c.dropped
			sum.marked += c.marked
			sum.sent += c.sent
		}
	}
	return sum
}

// samePorts and sameDepth size the block: a whole top-of-rack switch, with queues that fill by bytes.
const samePorts, sameDepth = 8, 1024

// TestEgressDoesWhatTheFabricDoes feeds the model with the arrivals and departures at the ports of a simulated switch.
// By port and class, it admits, trims, drops, marks and sends the same packets as the simulation, and every packet that
// leaves has the same order, length and mark.
func TestEgressDoesWhatTheFabricDoes(t *testing.T) {
	t.Parallel()
	k, err := block.Lookup(egress.BlockName)
	require.NoError(t, err)
	all, specs := portTally{}, sameRules(t)
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		t.Run(name, func(t *testing.T) {
			m, err := k.NewModel(map[string]int{"NumPorts": samePorts, "Depth": sameDepth})
			require.NoError(t, err)
			sum := requireSame(t, specs[name], samePorts, 4_000, m.Cycle)
			t.Logf("%+v", sum)
			require.NotZero(t, sum.sent)
			all.trimmed += sum.trimmed
			all.dropped += sum.dropped
			all.marked += sum.marked
		})
	}
	require.NotZero(t, all.trimmed)
	require.NotZero(t, all.dropped)
	require.NotZero(t, all.marked)
}

// stepped returns a function that plays one cycle on the Verilated RTL of a block.
func stepped(t *testing.T, block string, params map[string]int) func(in, out []uint64) {
	t.Helper()
	bin, err := launch.Build(t.Context(), launch.BuildSpec{Root: root, Block: block, Params: params})
	require.NoError(t, err)
	opt := client.DefaultOptions()
	opt.Transport = client.Shm
	dev, err := client.Start(t.Context(), bin, opt)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	return func(in, out []uint64) { require.NoError(t, dev.Step(in, out)) }
}

// TestEgressRTLDoesWhatTheFabricDoes does the same with the Verilated RTL, one step per cycle, and counts the RTL's own
// outputs.
func TestEgressRTLDoesWhatTheFabricDoes(t *testing.T) {
	t.Parallel()
	cycle := stepped(t, egress.BlockName, map[string]int{"NumPorts": samePorts, "Depth": sameDepth})
	specs := sameRules(t)
	for _, name := range []string{"incast32", "incast32, tight", "incast32, no trimming", "permutation, tight",
		"websearch, tight"} {
		t.Run(name, func(t *testing.T) {
			sum := requireSame(t, specs[name], samePorts, 4_000, cycle)
			t.Logf("%+v", sum)
			require.NotZero(t, sum.sent)
		})
	}
}
