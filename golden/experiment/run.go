package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Conditions are what the experiments are run with.
type Conditions struct {
	Seeds []uint64
	Full  bool
	Jobs  int                            // runs side by side, at least 1
	Note  func(done, all int, at string) // called after each run; nil for none
}

// Judged is an experiment with its checks.
type Judged struct {
	Experiment
	Checks  []Check
	Figures []Figure
	Runs    int   // that its checks rest on
	Err     error // why it could not be run
}

// Tally counts checks by their verdict.
type Tally struct {
	Pass      int `json:"pass"`
	Fail      int `json:"fail"`
	Undecided int `json:"undecided"`
	Vacuous   int `json:"vacuous"`
	Weak      int `json:"weak"`
	NotRun    int `json:"not_run"` // experiments
}

// Count counts the checks of experiments. One that ran and has none counts as vacuous.
func Count(all []Judged) (t Tally) {
	for i := range all {
		switch {
		case all[i].Err != nil:
			t.NotRun++
		case len(all[i].Checks) == 0:
			t.Vacuous++
		}
		for _, c := range all[i].Checks {
			switch c.Verdict {
			case Pass:
				t.Pass++
			case Fail:
				t.Fail++
			case Undecided:
				t.Undecided++
			case Reported:
				t.Weak++
			default:
				t.Vacuous++
			}
		}
	}
	return t
}

// watch is what is recorded beyond the result.
type watch struct {
	trace bool // the state of each context
	up    bool // the queues of the up-links
	meet  bool // which packets cross a link with an elephant
}

// run is one simulation.
type run struct {
	label string
	spec  settings.Spec
	flows []traffic.Message
	noQA  bool   // NSCC without quick adapt
	first string // first windows, by their name in firstWindows; "" for the largest
	wired *wired // of seed 001, nil of others
	cubic string // how Cubic's estimate grows, and that base RTTs are those of propagation; "" for neither
	// collective is set when the run is judged by the completion of its unmarked flows, and ends with them.
	collective bool
	path       *path // runs on the path model in place of the network; nil for the network
	watch      watch
}

// key is equal for two runs that simulate the same thing.
func (r *run) key() (string, error) {
	text, err := json.Marshal(struct {
		Spec       settings.Spec
		Flows      []traffic.Message
		NoQA       bool
		First      string
		Cubic      string
		Path       *path
		Collective bool
		Wired      *wired
	}{r.spec, r.flows, r.noQA, r.first, r.cubic, r.path, r.collective, r.wired})
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}

// setup collects the runs of one experiment for one seed.
type setup struct {
	seed uint64
	full bool
	runs []run
}

// add adds a run; its label is that of the values in data.
func (s *setup) add(label string, spec settings.Spec, flows []traffic.Message) *run {
	spec.Seed = s.seed
	s.runs = append(s.runs, run{label: label, spec: spec, flows: flows})
	return &s.runs[len(s.runs)-1]
}

// data is the outcomes of one experiment.
type data struct {
	seeds []uint64
	full  bool
	runs  map[string][]*Outcome // by label, one for each seed
}

// each returns f of every run of a label. An unknown label is a mistake in the experiment.
func (d *data) each(label string, f func(*Outcome) float64) sample {
	all, ok := d.runs[label]
	if !ok {
		panic("experiment: no run " + label)
	}
	out := make(sample, len(all))
	for i, o := range all {
		out[i] = f(o)
	}
	return out
}

// share is one simulation that experiments wait for.
type share struct {
	run *run
	out *Outcome
	err error
}

// Run makes the runs of experiments, each once, and judges them. An experiment with a run that
// cannot be made, or does not keep its books, has an Err and no checks; the others are judged all the same. Run
// errors without seeds, and with the cause when ctx ends, beside what was judged until then.
func Run(ctx context.Context, list []Experiment, c Conditions) ([]Judged, error) {
	if len(c.Seeds) == 0 || c.Jobs < 1 {
		return nil, errors.New("experiments: want at least one seed and one job")
	}
	shares := map[string]*share{}
	var order []*share
	parts := make([]map[string][]*share, len(list))
	for i := range list {
		parts[i] = map[string][]*share{}
		for _, seed := range list[i].seeds(c) {
			s := &setup{seed: seed, full: c.Full}
			list[i].runs(s)
			for k := range s.runs {
				r := &s.runs[k]
				key, err := r.key()
				if err != nil {
					return nil, err
				}
				sh := shares[key]
				if sh == nil {
					sh = &share{run: r}
					shares[key] = sh
					order = append(order, sh)
				}
				sh.run.watch.trace = sh.run.watch.trace || r.watch.trace
				sh.run.watch.meet = sh.run.watch.meet || r.watch.meet
				sh.run.watch.up = sh.run.watch.up || r.watch.up
				parts[i][r.label] = append(parts[i][r.label], sh)
			}
		}
	}
	simulate(ctx, order, c)
	out := make([]Judged, len(list))
	for i := range list {
		out[i].Experiment = list[i]
		out[i].judgeAll(parts[i], c)
	}
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	return out, nil
}

// judgeAll judges one experiment by the outcomes of its runs.
func (j *Judged) judgeAll(parts map[string][]*share, c Conditions) {
	seeds := j.seeds(c)
	d := &data{seeds: seeds, full: c.Full, runs: map[string][]*Outcome{}}
	for label, all := range parts {
		if len(all) != len(seeds) {
			j.Err = fmt.Errorf("%d runs of %s for %d seeds", len(all), label, len(seeds))
		}
		for _, s := range all {
			d.runs[label] = append(d.runs[label], s.out)
			j.Runs++
			if s.err != nil {
				j.Err = s.err
			}
		}
	}
	if j.Err != nil {
		return
	}
	j.Checks = j.judge(d)
	if j.figures != nil {
		j.Figures = j.figures(d)
	}
}

// simulate makes the runs, several in parallel. A run that fails does not end the others.
func simulate(ctx context.Context, all []*share, c Conditions) {
	var g errgroup.Group
	g.SetLimit(c.Jobs)
	var mu sync.Mutex
	done := 0
	for _, s := range all {
		g.Go(func() error {
			if ctx.Err() != nil {
				s.err = context.Cause(ctx)
				return nil
			}
			if s.out, s.err = s.run.simulate(ctx); s.err != nil {
				s.err = fmt.Errorf("%s: %w", s.run.name(), s.err)
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; c.Note != nil {
				c.Note(done, len(all), s.run.name())
			}
			return nil
		})
	}
	_ = g.Wait()
}

// draws returns the random numbers of a kind of flows: every variant of an experiment meets the same.
func draws(seed uint64, kind string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(kind))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// permutation returns a permutation among n random hosts.
func permutation(seed uint64, hosts, n int, bytes int64) []traffic.Message {
	r := draws(seed, "permutation")
	order := r.Perm(hosts)[:n]
	var out []traffic.Message
	for i, d := range traffic.Derangement(r, n) {
		out = append(out, traffic.Message{Src: int32(order[i]), Dst: int32(order[d]), Bytes: bytes, Conn: int32(i)})
	}
	return out
}

// incast returns flows from n random hosts to host 0. The hosts of a small one are among those of a larger.
func incast(seed uint64, hosts, n int, bytes int64) []traffic.Message {
	var out []traffic.Message
	for i, h := range draws(seed, "incast").Perm(hosts - 1)[:n] {
		out = append(out, traffic.Message{Src: int32(h + 1), Dst: 0, Bytes: bytes, Conn: int32(i)})
	}
	return out
}

// mixed returns n random pairs with sizes whose logarithm is uniform.
func mixed(seed uint64, hosts, n int, low, high float64) []traffic.Message {
	r := draws(seed, "mixed")
	var out []traffic.Message
	for i := range n {
		src := r.IntN(hosts)
		dst := (src + 1 + r.IntN(hosts-1)) % hosts
		bytes := int64(low * math.Pow(high/low, r.Float64()))
		out = append(out, traffic.Message{Src: int32(src), Dst: int32(dst), Bytes: bytes, Conn: int32(i)})
	}
	return out
}
