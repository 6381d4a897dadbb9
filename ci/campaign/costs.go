package campaign

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// costsName is the file with the cost of runs. It outlives campaigns and orders the runs of the next one.
const costsName = "costs.json"

// costs are the seconds that a run of a test and source took per event, or in all if its events are unknown.
type costs map[string]float64

func costKey(r *plan.Run) string { return r.Test + " " + r.Source }

// readCosts reads the known costs of a folder. A damaged file counts as none, because costs only order runs.
func readCosts(dir string) costs {
	c := costs{}
	if text, err := os.ReadFile(filepath.Join(dir, costsName)); err == nil {
		_ = json.Unmarshal(text, &c)
	}
	if c == nil {
		return costs{}
	}
	return c
}

// of estimates the seconds of a run. A run that never ran counts as long, so that it does not come last.
func (c costs) of(r *plan.Run) float64 {
	x, ok := c[costKey(r)]
	if !ok {
		return 1e6 + float64(r.Events)
	}
	return x * float64(max(r.Events, 1))
}

// write stores the cost of the runs.
func (c costs) write(dir string, records map[string]*Record) error {
	for _, r := range records {
		if r.Outcome == Passed {
			c[costKey(&r.Run)] = r.Cost.Seconds / float64(max(r.Run.Events, 1))
		}
	}
	if len(c) == 0 {
		return nil
	}
	return report.WriteFile(filepath.Join(dir, costsName), func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
}
