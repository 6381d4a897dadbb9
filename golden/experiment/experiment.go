package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// Experiment is one experiment of a source.
type Experiment struct {
	ID, Title string
	Source    string // seed and section
	Claim     string // what the source claims
	Small     string // the set-up of the smallest run that shows the effect
	Full      string // the published one; "" when it is the same
	// Few is the number of seeds, the first of those given, that the small scale takes; 0 takes all.
	Few int

	runs    func(s *setup)
	judge   func(d *data) []Check
	figures func(d *data) []Figure
}

// seeds returns the seeds that the experiment is run with.
func (e *Experiment) seeds(c Conditions) []uint64 {
	if c.Full || e.Few == 0 {
		return c.Seeds
	}
	return c.Seeds[:min(e.Few, len(c.Seeds))]
}

// few returns the experiment with the first seeds alone at the small scale.
func (e Experiment) few(n int) Experiment {
	e.Few, e.Small = n, fmt.Sprintf("%s; the first %d seeds", e.Small, n)
	return e
}

// Figure is a drawing of the source as we get it.
type Figure struct {
	Title string `json:"title"` // what the values are, with the unit
	X     string `json:"x"`     // what the abscissa is; "" for time in microseconds
	Lines []Line `json:"lines"`
}

// Line is values over the abscissa.
type Line struct {
	Name string    `json:"name"`
	Dots bool      `json:"dots"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
}

// All returns every experiment, in the order of the sources.
func All() []Experiment {
	return slices.Concat(seed000(), traces000(), coexist000(), seed001(), sizes001(), theory002(), collectives002(),
		credit())
}

// Find returns the experiments of ids in their order, all when there is no id. It errors with the
// nearest names.
func Find(ids []string) ([]Experiment, error) {
	all := All()
	if len(ids) == 0 {
		return all, nil
	}
	var out []Experiment
	for _, id := range ids {
		i := slices.IndexFunc(all, func(e Experiment) bool { return e.ID == id })
		if i < 0 {
			var near []string
			for _, e := range all {
				if strings.HasPrefix(e.ID, strings.Split(id, "/")[0]+"/") || strings.Contains(e.ID, id) {
					near = append(near, e.ID)
				}
			}
			if len(near) == 0 {
				return nil, fmt.Errorf("experiment %q: no such id; --list shows them", id)
			}
			return nil, fmt.Errorf("experiment %q: no such id; there are %s", id, strings.Join(near, ", "))
		}
		if slices.ContainsFunc(out, func(e Experiment) bool { return e.ID == id }) {
			return nil, fmt.Errorf("experiment %q: given twice; keep one", id)
		}
		out = append(out, all[i])
	}
	return out, nil
}
