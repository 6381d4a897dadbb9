package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// Night is one campaign of the history.
type Night struct {
	Stage    string    `json:"stage"`
	Night    string    `json:"night"`
	Revision string    `json:"revision"`
	Began    time.Time `json:"began"`
	Planned  int       `json:"planned"`
	Passed   int       `json:"passed"`
	Failed   int       `json:"failed"`
	Errors   int       `json:"errors"`
	Open     int       `json:"open"` // testpoints that a closed stage did not show
	Runs     []Run     `json:"-"`    // in the order of the plan
	id       int64
}

// Run is one run of a campaign.
type Run struct {
	Name, Test, Block, Source, Size string
	Command                         string // command line that repeats it
	Outcome                         campaign.Outcome
	Reason                          string
	Events                          uint64
	Bins                            int
	Missed                          []int // bins, as indices of Past.Bins, ascending
	Failure                         *campaign.Failure
	Figures                         []campaign.Figure
	Cost                            campaign.Cost
}

// Past is a part of the history.
type Past struct {
	Nights []*Night // of all stages, in the order in which they began
	Bins   []string // names; "" for unused numbers
	// Failed are the failed runs of the whole history, not just of Nights, in the order in which they ran.
	Failed []Failed
	Total  int // campaigns of the whole history
	// before are the campaigns before the newest of each stage, whether they are in Nights or not.
	before map[string]int64
}

// Failed is a run that failed.
type Failed struct {
	Stage, Night, Name, Command string
	Key                         campaign.Key
	campaign                    int64
}

// The queries whose cost must not grow with the history.
const (
	nightsQuery = `SELECT id, stage, night, revision, began, planned, passed, failed, errors, open FROM campaign
		WHERE stage = ? ORDER BY began DESC, id DESC LIMIT ?`
	runsQuery = `SELECT name, test, block, source, size, command, outcome, reason, events, bins, missed, failure, figures,
		seconds, cpu, memory_mb FROM run WHERE campaign = ? ORDER BY n`
	failedQuery = `SELECT c.id, c.stage, c.night, r.name, r.test, r.block, r.command, r.failure
		FROM run r INDEXED BY run_failed JOIN campaign c ON c.id = r.campaign
		WHERE r.outcome = 'failed' ORDER BY c.began, c.id, r.n`
	beforeQuery = `SELECT id FROM campaign WHERE stage = ? ORDER BY began DESC, id DESC LIMIT 1 OFFSET 1`
	stagesQuery = `SELECT DISTINCT stage FROM campaign ORDER BY stage`
)

// Last reads the last n campaigns of each stage, or of one stage if it is not "". The error wraps ErrNone if the
// history has none.
func (d *DB) Last(ctx context.Context, stage string, n int) (*Past, error) {
	tx, err := d.sql.BeginTx(ctx, nil) // one state of the file, even if others write meanwhile
	if err != nil {
		return nil, d.named(err)
	}
	defer tx.Rollback() //nolint:errcheck // it only reads
	p := &Past{before: map[string]int64{}}
	if err := p.read(ctx, tx, stage, n); err != nil {
		if errors.Is(err, ErrNone) || errors.Is(err, errUnlike) {
			return nil, d.told(err)
		}
		return nil, d.named(err)
	}
	return p, nil
}

// errUnlike marks rows that contradict each other.
var errUnlike = errors.New("its rows do not fit one another")

func (d *DB) told(err error) error {
	if errors.Is(err, ErrNone) {
		return fmt.Errorf("%w in %s; goldwire ci record DIR adds one", err, d.path)
	}
	return d.damaged(err)
}

func (p *Past) read(ctx context.Context, tx *sql.Tx, stage string, n int) error {
	stages, err := list(ctx, tx, stagesQuery, nil, func(s *sql.Rows) (name string, err error) {
		return name, s.Scan(&name)
	})
	switch {
	case err != nil:
		return err
	case len(stages) == 0:
		return fmt.Errorf("%w: there is no campaign", ErrNone)
	case stage != "" && !slices.Contains(stages, stage):
		return fmt.Errorf("%w: there is no campaign of stage %q", ErrNone, stage)
	case stage != "":
		stages = []string{stage}
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM campaign").Scan(&p.Total); err != nil {
		return err
	}
	if err := p.readBins(ctx, tx); err != nil {
		return err
	}
	for _, s := range stages {
		nights, err := list(ctx, tx, nightsQuery, []any{s, n}, func(r *sql.Rows) (*Night, error) {
			x, began := &Night{}, int64(0)
			err := r.Scan(&x.id, &x.Stage, &x.Night, &x.Revision, &began, &x.Planned, &x.Passed, &x.Failed, &x.Errors, &x.Open)
			x.Began = time.Unix(began, 0).UTC()
			return x, err
		})
		if err != nil {
			return err
		}
		p.Nights = append(p.Nights, nights...)
		var before int64
		switch err := tx.QueryRowContext(ctx, beforeQuery, s).Scan(&before); {
		case err == nil:
			p.before[s] = before
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
	}
	slices.SortFunc(p.Nights, func(a, b *Night) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.id, b.id))
	})
	for _, x := range p.Nights {
		if x.Runs, err = list(ctx, tx, runsQuery, []any{x.id}, p.scanRun); err != nil {
			return err
		}
		if err := x.counted(); err != nil {
			return err
		}
	}
	p.Failed, err = list(ctx, tx, failedQuery, nil, func(r *sql.Rows) (f Failed, err error) {
		var test, block, text string
		if err := r.Scan(&f.campaign, &f.Stage, &f.Night, &f.Name, &test, &block, &f.Command, &text); err != nil {
			return f, err
		}
		failure, err := parseFailure(text)
		f.Key = campaign.KeyOf(&plan.Run{Block: block, Test: test}, failure)
		return f, err
	})
	if stage != "" {
		p.Failed = slices.DeleteFunc(p.Failed, func(f Failed) bool { return f.Stage != stage })
	}
	return err
}

// counted compares the counts of a campaign with its runs: a history that lost rows must not look better than it is.
func (x *Night) counted() error {
	n := map[campaign.Outcome]int{}
	for i := range x.Runs {
		n[x.Runs[i].Outcome]++
	}
	if len(x.Runs) != x.Planned || n[campaign.Passed] != x.Passed || n[campaign.Failed] != x.Failed ||
		n[campaign.Error] != x.Errors {
		return fmt.Errorf("%w: stage %s, night %s has %d planned runs and %d in the table", errUnlike, x.Stage, x.Night,
			x.Planned, len(x.Runs))
	}
	return nil
}

func list[T any](ctx context.Context, tx *sql.Tx, query string, args []any,
	scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		x, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, rows.Err()
}

func (p *Past) readBins(ctx context.Context, tx *sql.Tx) error {
	_, err := list(ctx, tx, "SELECT id, name FROM bin ORDER BY id", nil, func(r *sql.Rows) (struct{}, error) {
		var id int
		var name string
		if err := r.Scan(&id, &name); err != nil {
			return struct{}{}, err
		}
		if id < len(p.Bins) || id > 1<<24 {
			return struct{}{}, fmt.Errorf("%w: bin %s has the number %d", errUnlike, name, id)
		}
		for len(p.Bins) < id {
			p.Bins = append(p.Bins, "")
		}
		p.Bins = append(p.Bins, name)
		return struct{}{}, nil
	})
	return err
}

func (p *Past) scanRun(r *sql.Rows) (x Run, err error) {
	var missed []byte
	var failure, figures string
	if err := r.Scan(&x.Name, &x.Test, &x.Block, &x.Source, &x.Size, &x.Command, &x.Outcome, &x.Reason, &x.Events,
		&x.Bins, &missed, &failure, &figures, &x.Cost.Seconds, &x.Cost.CPU, &x.Cost.MemoryMB); err != nil {
		return x, err
	}
	if x.Failure, err = parseFailure(failure); err != nil {
		return x, err
	}
	if figures != "" {
		if err := json.Unmarshal([]byte(figures), &x.Figures); err != nil {
			return x, fmt.Errorf("%w: figures of run %s: %w", errUnlike, x.Name, err)
		}
	}
	for id := uint64(0); len(missed) > 0; {
		step, n := binary.Uvarint(missed)
		if id += step; n <= 0 || id >= uint64(len(p.Bins)) || p.Bins[id] == "" {
			return x, fmt.Errorf("%w: run %s misses a bin that has no name", errUnlike, x.Name)
		}
		missed = missed[n:]
		x.Missed = append(x.Missed, int(id))
	}
	return x, nil
}

// parseFailure reads the first difference of a run.
func parseFailure(text string) (*campaign.Failure, error) {
	if text == "" {
		return nil, nil
	}
	f := new(campaign.Failure)
	if err := json.Unmarshal([]byte(text), f); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnlike, err)
	}
	return f, nil
}
