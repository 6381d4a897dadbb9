package campaign

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
)

// noteRecords notes which runs are skipped because they have a record, and which requests only a run could fulfil.
func (c *Config) noteRecords(have map[string]*Record, part, queued int) {
	switch n := part - queued; {
	case n > 0 && queued > 0:
		c.Note(fmt.Sprintf("%d of %s have their record; %d to run", n, report.Plural(uint64(part), "run"), queued))
	case n > 0:
		c.Note(fmt.Sprintf("nothing to run: all of %s have their record; --fresh begins anew",
			report.Plural(uint64(part), "run")))
	}
	if c.Good == nil {
		return
	}
	apart := 0
	for _, r := range have {
		if r.Outcome == Failed && r.From == nil && r.Result != nil && r.Result.Failure != nil &&
			r.Result.Failure.Parting == nil {
			apart++
		}
	}
	if apart > 0 {
		c.Note(fmt.Sprintf("%s recorded without a good design and not compared with %s now; --fresh begins anew",
			report.Plural(uint64(apart), "failure"), c.Good.Name))
	}
}
