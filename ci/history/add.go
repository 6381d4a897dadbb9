package history

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/ci/campaign"
)

// News is what Add did with a campaign.
type News string

// What became of a campaign.
const (
	Added    News = "added"
	Known    News = "already in the history"
	Replaced News = "put in place of what the history had: runs that had ended in an error have an answer"
	Kept     News = "left out: the history has the same campaign with fewer errors"
)

// Read reads the campaign in a folder for Add. It errors if a planned run has no record.
func Read(dir string) (*campaign.Campaign, error) {
	c, err := campaign.Read(dir)
	if err != nil {
		return nil, err
	}
	if n := c.Summary.Missing; n > 0 {
		return nil, fmt.Errorf("folder %s: %d of %d planned runs have no record; go on with goldwire ci run, or merge the "+
			"folders of all shards", dir, n, c.Summary.Planned)
	}
	if n := c.Summary.TakenOver; n > 0 {
		return nil, fmt.Errorf("folder %s: %d of %d planned runs were not run but taken over from an earlier campaign; "+
			"record that one", dir, n, c.Summary.Planned)
	}
	if c.Head.Began.IsZero() {
		return nil, fmt.Errorf("folder %s: its campaign.json has no time at which the campaign began; run it again with "+
			"this goldwire", dir)
	}
	return c, nil
}

// Add adds campaigns returned by Read: all of them or, if it errors, none. Campaigns with the same fingerprint are the
// same campaign; it is an error if their runs gave different answers, apart from errors of the harness.
func (d *DB) Add(ctx context.Context, campaigns ...*campaign.Campaign) ([]News, error) {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return nil, d.named(err)
	}
	defer tx.Rollback() //nolint:errcheck // of no effect after Commit
	if err := d.prepare(ctx, tx); err != nil {
		return nil, d.named(err)
	}
	out := make([]News, len(campaigns))
	for i, c := range campaigns {
		if out[i], err = d.add(ctx, tx, c); err != nil {
			return nil, d.named(fmt.Errorf("stage %s, night %s: %w", c.Head.Stage, c.Head.Night, err))
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, d.named(err)
	}
	return out, nil
}

// prepare creates the tables in a new file.
func (d *DB) prepare(ctx context.Context, tx *sql.Tx) error {
	var tables int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables > 0 {
		return d.known(ctx, tx)
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; %s", application,
		version, schema))
	return err
}

func (d *DB) add(ctx context.Context, tx *sql.Tx, c *campaign.Campaign) (News, error) {
	news := Added
	var old int64
	err := tx.QueryRowContext(ctx, "SELECT id FROM campaign WHERE fingerprint = ?", c.Head.Fingerprint).Scan(&old)
	switch {
	case err == nil:
		if news, err = compare(ctx, tx, old, c); err != nil || news != Replaced {
			return news, err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM campaign WHERE id = ?", old); err != nil {
			return "", err
		}
	case !errors.Is(err, sql.ErrNoRows):
		return "", err
	}
	s := c.Summary
	res, err := tx.ExecContext(ctx, `INSERT INTO campaign (fingerprint, stage, night, revision, began, planned, passed,
		failed, errors, open) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, c.Head.Fingerprint, c.Head.Stage, c.Head.Night,
		c.Head.Revision, c.Head.Began.Unix(), s.Planned, s.Passed, s.Failed, s.Errors,
		s.Lacking())
	if err != nil {
		return "", err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return "", err
	}
	return news, addRuns(ctx, tx, id, c)
}

func addRuns(ctx context.Context, tx *sql.Tx, id int64, c *campaign.Campaign) error {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO run (campaign, n, name, test, block, source, seed, size, command,
		outcome, reason, events, cycles, fields, digest, bins, missed, failure, figures, seconds, cpu, memory_mb)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	b := bins{ctx: ctx, tx: tx, known: map[string]uint64{}}
	for i, r := range c.Records {
		x := r.Result
		if x == nil {
			x = &campaign.Result{}
		}
		missed, err := b.pack(x.Missed)
		if err != nil {
			return err
		}
		failure, err := text(x.Failure, x.Failure == nil)
		if err != nil {
			return err
		}
		figures, err := text(r.Figures, len(r.Figures) == 0)
		if err != nil {
			return err
		}
		run := &r.Run
		if _, err := insert.ExecContext(ctx, id, i, run.ID, run.Test, run.Block, run.Source, int64(run.Seed),
			campaign.Size(run), c.Summary.Runs[i].Repeat, string(r.Outcome), r.Reason, int64(x.Events), int64(x.Cycles),
			int64(x.Fields), x.Digest, x.Bins, missed, failure, figures, r.Cost.Seconds, r.Cost.CPU,
			r.Cost.MemoryMB); err != nil {
			return fmt.Errorf("run %s: %w", run.ID, err)
		}
	}
	return nil
}

// text returns a value as JSON, "" for an empty one.
func text(v any, empty bool) (string, error) {
	if empty {
		return "", nil
	}
	out, err := json.Marshal(v)
	return string(out), err
}

// compare returns what to do with a campaign that is already in the history.
func compare(ctx context.Context, tx *sql.Tx, id int64, c *campaign.Campaign) (News, error) {
	rows, err := tx.QueryContext(ctx, "SELECT name, outcome, digest, failure FROM run WHERE campaign = ? ORDER BY n", id)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	i, before, now := 0, 0, 0
	for ; rows.Next(); i++ {
		var name, outcome, digest, failure string
		if err := rows.Scan(&name, &outcome, &digest, &failure); err != nil {
			return "", err
		}
		if i >= len(c.Records) || c.Records[i].Run.ID != name {
			return "", fmt.Errorf("the history has other runs of this campaign (run %s); one of them was edited", name)
		}
		r := c.Records[i]
		was := campaign.Outcome(outcome)
		switch {
		case was == campaign.Error && r.Outcome == campaign.Error:
		case was == campaign.Error:
			before++
		case r.Outcome == campaign.Error:
			now++
		case was != r.Outcome || r.Result != nil && (digest != r.Result.Digest || !sameFailure(failure, r.Result.Failure)):
			return "", fmt.Errorf("run %s gave another answer than the history has of the same campaign (%s, now %s); one of "+
				"them is wrong, and none is changed", name, was, r.Outcome)
		}
	}
	switch {
	case rows.Err() != nil:
		return "", rows.Err()
	case i != len(c.Records):
		return "", fmt.Errorf("the history has %d of its %d runs; the file was edited", i, len(c.Records))
	case before > now:
		return Replaced, nil
	case now > 0:
		return Kept, nil
	}
	return Known, nil
}

// sameFailure reports whether the history has the same first difference of a run.
func sameFailure(text string, f *campaign.Failure) bool {
	if text == "" || f == nil {
		return (text == "") == (f == nil)
	}
	var old campaign.Failure
	if json.Unmarshal([]byte(text), &old) != nil {
		return false
	}
	return old.Same(f)
}

// bins numbers the names of bins.
type bins struct {
	ctx   context.Context
	tx    *sql.Tx
	known map[string]uint64
}

// pack returns names as their numbers.
func (b *bins) pack(names []string) ([]byte, error) {
	numbers := make([]uint64, 0, len(names))
	for _, name := range names {
		id, ok := b.known[name]
		if !ok {
			if _, err := b.tx.ExecContext(b.ctx, "INSERT OR IGNORE INTO bin (name) VALUES (?)", name); err != nil {
				return nil, err
			}
			if err := b.tx.QueryRowContext(b.ctx, "SELECT id FROM bin WHERE name = ?", name).Scan(&id); err != nil {
				return nil, err
			}
			b.known[name] = id
		}
		numbers = append(numbers, id)
	}
	slices.Sort(numbers)
	out, last := []byte{}, uint64(0)
	for _, n := range slices.Compact(numbers) {
		out = binary.AppendUvarint(out, n-last)
		last = n
	}
	return out, nil
}
