package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/fabricreport"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// outputs returns the files asked for by flag, but captures.
func (f *fabricFlags) outputs() [][2]string {
	return [][2]string{{"--json", f.json}, {"--csv", f.csv}, {"--depth", f.depth}, {"--html", f.html}}
}

// preflight errors when a file could not be written, or is one that is read, before
// the run.
func (f *fabricFlags) preflight(p *fabricPlan) error {
	seen := map[string]string{}
	for flag, path := range map[string]string{
		"FILE.yaml": p.file, "topology.file": p.spec.TopologyFile, "matrix.file": p.spec.MatrixFile,
		"poisson.cdf": p.spec.CDF,
	} {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			seen[abs] = flag
		}
	}
	all := f.outputs()
	for _, c := range p.pcaps {
		all = append(all, [2]string{"--pcap", c.file})
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
func (f *fabricFlags) write(stdout io.Writer, r *fabricreport.Report) error {
	var errs []error
	if f.json == "-" {
		errs = append(errs, r.WriteJSON(stdout))
	} else {
		errs = append(errs, r.WriteText(stdout))
	}
	file := func(flag, path string, render func(io.Writer) error) {
		if path == "" || path == "-" {
			return
		}
		if err := report.WriteFile(path, render); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", flag, err))
		}
	}
	file("--json", f.json, r.WriteJSON)
	file("--csv", f.csv, func(w io.Writer) error { return result.WriteFlowsCSV(w, r.All[0].Runs...) })
	file("--depth", f.depth, func(w io.Writer) error { return r.All[0].Runs[0].Depth.WriteCSV(w) })
	file("--html", f.html, r.WriteHTML)
	return errors.Join(errs...)
}
