package main

import (
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/fabricreport"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// outputs returns the files that flags ask for, except captures.
func (f *fabricFlags) outputs() []cli.Output {
	return []cli.Output{{Flag: "--json", Path: f.json}, {Flag: "--csv", Path: f.csv}, {Flag: "--depth", Path: f.depth},
		{Flag: "--series", Path: f.series}, {Flag: "--html", Path: f.html}, {Flag: "--pcap-dissector", Path: f.dissector}}
}

// take errors before the run when a file cannot be written or is one of the inputs, and takes the files.
func (f *fabricFlags) take(a *cli.App, p *fabricplan.Plan) error {
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
		if err := report.Regular(x.Path); err != nil {
			return fmt.Errorf("%s: %w", x.Flag, err)
		}
	}
	return a.Take(all...)
}

// write writes every report, and the dissector of captures with those header values.
func (f *fabricFlags) write(a *cli.App, r *fabricreport.Report, headers capture.Spec) error {
	return a.WriteReports(f.outputs(), r.WriteText,
		r.WriteJSON,
		func(w io.Writer) error { return result.WriteFlowsCSV(w, r.All[0].Runs...) },
		func(w io.Writer) error { return r.All[0].Runs[0].Depth.WriteCSV(w) },
		func(w io.Writer) error { return r.All[0].Series.WriteCSV(w) },
		r.WriteHTML,
		func(w io.Writer) error {
			_, err := io.WriteString(w, capture.Dissector(headers))
			return err
		})
}
