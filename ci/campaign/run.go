package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Config is how a campaign is run.
type Config struct {
	Root    string // of the repository, in which the runs are started
	Program string // file of goldwire; /proc/PID/exe stays the same when the file is replaced
	Dir     string // folder of the campaign
	Head    *Head
	// Part is the runs of Head to run here, by index; nil for all.
	Part  []int
	Slots int  // parallel runs, each on its own core
	Fresh bool // start over if a campaign was left unfinished
	Retry bool // repeat runs that ended in an error, except those that gave two answers
	// Good is a passing design, with which a failing one is compared signal by signal; nil for none.
	Good *Good
	// Taken are the records of runs that are not run here, by the names of the runs, as returned by TakeOver. A record
	// that an earlier campaign took over counts only if it is in Taken.
	Taken map[string]*Record
	// Note is called with messages for the user while the campaign runs, one line each.
	Note func(line string)
	// Progress is called after each run with the number of runs that have a record, and of all runs.
	Progress func(done, of int)
}

// Run runs the runs of a campaign that have no record yet, and returns the state of all its runs (of Part) in the order
// of the plan. It errors if the campaign could not continue or ctx was cancelled; earlier records stay.
func Run(ctx context.Context, c Config) (*Summary, error) {
	if err := apart(c.Root, c.Dir, c.Head.Runs); err != nil {
		return nil, err
	}
	f, dropped, err := open(c.Dir, c.Head, c.Fresh)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if dropped > 0 {
		why := "of another campaign"
		if c.Fresh {
			why = "that were there"
		}
		c.Note(fmt.Sprintf("%s %s in %s cleared away", report.Plural(uint64(dropped), "record"), why, c.Dir))
	}
	part := c.Part
	if part == nil {
		part = make([]int, len(c.Head.Runs))
		for i := range part {
			part[i] = i
		}
	}
	m := &manager{Config: c, records: make(map[string]*Record), built: map[string]bool{}, building: map[string]bool{}}
	m.wake = sync.NewCond(&m.mu)
	if m.files, err = inputFiles(c.Root, c.Head.Runs); err == nil {
		m.inputs, err = contentOf(m.files)
	}
	if err != nil {
		return nil, err
	}
	if now, err := c.Head.fingerprint(c.Program, m.inputs); err != nil || now != c.Head.Fingerprint {
		return nil, cmp.Or(err, errEdited)
	}
	for _, i := range part {
		run := &c.Head.Runs[i]
		r, err := readRecord(c.Dir, c.Head.Fingerprint, run)
		if taken := c.Taken[run.ID]; taken != nil && (err != nil || r.From != nil) {
			if err := taken.write(filepath.Join(c.Dir, recordsDir, run.ID+".json")); err != nil {
				return nil, err
			}
			m.records[run.ID] = taken
			continue
		}
		if err == nil && r.From == nil && !(c.Retry && r.Outcome == Error && !r.Doubt) {
			m.records[run.ID], m.built[run.Design] = r, true
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.Note(fmt.Sprintf("%v; it is run again", err))
		}
		m.queue = append(m.queue, run)
	}
	c.noteRecords(m.records, len(part), len(m.queue))
	costs := readCosts(c.Dir)
	slices.SortStableFunc(m.queue, func(a, b *plan.Run) int { return cmp.Compare(costs.of(b), costs.of(a)) })
	m.total = len(part)
	err = errors.Join(m.work(ctx), costs.write(c.Dir, m.records))
	runs := make([]plan.Run, len(part))
	for k, i := range part {
		runs[k] = c.Head.Runs[i]
	}
	return summarise(c.Head, runs, m.records), err
}

// errEdited ends a campaign, because its runs would be of different designs.
var errEdited = errors.New(
	"hdl/, a dut.yaml or a file that a command reads was edited while the campaign ran; run it again")

// unchanged returns an error if inputs of the runs were edited since the campaign began.
func (m *manager) unchanged() error {
	now, err := hashInputs(m.Root, m.Head.Runs)
	if err == nil && now != m.inputs {
		err = errEdited
	}
	return err
}

// tries is how often a run is started if its files are written during it but end up with the same content.
const tries = 3

// quiet runs a run while nobody writes to its inputs. Otherwise a record of an edited design would count for this
// design once the edit is undone, even if that happens before the run ends.
func (m *manager) quiet(ctx context.Context, run *plan.Run, core int) (*Record, error) {
	for range tries {
		before := touchOf(m.files)
		rec, err := m.one(ctx, run, core)
		if err == nil {
			err = m.unchanged()
		}
		if err != nil {
			return nil, err
		}
		if touchOf(m.files) == before {
			return rec, nil
		}
		m.Note(run.ID + ": a file that it may have read was written or moved while it ran; it is run again")
	}
	return nil, errEdited
}

// manager distributes the runs over the slots.
type manager struct {
	Config
	mu    sync.Mutex
	wake  *sync.Cond
	queue []*plan.Run
	total int
	// built are the designs of which a run has ended, building those whose first run is in progress. Other runs of these
	// wait, so that each design is built once and no slot waits for a build.
	built, building map[string]bool
	records         map[string]*Record
	inputs          string      // hash of the inputs of the runs when the campaign began
	files           []inputFile // the inputs of the runs
	err             error
}

func (m *manager) work(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cores := Cores()
	var wg sync.WaitGroup
	for slot := range m.Slots {
		core := -1
		if m.Slots <= len(cores) {
			core = cores[slot]
		}
		wg.Go(func() {
			for {
				run, first := m.next(ctx)
				if run == nil {
					return
				}
				c := core
				if first {
					c = -1 // a build uses all cores
				}
				rec, err := m.quiet(ctx, run, c)
				if err == nil {
					err = rec.write(filepath.Join(m.Dir, recordsDir, run.ID+".json"))
				}
				m.done(run, rec, err)
				if err != nil {
					cancel()
				}
			}
		})
	}
	stop := context.AfterFunc(ctx, func() { m.mu.Lock(); m.wake.Broadcast(); m.mu.Unlock() })
	defer stop()
	wg.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// next takes the first run of the queue whose design is built, or that is the first of its design. It waits if all
// others wait for a build. It returns nil if nothing is left or ctx was cancelled.
func (m *manager) next(ctx context.Context) (run *plan.Run, first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if ctx.Err() != nil && len(m.queue) > 0 {
			m.err = cmp.Or(m.err, errInterrupted)
		}
		if ctx.Err() != nil || len(m.queue) == 0 {
			return nil, false
		}
		for i, r := range m.queue {
			if m.building[r.Design] {
				continue
			}
			first = !m.built[r.Design]
			m.building[r.Design] = first
			m.queue = slices.Delete(m.queue, i, i+1)
			return r, first
		}
		m.wake.Wait()
	}
}

func (m *manager) done(run *plan.Run, rec *Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.building[run.Design] = false
	m.built[run.Design] = true
	m.wake.Broadcast()
	if err != nil {
		if m.err == nil || errors.Is(m.err, errInterrupted) {
			m.err = err
		}
		return
	}
	m.records[run.ID] = rec
	if m.Progress != nil {
		m.Progress(len(m.records), m.total)
	}
	if rec.Outcome != Passed {
		m.Note(fmt.Sprintf("%s: %s: %s", run.ID, rec.Outcome, rec.Reason))
	}
}

// one runs a run, and repeats it if it failed: first without a search for the shortest events, then with the search and
// waves. It errors if the campaign cannot continue.
func (m *manager) one(ctx context.Context, run *plan.Run, core int) (*Record, error) {
	dir := filepath.Join(m.Dir, workDir, run.ID)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	rec := &Record{Fingerprint: m.Head.Fingerprint, Run: *run}
	var quick, thorough []string
	if run.Cosim() {
		quick = []string{"--no-shrink"}
		thorough = []string{"--waves", filepath.Join(dir, "waves"), "--save-case", filepath.Join(dir, caseName)}
	}
	if err := m.attempt(ctx, rec, dir, "first", core, quick); err != nil {
		return nil, err
	}
	if rec.Outcome == Failed && run.Cosim() {
		again := &Record{Fingerprint: rec.Fingerprint, Run: *run}
		if err := m.attempt(ctx, again, dir, "again", core, thorough); err != nil {
			return nil, err
		}
		settle(rec, again)
		if err := m.part(ctx, rec, dir, core); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

// settle merges the findings of a second run of a failing command into the record of the first.
func settle(rec, again *Record) {
	rec.Cost.Add(again.Cost)
	switch {
	case again.Outcome == Failed && rec.Result == nil: // the second run has the result that the first one lost
		rec.Result, rec.Reason, rec.Case = again.Result, again.Reason, again.Case
	case again.Outcome == Failed && (again.Result == nil || rec.Result.Failure.Same(again.Result.Failure)):
		rec.Result, rec.Case = cmp.Or(again.Result, rec.Result), again.Case
	case again.Outcome == Error:
		rec.Reason += "; once more with waves, " + again.Reason // a finding stays
	case again.Outcome == Failed:
		rec.Outcome, rec.Doubt = Error, true
		rec.Reason = fmt.Sprintf("two runs of one command found two differences: %s; then %s", rec.Reason, again.Reason)
	default:
		rec.Outcome, rec.Doubt = Error, true
		rec.Reason = fmt.Sprintf("it failed (%s), and the same command again: %s (%s)", rec.Reason, again.Outcome,
			again.Reason)
	}
}

func (m *manager) attempt(ctx context.Context, rec *Record, dir, name string, core int, more []string) error {
	result := filepath.Join(dir, name+".json")
	p := process{program: m.Program, root: m.Root, args: args(m.Root, &rec.Run, result, more...),
		log: filepath.Join(dir, name+".log"), core: core, seconds: rec.Run.Seconds, memoryMB: rec.Run.MemoryMB}
	e, err := p.run(ctx)
	if err != nil {
		return err
	}
	rec.Cost = e.cost
	rec.judge(e.exit, result)
	if rec.Outcome == Failed {
		rec.Case = readCase(filepath.Join(dir, caseName))
		return nil // found before anything that broke later
	}
	switch {
	case e.bound != "":
		rec.Outcome, rec.Reason = Error, e.bound
	case e.exit < 0:
		rec.Outcome, rec.Reason = Error, "a signal ended it (out of memory, or killed from outside); "+lastLine(p.log)
	case rec.Outcome == Error && rec.Result == nil:
		rec.Reason += "; " + lastLine(p.log)
	}
	return nil
}

// lastLine returns the path of a log and its last line.
func lastLine(path string) string {
	all, _ := os.ReadFile(path)
	text := strings.TrimRight(string(all), "\n")
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if text == "" {
		return "it printed nothing"
	}
	return "it printed: " + text[max(0, len(text)-400):]
}

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

// costsName is the file with the cost of runs. It outlives campaigns and orders the runs of the next one.
const costsName = "costs.json"

// costs are the seconds that a run of a test and source took per event, or in all if its events are unknown.
type costs map[string]float64

func costKey(r *plan.Run) string { return r.Test + " " + r.Source }

// readCosts reads the known costs of a folder. A damaged file counts as none, because costs only order runs.
func readCosts(dir string) costs {
	c := costs{}
	if text, err := os.ReadFile(filepath.Join(dir, costsName)); err == nil {
		_ = json.Unmarshal(text, &c)
	}
	if c == nil {
		return costs{}
	}
	return c
}

// of estimates the seconds of a run. A run that never ran counts as long, so that it does not come last.
func (c costs) of(r *plan.Run) float64 {
	x, ok := c[costKey(r)]
	if !ok {
		return 1e6 + float64(r.Events)
	}
	return x * float64(max(r.Events, 1))
}

func (c costs) write(dir string, records map[string]*Record) error {
	for _, r := range records {
		if r.Outcome == Passed {
			c[costKey(&r.Run)] = r.Cost.Seconds / float64(max(r.Run.Events, 1))
		}
	}
	if len(c) == 0 {
		return nil
	}
	return report.WriteFile(filepath.Join(dir, costsName), func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
}
