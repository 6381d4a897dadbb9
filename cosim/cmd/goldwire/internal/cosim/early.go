package cosim

import (
	"slices"

	"github.com/goldwire/goldwire/cosim/report"
)

// foundEarly prints and writes a mismatch before the search for a short case, which may take a minute.
type foundEarly struct {
	*commands
	out     *outputs
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
