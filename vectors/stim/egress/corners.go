package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
)

// sameCycleCases offer an enqueue and a grant together, at every distance of a few cycles.
func sameCycleCases(add adder) {
	for _, c := range []struct {
		name string
		fill func(depth int) int
	}{{"empty", func(int) int { return 0 }}, {"one", func(int) int { return 1 }}, {"two", func(int) int { return 2 }},
		{"all-but-one", func(d int) int { return d - 1 }}, {"full", func(d int) int { return d }}} {
		for cls := range 3 {
			about := "an enqueue and a grant of one queue in one cycle, before and after"
			add(fmt.Sprintf("same-cycle/%s-%d", c.name, cls), about, func(d *directed) {
				d.plain()
				d.cfg(egress.RegSched, 1)
				for range 3 {
					d.pkt(0, cls, 100, "e")
					d.grant(0)
				}
				for range c.fill(d.Params["Depth"]) {
					d.pktWait(0, cls, 100, "e", 1<<laneEnq)
				}
				for skew := -4; skew <= 4; skew++ {
					// Both wait for the same events, so the gaps decide which comes first.
					d.Skewed(40, skew, func() { d.pkt(0, cls, 100, "e") }, func() { d.grant(0) })
				}
				d.all(0)
			})
		}
	}
}

// refusedCases sweep the codes and addresses.
func refusedCases(add adder) {
	add("refused/kinds", "unknown kinds, ports, classes and addresses change nothing", func(d *directed) {
		d.plain()
		d.pkt(0, 0, 100, "e")
		for k := range 16 {
			for _, port := range []int{0, d.last(), d.last() + 1, 255} {
				for cls := range 4 {
					d.enq(&egress.Enq{Kind: egress.Kind(k), Port: uint8(port), Cls: egress.Cls(cls),
						Addr: uint8(20 + k%12), Data: 0x5a5a5a5a, Len: 7}, 0)
				}
			}
		}
		for a := range 32 {
			for _, k := range []egress.Kind{egress.KindLoad, egress.KindRead, egress.KindCfgWrite, egress.KindCfgRead} {
				d.enq(&egress.Enq{Kind: k, Addr: uint8(a), Data: 3}, 0)
				d.enq(&egress.Enq{Kind: k, Addr: uint8(a), Data: 0xfffffffe, Port: 255, Cls: 3}, 0)
			}
		}
		d.all(0)
		d.grant(0)
		d.grant(d.last() + 1)
		d.grant(255)
		d.all(d.last())
	})
}

// timingCases are about ports and resets.
func timingCases(add adder) {
	add("timing/full-rate", "an enqueue and a grant every cycle", func(d *directed) {
		d.plain()
		n := d.Params["NumPorts"]
		for i := range 600 {
			d.pktWait(i%n, i%3, 64+i, "te", 0)
			d.deq((i+n/2)%n, 0)
		}
		d.all(0)
	})
	add("timing/one-port", "grants of one port come every second cycle", func(d *directed) {
		d.plain()
		for i := range 200 {
			d.pktWait(d.last(), i%3, 64, "", 0)
			d.deq(d.last(), 0)
		}
		d.all(d.last())
	})
	add("timing/refused-grants", "grants out of range keep their distance too", func(d *directed) {
		n := d.Params["NumPorts"]
		for i := range 60 {
			d.deq(n+i%3/2, 0)
		}
	})
	add("timing/port-bits", "grants of one port and of ports that differ in one bit, in a row", func(d *directed) {
		for bit := range 8 {
			for _, port := range []int{1 << bit, 1 << bit, 0, 1 << bit, 255 ^ 1<<bit, 255, 255} {
				d.deq(port, 0)
			}
		}
	})
	add("timing/exclusive", "every distance between events and an exclusive one, grants on both sides", func(d *directed) {
		d.plain()
		for g := range 9 {
			for _, load := range []bool{false, true} {
				d.pkt(0, 0, 100, "e")
				d.Gap(20)
				d.deq(0, 0)
				d.Alike(16 + g)
				if load {
					d.enq(&egress.Enq{Kind: egress.KindLoad, Addr: 2, Data: uint32(g)}, 0)
				} else {
					d.enq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: egress.RegKDet, Data: uint32(g)}, 0)
				}
				for i := range 6 {
					d.deq(i%d.Params["NumPorts"], 0)
				}
				d.pktWait(0, 0, 100, "", 0)
			}
		}
		d.all(0)
	})
	add("timing/exclusive-run", "exclusive events one after the other under a stream of grants", func(d *directed) {
		n := d.Params["NumPorts"]
		for i := range 40 {
			d.enq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: egress.RegKDet, Data: uint32(i)}, 0)
			d.deq(i%n, 0)
			d.deq((i+1)%n, 0)
		}
	})
	add("timing/exclusive-without-credit", "an exclusive event without a credit holds no grant up", func(d *directed) {
		n := d.Params["NumPorts"]
		for i := range 300 {
			if i%3 == 0 {
				d.enq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: egress.RegKDet, Data: uint32(i)}, 0)
			} else {
				d.pktWait(i%n, i%3, 10, "", 0)
			}
			d.deq(i%n, 0)
		}
		d.Drive.Stall = stim.Bursts(6, 80)
	})
	for _, g := range []struct {
		name        string
		idle, stall stim.Gate
	}{{"credits", stim.Gate{}, stim.Bursts(4, 40)}, {"trickle", stim.Gate{}, stim.Density(230)},
		{"idle", stim.Density(200), stim.Density(128)}} {
		add("timing/"+g.name, "responses are taken late, events come one in a while", func(d *directed) {
			n := d.Params["NumPorts"]
			for i := range 150 {
				d.pktWait(i%n, i%3, 100+i, "te", 0)
				d.deq(i*5%n, 0)
			}
			d.all(0)
			d.Gates(2, 2, g.idle, g.stall)
		})
	}
	add("timing/one-side", "one stream alone, the other's responses held back", func(d *directed) {
		n := d.Params["NumPorts"]
		for i := range 200 {
			d.pktWait(i%n, i%3, 100, "", 0)
			d.deq(i%n, 0)
		}
		d.Drive.StallMore = []stim.Gate{stim.Bursts(3, 120)}
	})
}

// egressResetCases put rst_n low in the sweep and in mid-stream.
func egressResetCases(add adder) {
	for _, at := range []struct {
		name  string
		delay func(w int) int
	}{{"first", func(int) int { return 1 }}, {"middle", func(w int) int { return w / 2 }},
		{"last", func(w int) int { return max(w-1, 1) }},
		{"done", func(w int) int { return w }}, {"after", func(w int) int { return w + 1 }}} {
		add("reset/in-sweep-"+at.name, "a reset in mid-sweep starts it again", func(d *directed) {
			d.Drive.Resets = append(d.Drive.Resets, stim.Reset{Delay: at.delay(d.Params["NumPorts"]), Low: 1})
			d.work(40)
			d.all(d.last())
		})
	}
	for _, n := range []struct{ items, delay, low int }{{1, 0, 1}, {5, 0, 2}, {16, 0, 1}, {40, 3, 5}, {60, 20, 1},
		{90, 60, 1}} {
		for _, held := range []bool{false, true} {
			name := fmt.Sprintf("reset/in-stream-%d-%d", n.items, n.delay)
			if held {
				name += "-held"
			}
			add(name, "a reset finds events everywhere, and leaves nothing", func(d *directed) {
				d.cfg(egress.RegKDet, 77)
				d.load(0, 0, 2, 99)
				d.work(n.items)
				d.Drive.Resets = append(d.Drive.Resets, stim.Reset{After: d.Used, Delay: n.delay, Low: n.low})
				d.work(30)
				d.all(0)
				d.enq(&egress.Enq{Kind: egress.KindCfgRead, Addr: egress.RegKDet}, 0)
				if held {
					d.Gates(2, 2, stim.Gate{}, stim.Bursts(1, 300))
				}
			})
		}
	}
}

// work appends packets and grants side by side.
func (d *directed) work(items int) {
	n := d.Params["NumPorts"]
	for i := range items {
		if i%2 == 0 {
			d.pktWait(i/2%n, i%3, 100+i, "te", 0)
		} else {
			d.deq(i/3%n, 0)
		}
	}
}
