package bind

import "strings"

// The least and the longest period of a clock, in steps. A clock that is high and low has two.
const leastPeriod, mostPeriod = 2, 1000

// readClocks reads the key clocks: clocks of their own, each with its period, its phase and its streams.
func readClocks(b *Binding, ps *Problems, f *file) {
	if f.Clocks == nil || b.Block == nil || b.misread("clocks") {
		return
	}
	if len(f.Clock) > 0 {
		b.problem(ps, "clock", "clock and clocks are both given; keep clock where all of them are one, clocks where each "+
			"has its own period")
	}
	if b.Latency == Exact {
		b.problem(ps, "clocks", "clocks: latency exact compares every cycle, and several clocks have no cycle in common; "+
			"give latency: elastic")
	}
	where := map[string]string{} // stream: clock
	for _, port := range sortedKeys(f.Clocks) {
		c, key := f.Clocks[port], "clocks."+port
		d := Domain{Port: port, Period: c.Period, Phase: -1, Streams: c.Streams}
		if d.Period < leastPeriod || d.Period > mostPeriod {
			b.problem(ps, key, "clock %s: period %d is not in %d..%d steps", port, d.Period, leastPeriod, mostPeriod)
		}
		if c.Phase != nil {
			if d.Phase = *c.Phase; d.Phase < 0 || d.Phase >= d.Period {
				b.problem(ps, key, "clock %s: phase %d is not in 0..%d; without the key it is drawn", port, d.Phase, d.Period-1)
			}
		}
		for _, name := range c.Streams {
			switch other, twice := where[name]; {
			case b.Block.Stream(name) == nil:
				b.problem(ps, key, "clock %s: block %s has no stream %s", port, b.Block.Name, name)
			case twice:
				b.problem(ps, key, "clock %s: stream %s is on clock %s, too; keep one", port, name, other)
			}
			where[name] = port
		}
		b.Domains = append(b.Domains, d)
	}
	var left []string
	for _, s := range b.Block.Streams {
		if where[s.Name] == "" {
			left = append(left, s.Name)
		}
	}
	if len(left) > 0 {
		b.problem(ps, "clocks", "clocks: no clock has %s among its streams; give each stream its clock, as in {period: %d, "+
			"streams: [%s]}", strings.Join(left, ", "), leastPeriod, left[0])
	}
	for _, name := range sortedKeys(b.Map) {
		if e := b.Map[name]; e.Timed != nil {
			b.problem(ps, "map."+name, "%s: %s: with several clocks an output has a valid of its own; map it to a port", name,
				e.Text)
		}
	}
}

// Steps returns how many cycles of the harness one of the design's takes at most: the period of its slowest clock.
func Steps(b *Binding) int {
	n := 1
	for _, d := range b.Domains {
		n = max(n, d.Period)
	}
	return n
}
