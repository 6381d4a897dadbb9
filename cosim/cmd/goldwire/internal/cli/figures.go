package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// WriteFigures prints measured figures as a table. If --json names a file, it also writes them there, over the old
// figures. It errors, and leaves the file as it was, if there are no figures or one was not measured.
func (a *App) WriteFigures(out Output, old map[string]float64, metrics []report.Metric) error {
	if err := errors.Join(tabulate(a.Stdout, metrics), allMeasured(metrics)); err != nil {
		return err
	}
	return out.Write(a.Stdout, func(w io.Writer) error { return writeFigures(w, old, metrics) })
}

// tabulate prints a table with one figure per row.
func tabulate(w io.Writer, metrics []report.Metric) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "figure\tmedian\tleast\tgreatest\tbound\t\twhat")
	for _, m := range metrics {
		met := ""
		switch m.Verdict() {
		case report.Within:
			met = "met"
		case report.Beyond:
			met = "MISSED"
		case report.Unmeasured:
			met = "NOT MEASURED"
		}
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%.4g\t%s\t%s\t%s\n", m.Name, m.Value, m.Least, m.Greatest, m.Bound, met, m.What)
	}
	return t.Flush()
}

// allMeasured returns an error if there are no figures or one was not measured, because its bound would seem to be met.
func allMeasured(metrics []report.Metric) error {
	if len(metrics) == 0 {
		return errors.New("bench: nothing was measured")
	}
	for _, m := range metrics {
		if m.Verdict() == report.Unmeasured {
			return fmt.Errorf("bench: %s was not measured", m.Name)
		}
	}
	return nil
}

// ReadFigures returns the figures of an earlier bench, none if there is no file.
func ReadFigures(path string) (map[string]float64, error) {
	old := map[string]float64{}
	if path == "" {
		return old, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return old, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	if err != nil {
		return nil, fmt.Errorf("--json %s: it does not hold the figures of a bench (%w); remove it or give another file",
			path, err)
	}
	return old, nil
}

// writeFigures writes the medians, and the remaining figures of an earlier bench, as one flat map from names to
// numbers.
func writeFigures(w io.Writer, old map[string]float64, metrics []report.Metric) error {
	if old == nil {
		old = map[string]float64{}
	}
	for _, m := range metrics {
		old[m.Name] = m.Value
	}
	return report.EncodeJSON(w, old)
}

// Measure returns the document for the tables of a command that begins now; path is where they go, or "". The tools are
// those whose versions matter to the figures.
func (a *App) Measure(path, root string, tools ...string) *measured.Doc {
	if path == "" {
		return &measured.Doc{}
	}
	return measured.New(root, "goldwire", a.Args, tools...)
}
