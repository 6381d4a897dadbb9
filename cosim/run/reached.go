package run

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// reached returns an error when a run over a simulated network has played fewer events than it was asked for: what it
// compared would pass for more. One episode alone may have fewer.
func (e *engine) reached(res *report.Result) error {
	if !strings.HasPrefix(e.cfg.Source, "fabric:") || e.cfg.Episode != "" || e.cfg.Replay != "" || e.given.OwnEvents() ||
		res.Events >= e.cfg.Events {
		return nil
	}
	return fmt.Errorf("source %s: only %d of %d events were played: the source or the harness has lost the others",
		e.cfg.Source, res.Events, e.cfg.Events)
}
