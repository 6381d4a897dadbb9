package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Outcome is how a planned run ended.
type Outcome string

// The outcomes. Each planned run has exactly one.
const (
	Passed  Outcome = "passed"     // exit code 0 and a result that shows the planned comparisons
	Failed  Outcome = "failed"     // a difference was found, twice the same
	Error   Outcome = "error"      // the harness, the machine or a limit of time or memory ended it, or two answers differ
	Missing Outcome = "missing"    // no record
	Taken   Outcome = "taken over" // not run: an earlier campaign passed it with the same inputs, and its record is used
)

// Record is the result of a run. It is written whole or not at all.
type Record struct {
	Fingerprint string   `json:"fingerprint"` // of the campaign
	Run         plan.Run `json:"run"`
	Outcome     Outcome  `json:"outcome"`
	Reason      string   `json:"reason"` // one line
	Exit        int      `json:"exit"`   // of the first process; -1 if a signal ended it
	Result      *Result  `json:"result,omitempty"`
	From        *Origin  `json:"from,omitempty"` // of a run that was taken over; nil for a run of this campaign
	// Doubt marks a run whose command gave two answers; a third would settle nothing.
	Doubt   bool     `json:"doubt,omitempty"`
	Figures []Figure `json:"figures,omitempty"`
	// Case is the shortest events that still fail, as cosim --save-case writes them; empty if none were found or they
	// exceed MaxCase bytes.
	Case json.RawMessage `json:"case,omitempty"`
	Cost Cost            `json:"cost"`
}

// MaxCase is the size limit of the case in a record, in bytes.
const MaxCase = 256 << 10

// Result is what a co-simulation reports. Nothing in it depends on the machine.
type Result struct {
	Verdict   string   `json:"verdict"`
	Judged    string   `json:"judged,omitempty"` // comparison that accepts more than equality, as "within tolerances"
	Block     string   `json:"block"`
	Source    string   `json:"source"`
	Seed      uint64   `json:"seed"`
	Events    uint64   `json:"events"`
	Cycles    uint64   `json:"cycles"`
	Responses uint64   `json:"responses"` // compared ones
	Fields    uint64   `json:"fields"`    // compared ones
	Digest    string   `json:"digest"`
	Bins      int      `json:"bins"`
	Hit       int      `json:"hit"`
	Missed    []string `json:"missed"`
	Failure   *Failure `json:"failure,omitempty"`
	Reproduce string   `json:"reproduce"`
}

// Failure is the first difference of a run.
type Failure struct {
	Episode string   `json:"episode"`
	Cycle   uint64   `json:"cycle"`
	Field   string   `json:"field"`
	Want    string   `json:"want"`
	Got     string   `json:"got"`
	Event   string   `json:"event"`
	FoundBy string   `json:"found_by,omitempty"`
	Shrunk  []string `json:"shrunk,omitempty"`
	// ShrunkFields are the fields in which Shrunk fails, in order.
	ShrunkFields []string `json:"shrunk_fields,omitempty"`
	Wave         string   `json:"wave,omitempty"`
	// Parting is where the design first differs from a good one; nil if none was given.
	Parting *Parting `json:"parting,omitempty"`
}

// Same reports whether two runs of the same command found the same difference, regardless of the path of their waves.
func (f *Failure) Same(g *Failure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return f.Episode == g.Episode && f.Cycle == g.Cycle && f.Field == g.Field && f.Want == g.Want && f.Got == g.Got &&
		f.FoundBy == g.FoundBy
}

// Cost is what a run took on this machine. It varies from run to run.
type Cost struct {
	Seconds  float64 `json:"seconds"`
	CPU      float64 `json:"cpu_seconds"`
	MemoryMB int     `json:"memory_mb"`
}

// Add adds the cost of another process. The memory is that of the larger one.
func (c *Cost) Add(d Cost) {
	*c = Cost{c.Seconds + d.Seconds, c.CPU + d.CPU, max(c.MemoryMB, d.MemoryMB)}
}

// cosimJSON is the part of `goldwire cosim --json` that a record keeps.
type cosimJSON struct {
	Verdict   string           `json:"verdict"`
	Reason    string           `json:"reason"`
	Judged    string           `json:"judged"`
	Block     string           `json:"block"`
	Source    string           `json:"source"`
	Seed      uint64           `json:"seed"`
	Events    uint64           `json:"events"`
	Cycles    uint64           `json:"cycles"`
	Compared  report.Compared  `json:"compared"`
	Digest    string           `json:"digest"`
	Coverage  report.Coverage  `json:"coverage"`
	Reproduce string           `json:"reproduce"`
	First     *report.Mismatch `json:"first_mismatch"`
	Metrics   []struct {
		Section string   `json:"section"`
		Name    string   `json:"name"`
		Value   *float64 `json:"value"` // null if it was not measured
	} `json:"metrics"`
	Results []struct {
		Verdict string `json:"verdict"`
	} `json:"results"`
}

func (c *cosimJSON) figures() (out []Figure) {
	for _, m := range c.Metrics {
		if m.Value != nil {
			out = append(out, Figure{m.Section + "/" + m.Name, *m.Value})
		}
	}
	return out
}

func readResult(path string) (*Result, *cosimJSON, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, errors.New("it left no result")
	}
	var c cosimJSON
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, nil, fmt.Errorf("its result is damaged: %w", err)
	}
	if len(c.Results) != 1 {
		return nil, nil, fmt.Errorf("its result holds %d runs in place of 1", len(c.Results))
	}
	r := &Result{Verdict: c.Verdict, Judged: c.Judged, Block: c.Block, Source: c.Source, Seed: c.Seed,
		Events: c.Events, Cycles: c.Cycles,
		Responses: c.Compared.Responses, Fields: c.Compared.Fields, Digest: c.Digest, Bins: c.Coverage.Bins,
		Hit: c.Coverage.Hit, Missed: c.Coverage.Missed, Reproduce: c.Reproduce}
	slices.Sort(r.Missed)
	if m := c.First; m != nil {
		r.Failure = &Failure{Episode: m.Episode, Cycle: m.Cycle, Event: m.Event, FoundBy: m.FoundBy, Shrunk: m.Shrunk,
			ShrunkFields: m.ShrunkFields, Wave: m.Wave}
		if len(m.Fields) > 0 {
			f := m.Fields[0]
			r.Failure.Field, r.Failure.Want, r.Failure.Got = f.Name, f.Want, f.Got
		}
	}
	return r, &c, nil
}

// judge fills in the outcome of a process from its exit code and its result, which must agree.
func (rec *Record) judge(exit int, result string) {
	rec.Exit, rec.Result, rec.Figures = exit, nil, nil
	if rec.Run.Cosim() {
		rec.Outcome, rec.Reason = rec.judgeCosim(result)
	} else {
		rec.Outcome, rec.Reason = rec.judgeCommand(result)
	}
}

func (rec *Record) judgeCosim(result string) (Outcome, string) {
	run, exit := &rec.Run, rec.Exit
	r, c, err := readResult(result)
	switch {
	case err != nil && exit == 1:
		return Failed, fmt.Sprintf("exit code 1, so that a difference was found, and %v", err)
	case err != nil:
		return Error, fmt.Sprintf("exit code %d, and %v", exit, err)
	case r.Block != run.Block || r.Source != run.Source || r.Seed != run.Seed:
		return Error, fmt.Sprintf("its result is of %s %s seed %d: another run", r.Block, r.Source, r.Seed)
	}
	rec.Result, rec.Figures = r, c.figures()
	v := report.Verdict(r.Verdict)
	switch {
	case exit == 0 && v == report.Pass:
		if r.Fields == 0 || r.Events == 0 {
			return Error, "it passed and compared nothing"
		}
		if name, _, _ := strings.Cut(run.Source, "/"); name != "directed" && r.Events < run.Events {
			return Error, fmt.Sprintf("it passed and played %d of the %d events planned", r.Events, run.Events)
		}
		return Passed, c.Reason
	case exit != 0 && v.Found(): // regardless of what broke or ended it later
		return Failed, c.Reason
	case exit == 2 && !v.OK() && !v.Found():
		return Error, c.Reason
	}
	return Error, fmt.Sprintf("exit code %d, and its result says %s", exit, r.Verdict)
}

// judgeCommand judges a command other than a co-simulation: its exit code, and that it left a result of its own.
func (rec *Record) judgeCommand(result string) (Outcome, string) {
	text, err := os.ReadFile(result)
	switch {
	case err != nil || !json.Valid(text):
		err = errors.New("it left no result")
	default:
		rec.Figures, err = readFigures(rec.Run.Args[0], text)
	}
	switch {
	case err != nil && rec.Exit == 1:
		return Failed, fmt.Sprintf("exit code 1, so that a difference was found, and %v", err)
	case err != nil:
		return Error, fmt.Sprintf("exit code %d, and %v", rec.Exit, err)
	case rec.Exit == 0 && comparesNothing(rec.Run.Args, rec.Figures):
		return Error, "it passed and compared nothing"
	case rec.Exit == 0:
		return Passed, "the command found nothing"
	case rec.Exit == 1:
		return Failed, "the command found a difference"
	}
	return Error, fmt.Sprintf("exit code %d", rec.Exit)
}

// write stores the record, whole or not at all, and syncs it to disk before it returns.
func (r *Record) write(path string) error {
	if err := report.WriteFile(path, func(w io.Writer) error { return report.EncodeJSON(w, r) }); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// readRecord reads a record and checks that it belongs to the run.
func readRecord(dir, fingerprint string, run *plan.Run) (*Record, error) {
	path := filepath.Join(dir, recordsDir, run.ID+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("record %s is damaged: %w; delete it to run it again", path, err)
	}
	switch {
	case r.Fingerprint != fingerprint:
		return nil, fmt.Errorf("record %s is of another campaign (program, plan or hdl/ changed); delete it", path)
	case r.Run.ID != run.ID || !slices.Equal(r.Run.Args, run.Args):
		return nil, fmt.Errorf("record %s is of another run; delete it", path)
	case r.Outcome != Passed && r.Outcome != Failed && r.Outcome != Error:
		return nil, fmt.Errorf("record %s has the outcome %q; delete it", path, r.Outcome)
	case r.From != nil && (r.Outcome != Passed || r.From.Dir == "" || r.From.Inputs == ""):
		return nil, fmt.Errorf("record %s is taken over from nowhere; delete it", path)
	case r.Outcome == Passed && run.Cosim() && (r.Result == nil || r.Result.Fields == 0):
		return nil, fmt.Errorf("record %s is of a run that passed and compared nothing; delete it", path)
	}
	return r, nil
}

// Campaign is the contents of a campaign's folder.
type Campaign struct {
	Head *Head
	// Records are those of the runs of Head, in that order; nil for a run without one.
	Records []*Record
	Summary *Summary
}

// Read reads the campaign in a folder. It errors if there is none, or if its head or a record is damaged or belongs to
// something else. Runs without a record are counted as missing in the summary.
func Read(dir string) (*Campaign, error) {
	head, err := ReadHead(dir)
	if err != nil {
		return nil, err
	}
	if err := strangers(dir, head); err != nil {
		return nil, err
	}
	c := &Campaign{Head: head, Records: make([]*Record, len(head.Runs))}
	records := map[string]*Record{}
	for i := range head.Runs {
		run := &head.Runs[i]
		r, err := readRecord(dir, head.Fingerprint, run)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		c.Records[i], records[run.ID] = r, r
	}
	c.Summary = summarise(head, head.Runs, records)
	return c, nil
}
