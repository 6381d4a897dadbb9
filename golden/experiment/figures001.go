package experiment

import "fmt"

// first returns the outcome of a run with the first seed, empty when it was not watched.
func (d *data) first(run string) *Wired {
	if all := d.runs[run]; len(all) > 0 && all[0].Wired != nil {
		return all[0].Wired
	}
	return &Wired{}
}

// queueLine is the queue of a run every microsecond of [a,b].
func queueLine(name string, w *Wired, a, b float64) Line {
	l := Line{Name: name}
	for i, t := range w.Times {
		if t >= a && t <= b && i%10 == 0 {
			l.add(t, w.Queue[i]/1000)
		}
	}
	return l
}

// rateLine is the rate of a flow every microsecond of [a,b).
func rateLine(name string, w *Wired, flow int, a, b float64) Line {
	x, y := w.sampled(flow, a, b)
	return Line{Name: name, X: x, Y: y}
}

func figuresResponse(rates ...int) func(d *data) []Figure {
	return func(d *data) (out []Figure) {
		for _, gbps := range rates {
			q := plot(fmt.Sprintf("queue of sw0->sw1 at %d Gb/s, KB", gbps), "")
			f := plot(fmt.Sprintf("rate of flow 0 at %d Gb/s, Gb/s", gbps), "")
			for _, c := range controls001 {
				w := d.first(rateLabel(c, gbps, pauses001))
				q.Lines = append(q.Lines, queueLine(c, w, 280, 700))
				f.Lines = append(f.Lines, rateLine(c, w, 0, 280, 700))
			}
			out = append(out, q, f)
		}
		return out
	}
}

func figuresAge(d *data) []Figure {
	f := plot("age of telemetry, µs", "switch")
	for _, c := range []string{"hpcc", "fncc"} {
		l := Line{Name: c, Dots: true}
		if w := d.first(c); len(w.Ages) == 3 {
			for sw := range 3 {
				hop := sw
				if c == "fncc" {
					hop = 2 - sw
				}
				l.add(float64(sw+1), meanOf(w.Ages[hop]))
			}
		}
		f.Lines = append(f.Lines, l)
	}
	return []Figure{f}
}

func figuresJoining(d *data) []Figure {
	f := plot("share of each flow in the bottleneck", "")
	w, step := d.first("fncc-lhcs"), step001(d.full)
	for flow := range 4 {
		l := Line{Name: fmt.Sprintf("flow %d", flow)}
		for i := range 280 {
			a := float64(i) * step / 40
			if all := w.shares(a, a+step/40); len(all) == 4 {
				l.add(a, all[flow])
			}
		}
		f.Lines = append(f.Lines, l)
	}
	return []Figure{f}
}

func figuresHop(place string) func(d *data) []Figure {
	return func(d *data) []Figure {
		q := plot("queue where the flows meet, KB", "")
		r := plot("rates with LHCS, Gb/s", "")
		for _, c := range []string{"hpcc", "fncc", "fncc-lhcs"} {
			q.Lines = append(q.Lines, queueLine(c, d.first(hopLabel(place, c)), 280, 700))
		}
		for flow := range 2 {
			r.Lines = append(r.Lines, rateLine(fmt.Sprintf("flow %d", flow), d.first(hopLabel(place, "fncc-lhcs")), flow, 320,
				700))
		}
		return []Figure{q, r}
	}
}
