package experiment

import (
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// What figures 4 to 14 of seed 002 compare.
var (
	resilient = []string{"lswift", "mswift", "nscc", "mnscc"}
	balancers = []lb.Kind{lb.OPS, lb.AR, lb.REPS}
)

// combination is the label of a run.
func combination(figure, control string, balancer lb.Kind) string {
	return figure + " " + control + "/" + string(balancer)
}

const (
	setup002 = "fat tree of 128 hosts, 800 Gb/s, 0.5 us per link, 800 kB per port, drop-tail, ECN at 40 kB, " +
		"no trimming, 8 MB per flow in packets of 4 kB, an ACK per packet; LSwift and MSwift count adjacent holes when " +
		"they resend them"
	beside002 = "4 random hosts exchange long ECMP flows, the other 124 a sprayed permutation"
)

// workload002 is the flows of a figure, and what it changes of the network.
type workload002 struct {
	figure string
	flows  func(s *setup) []traffic.Message
	spec   func(*settings.Spec) // nil for no change
	k      int                  // ports of a switch
}

// beside is a permutation beside elephants, the same for each figure with as many hosts.
func beside(s *setup, hosts, elephants int, bytes int64) []traffic.Message {
	out, err := traffic.Elephants(draws(s.seed, "elephants"), hosts, elephants, longLived, bytes)
	if err != nil {
		panic(err) // a mistake in the experiment
	}
	return out
}

var (
	fig4 = workload002{figure: "fig4", k: 8, flows: func(s *setup) []traffic.Message {
		return beside(s, 128, 4, message)
	}}
	fig6 = workload002{figure: "fig6", k: 8, flows: func(s *setup) []traffic.Message {
		return permutation(s.seed, 128, 128, message)
	}}
	fig7 = workload002{figure: "fig7", k: 8, flows: func(s *setup) []traffic.Message {
		out, err := traffic.HSDP(draws(s.seed, "hsdp"), 128, 8, 3344*payload)
		if err != nil {
			panic(err)
		}
		return out
	}}
	fig8 = workload002{figure: "fig8", k: 10, flows: func(s *setup) []traffic.Message {
		return beside(s, 250, 4, message)
	}}
	fig9 = workload002{figure: "fig9", k: 8, flows: func(s *setup) []traffic.Message {
		return beside(s, 128, 4, 2*message)
	}}
	fig10 = workload002{figure: "fig10", k: 8, flows: func(s *setup) []traffic.Message {
		return beside(s, 128, 8, message)
	}}
	fig11 = workload002{figure: "fig11", k: 8, flows: fig4.flows, spec: func(s *settings.Spec) { s.FailProb = 0.01 }}
	fig13 = workload002{figure: "fig13", k: 8, flows: fig4.flows, spec: func(s *settings.Spec) {
		s.Workload, s.Elephants, s.ElephantClass = settings.Elephants, 4, "medium"
		s.DRR = [settings.QueueClasses]int{0, mtu002, mtu002}
	}}
	fig14 = workload002{figure: "fig14", k: 8, flows: func(s *setup) []traffic.Message {
		return incast(s.seed, 128, 32, message)
	}}
)

// add adds a run for each control and balancer.
func (w workload002) add(s *setup, controls []string, over []lb.Kind) {
	for _, c := range controls {
		for _, b := range over {
			w.one(s, c, b)
		}
	}
}

func (w workload002) one(s *setup, control string, balancer lb.Kind) *run {
	spec := tree002(w.k, control, balancer)
	if w.spec != nil {
		w.spec(&spec)
	}
	r := s.add(combination(w.figure, control, balancer), spec, w.flows(s))
	r.collective = true
	return r
}

// sweep returns an experiment on one workload, with fig 4's runs beside it when they are compared.
func sweep(id, title, claim, small string, w workload002, over []lb.Kind, beside4 bool,
	judge func(d *data) []Check) Experiment {
	return Experiment{
		ID: id, Title: title, Source: "seed 002, section IV, figure " + strings.TrimPrefix(id, "002/fig"), Claim: claim,
		Small: setup002 + "; " + small,
		runs: func(s *setup) {
			over := over
			if s.full {
				over = balancers
			}
			w.add(s, resilient, over)
			if beside4 {
				fig4.add(s, resilient, over)
			}
		},
		judge:   judge,
		figures: func(d *data) []Figure { return figures002(d, w.figure) },
	}
}

// late says in each claim on LSwift and MSwift which of two rules for holes they follow. The facts choose that holes
// count at once; the checks of fig4 on holes at once show what comes of that.
func late(judge func(d *data) []Check) func(d *data) []Check {
	return func(d *data) []Check {
		out := judge(d)
		for i := range out {
			c := &out[i]
			text := c.Name + c.Claim
			countsHoles := strings.Contains(text, "lswift") || strings.Contains(text, "mswift")
			if countsHoles && !strings.Contains(c.Name, "at once") {
				c.Claim += "; holes count when resent"
			}
		}
		return out
	}
}

func collectives002() []Experiment {
	all := figures4to14()
	for i := range all {
		all[i].judge = late(all[i].judge)
	}
	return all
}

func figures4to14() []Experiment {
	reps := []lb.Kind{lb.REPS}
	baseline := func(s *setup) {
		fig4.add(s, append([]string{"swift"}, resilient...), balancers)
		for i := range s.runs {
			if s.runs[i].label == combination("fig4", "mswift", lb.OPS) {
				s.runs[i].watch.meet = true
			}
		}
	}
	return []Experiment{
		{
			ID: "002/fig4", Title: "sprayed flows beside elephants", Source: "seed 002, section IV, figure 4",
			Claim: "Swift up to about 13 times the CCT; MSwift up to 8.6 times less inflation than LSwift; MSwift with REPS " +
				"best",
			Small: setup002 + "; " + beside002,
			runs: func(s *setup) {
				baseline(s)
				fig4.add(s, []string{atOnce("lswift"), atOnce("mswift")}, reps)
				fig4.medians(s, quarter)
			},
			judge: judgeFig4, figures: func(d *data) []Figure { return figures002(d, "fig4") },
		},
		{
			ID: "002/fig5", Title: "distribution of completion times", Source: "seed 002, section IV, figure 5",
			Claim: "LSwift worst everywhere; MSwift like NSCC and MNSCC for OPS and AR, a better tail with REPS",
			Small: setup002 + "; " + beside002, runs: baseline, judge: judgeFig5, figures: figuresFig5,
		},
		sweep("002/fig6", "permutation without elephants",
			"all better than beside elephants; LSwift ahead of NSCC; MSwift up to 1.7 times better than LSwift, best with REPS",
			"permutation of 128", fig6, balancers, true, judgeFig6).with(func(s *setup) {
			fig6.medians(s, quarter)
			fig6.marking(eighth).add(s, []string{"mswift"}, reps)
			fig6.add(s, []string{steep("lswift")}, balancers)
		}),
		sweep("002/fig7", "HSDP ring", "MSwift best with each balancer; with REPS 1.8 times below LSwift, 2.3 below NSCC",
			"rings of 16 servers of 8 GPUs, 3,344 packets each", fig7, balancers, false, judgeFig7).with(func(s *setup) {
			fig7.marking(quarter).add(s, []string{"mswift", "nscc"}, reps)
		}).few(3),
		sweep("002/fig8", "250 hosts", "MSwift best, MNSCC slightly better than NSCC",
			"k = 10, 4 hosts beside 246; REPS alone", fig8, reps, true, judgeFig8).few(3),
		sweep("002/fig9", "messages of 16 MB", "MSwift up to 10.7 times below LSwift; LSwift and NSCC tend to get worse",
			beside002+"; 16 MB", fig9, balancers, true, judgeFig9).few(3),
		sweep("002/fig10", "eight elephants", "much as with four",
			"8 hosts beside 120", fig10, balancers, true, judgeFig10),
		sweep("002/fig11", "failed links", "CCT higher; MSwift best with each balancer",
			beside002+"; each link between switches is down with probability 0.01", fig11, balancers, true,
			judgeFig11).with(func(s *setup) {
			fig11.add(s, []string{steep("mswift")}, balancers)
		}),
		{
			ID: "002/fig12", Title: "10th and 90th percentile", Source: "seed 002, section IV, figure 12",
			Claim: "with OPS the 10th percentile beats the median; else extremes do not pay",
			Small: setup002 + "; " + beside002,
			runs: func(s *setup) {
				variants := []string{"mswift", "mswift-p10", "mswift-p90"}
				fig4.add(s, variants, balancers)
				fig4.marking(quarter).add(s, variants, reps)
			},
			judge: judgeFig12, figures: func(d *data) []Figure { return figures002(d, "fig4") },
		},
		sweep("002/fig13", "two queues by deficit round robin",
			"Swift's variants tend to get worse, NSCC's better; MSwift still beats LSwift",
			beside002+", in a queue of their own, quantum one packet", fig13, balancers, true, judgeFig13).few(3),
		sweep("002/fig14", "incast", "the increase is small, and medians are only slightly worse",
			"32 random hosts to one", fig14, balancers, false, judgeFig14),
	}
}

// atOnce is the name of a member of Swift's family that counts adjacent holes as they appear.
func atOnce(control string) string { return control + "-at-once" }

// figures002 draws the inflation of each control over the balancers.
func figures002(d *data, figure string) []Figure {
	f := plot("CCT over its bound, less 1", "0 OPS, 1 AR, 2 REPS")
	for _, c := range append([]string{"swift", "mswift-p10", "mswift-p90"}, resilient...) {
		l := Line{Name: c, Dots: true}
		for i, b := range balancers {
			if _, ok := d.runs[combination(figure, c, b)]; ok {
				l.add(float64(i), d.each(combination(figure, c, b), infl).mean())
			}
		}
		if len(l.X) > 0 {
			f.Lines = append(f.Lines, l)
		}
	}
	return []Figure{f}
}

// figuresFig5 draws the distributions.
func figuresFig5(d *data) (out []Figure) {
	for _, b := range balancers {
		f := plot("share of the flows that are done, "+string(b), "completion time, µs")
		for _, c := range resilient {
			f.Lines = append(f.Lines, distribution(c, func(p int) sample {
				return d.each(combination("fig4", c, b),
					measured(p))
			}))
		}
		out = append(out, f)
	}
	return out
}
