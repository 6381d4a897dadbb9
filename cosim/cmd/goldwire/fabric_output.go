package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/fabricplan"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// outputs returns the files asked for by flag, but captures.
func (f *fabricFlags) outputs() [][2]string {
	return [][2]string{{"--json", f.json}, {"--csv", f.csv}, {"--depth", f.depth}, {"--html", f.html}}
}

// preflight errors when a file could not be written, or is one that is read, before
// the run.
func (f *fabricFlags) preflight(p *fabricplan.Plan) error {
	seen := map[string]string{}
	for flag, path := range map[string]string{
		"FILE.yaml": p.File, "topology.file": p.Spec.TopologyFile, "matrix.file": p.Spec.MatrixFile,
		"poisson.cdf": p.Spec.CDF,
	} {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			seen[abs] = flag
		}
	}
	all := f.outputs()
	for _, c := range p.Captures {
		all = append(all, [2]string{"--pcap", c.File})
	}
	for _, x := range all {
		flag, path := x[0], x[1]
		if path == "" || flag == "--json" && path == "-" {
			continue
		}
		if path == "-" {
			return fmt.Errorf("%s -: only --json can go to stdout; give a file", flag)
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("%s %s: %w", flag, path, err)
		}
		if other := seen[abs]; other != "" {
			return fmt.Errorf("%s and %s: both name %s; give two files", other, flag, path)
		}
		seen[abs] = flag
		err = report.Regular(path)
		if err == nil {
			err = report.Preflight(path)
		}
		if err != nil { // a capture is no report
			return fmt.Errorf("%s: %s", flag, strings.TrimPrefix(err.Error(), "report "))
		}
	}
	return nil
}

// write writes every report.
func (f *fabricFlags) write(stdout io.Writer, r *fabricReport) error {
	var errs []error
	if f.json == "-" {
		errs = append(errs, r.writeJSON(stdout))
	} else {
		errs = append(errs, r.writeText(stdout))
	}
	file := func(flag, path string, render func(io.Writer) error) {
		if path == "" || path == "-" {
			return
		}
		if err := report.WriteFile(path, render); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", flag, err))
		}
	}
	file("--json", f.json, r.writeJSON)
	file("--csv", f.csv, func(w io.Writer) error { return result.WriteFlowsCSV(w, r.all[0].runs...) })
	file("--depth", f.depth, func(w io.Writer) error { return r.all[0].runs[0].Depth.WriteCSV(w) })
	file("--html", f.html, r.writeHTML)
	return errors.Join(errs...)
}
