package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/capture"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/fabricplan"
	"github.com/goldwire/goldwire/cosim/fabricreport"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// outputs returns the files that flags ask for, except captures.
func (f *fabricFlags) outputs() []cli.Output {
	return []cli.Output{{Flag: "--json", Path: f.json}, {Flag: "--csv", Path: f.csv}, {Flag: "--depth", Path: f.depth},
		{Flag: "--series", Path: f.series}, {Flag: "--html", Path: f.html}, {Flag: "--pcap-dissector", Path: f.dissector}}
}

// preflight errors before the run when a file cannot be written or is one of the inputs.
func (f *fabricFlags) preflight(p *fabricplan.Plan) error {
	all := f.outputs()
	for _, c := range p.Captures {
		all = append(all, cli.Output{Flag: "--pcap", Path: c.File})
	}
	if err := cli.Distinct([]cli.Output{{Flag: "FILE.yaml", Path: p.File},
		{Flag: "topology.file", Path: p.Spec.TopologyFile}, {Flag: "matrix.file", Path: p.Spec.MatrixFile},
		{Flag: "poisson.cdf", Path: p.Spec.CDF}}, all); err != nil {
		return err
	}
	for _, x := range all {
		if x.Path == "" || x.Path == "-" {
			continue
		}
		err := report.Regular(x.Path)
		if err == nil {
			err = report.Preflight(x.Path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x.Flag, err)
		}
	}
	return nil
}

// write writes every report, and the dissector of captures with those header values.
func (f *fabricFlags) write(stdout io.Writer, r *fabricreport.Report, headers capture.Spec) error {
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
	file("--series", f.series, func(w io.Writer) error { return r.All[0].Series.WriteCSV(w) })
	file("--html", f.html, r.WriteHTML)
	file("--pcap-dissector", f.dissector, func(w io.Writer) error {
		_, err := io.WriteString(w, capture.Dissector(headers))
		return err
	})
	return errors.Join(errs...)
}
