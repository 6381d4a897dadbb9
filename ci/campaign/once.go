package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// caseName is the file of the shortest failing events, in the folder of a run.
const caseName = "case.json"

// readCase reads a saved case. A failure counts without one, so an unreadable case is dropped.
func readCase(path string) json.RawMessage {
	text, err := os.ReadFile(path)
	if err != nil || len(text) > MaxCase {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return nil
	}
	return b.Bytes()
}

// Once runs the command of a run once, with more words appended, by a program in the repository under root, and judges
// it as a campaign does. Its files go to the folder dir. It errors if the program could not be started or ctx was
// cancelled.
func Once(ctx context.Context, root, program string, run *plan.Run, dir string, more ...string) (*Record, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, old := range []string{"once.json", caseName} { // otherwise it would be taken for a result of this run
		if err := report.Remove(filepath.Join(dir, old)); err != nil {
			return nil, err
		}
	}
	m := &manager{Config: Config{Root: root, Program: program}}
	rec := &Record{Run: *run}
	err := m.attempt(ctx, rec, dir, "once", -1, more)
	if err != nil {
		return nil, err
	}
	return rec, nil
}
