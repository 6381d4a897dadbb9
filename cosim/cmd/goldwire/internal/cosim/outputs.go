package cosim

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
)

type output struct {
	cli.Output
	usage  string
	render func(io.Writer, *report.Report) error
}

// outputs are the report files of a run. The JSON path "-" means stdout, in place of the text summary.
type outputs []output

func newOutputs() outputs {
	return outputs{
		{cli.Output{Flag: "--json"}, "write the results as JSON to `FILE` (- for stdout, in place of the summary)",
			report.WriteJSON},
		{cli.Output{Flag: "--junit"}, "write the results as JUnit XML to `FILE`, for CI", report.WriteJUnit},
		{cli.Output{Flag: "--html"}, "write the results as one self-contained page to `FILE`", report.WriteHTML},
	}
}

func (o outputs) flags(fl *pflag.FlagSet) {
	for i := range o {
		fl.StringVar(&o[i].Path, o[i].Flag[len("--"):], "", o[i].usage)
	}
}

func (o outputs) printsText() bool { return o[0].Path != "-" }

func (o outputs) files() (out []cli.Output) {
	for _, x := range o {
		if x.Path != "" {
			out = append(out, x.Output)
		}
	}
	return out
}

// preflight errors if a report cannot be written, before hours are spent, or if two outputs, or an output and an input,
// are one file.
func (o outputs) preflight(inputs, others []cli.Output) error {
	if err := cli.Distinct(inputs, append(others, o.files()...)); err != nil {
		return err
	}
	for _, x := range o.files() {
		if err := x.Preflight(); err != nil {
			return err
		}
	}
	return nil
}

// announce writes the report of the plan to every file, so that a command that is killed leaves no report of an earlier
// run. Pipes and devices get only the last report.
func (o outputs) announce(rep *report.Report) error {
	var errs []error
	for _, x := range o {
		if x.Path == "-" || report.Streams(x.Path) {
			continue
		}
		errs = append(errs, x.Write(nil, func(w io.Writer) error { return x.render(w, rep) }))
	}
	return errors.Join(errs...)
}

// old returns the outputs whose files exist and are reports of an earlier run.
func (o outputs) old() outputs {
	out := slices.Clone(o)
	for i := range out {
		if !out[i].Old() {
			out[i].Path = ""
		}
	}
	return out
}

// withdraw sets earlier reports aside and puts reports of the error in their place. It leaves other files alone.
func (o outputs) withdraw(app *cli.App, failure error) error {
	old := o.old()
	if err := app.SetAside(old.files()...); err != nil {
		return err
	}
	return old.announce(&report.Report{Failure: cli.OneLine(failure)})
}

// Withdraw replaces the existing reports that the command's arguments name with reports of its error. It leaves files
// that are not reports alone.
func Withdraw(app *cli.App, c *cobra.Command, args []string, failure error) error {
	for _, x := range cli.Results(c, args) {
		o := newOutputs()
		for i := range o {
			if o[i].Flag == x.Flag {
				o[i].Path = x.Path
			}
		}
		if err := o.withdraw(app, failure); err != nil {
			return err
		}
	}
	return nil
}

// write writes every report, even if an earlier one failed.
func (o outputs) write(stdout io.Writer, rep *report.Report) error {
	var errs []error
	for _, x := range o {
		errs = append(errs, x.Write(stdout, func(w io.Writer) error { return x.render(w, rep) }))
	}
	return errors.Join(errs...)
}

// foundEarly prints and writes a mismatch before the search for a short case, which may take a minute.
type foundEarly struct {
	*commands
	out     outputs
	rep     *report.Report // of the plan
	at      int            // the run's index in rep
	printed bool
	note    string // as printed
	err     error  // of printing or writing
}

func (f *foundEarly) found(res *report.Result) {
	now := &report.Report{Results: slices.Clone(f.rep.Results)}
	now.Settle(f.at, res, nil, false)
	if f.err = f.out.announce(now); f.err != nil || !f.out.printsText() {
		return
	}
	f.printed, f.note = true, res.FirstMismatch.Note
	f.err = report.WriteResult(f.Stdout, res)
}
