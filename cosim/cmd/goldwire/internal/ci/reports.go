package ci

import (
	"cmp"
	"errors"
	"io"

	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/reports"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// reportFlags name the reports of a campaign.
type reportFlags struct{ junit, html, markdown, annotations string }

func (f *reportFlags) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.junit, "junit", "", "write JUnit XML to `FILE`, with a case and its seed for each planned run")
	fl.StringVar(&f.html, "html", "", "write a page to `FILE`")
	fl.StringVar(&f.markdown, "markdown", "", "write a job summary to `FILE`, at most the 1 MiB that GitHub shows")
	fl.StringVar(&f.annotations, "annotations", "", "write GitHub annotations to `FILE`, one for each kind of failure")
}

// outputs returns the files in the order of their flags.
func (f *reportFlags) outputs() []cli.Output {
	return []cli.Output{{Flag: "--junit", Path: f.junit}, {Flag: "--html", Path: f.html},
		{Flag: "--markdown", Path: f.markdown}, {Flag: "--annotations", Path: f.annotations}}
}

// take checks the files of a campaign's results before it begins, and returns that of the summary.
func (a *app) take(f *runFlags) (cli.Output, error) {
	out := cli.Output{Flag: "--json", Path: f.json}
	return out, a.Take(append([]cli.Output{out}, f.reports.outputs()...)...)
}

// writeReports writes the reports of a summary, if there is one. It returns the error that ended the campaign, or else
// the error of writing.
func (a *app) writeReports(f *reportFlags, sum *campaign.Summary, head *campaign.Head, ended error) error {
	if sum == nil || *f == (reportFlags{}) {
		return ended
	}
	r, err := reports.New(sum, head, ended)
	if err != nil {
		return cmp.Or(ended, err)
	}
	files := f.outputs()
	for i, write := range []func(io.Writer) error{r.WriteJUnit, r.WriteHTML, r.WriteMarkdown, r.WriteAnnotations} {
		err = errors.Join(err, files[i].Write(a.Stdout, write))
	}
	return cmp.Or(ended, err)
}

// reportMerged writes the reports of merged shards.
func (a *app) reportMerged(f *runFlags, sum *campaign.Summary, ended error) error {
	if sum == nil || f.reports == (reportFlags{}) {
		return ended
	}
	head, err := campaign.ReadHead(f.dir)
	if err != nil {
		return cmp.Or(ended, err)
	}
	return a.writeReports(&f.reports, sum, head, ended)
}
