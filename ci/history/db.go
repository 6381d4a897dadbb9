package history

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/goldwire/goldwire/cosim/report"
)

// Default is the file of the history relative to the root of the repository.
const Default = "build/ci/history.db"

const (
	application = 0x47574849 // marks a file as a history: GWHI
	version     = 2          // of schema.sql
)

//go:embed schema.sql
var schema string

// ErrNone is wrapped by the error for a history that does not exist or has no campaigns.
var ErrNone = errors.New("no history")

// wait is how long a writer waits for another writer.
var wait = 10 * time.Second

// DB is the file of a history.
type DB struct {
	path string
	sql  *sql.DB
}

// Open opens a history to read it. It returns an error that wraps ErrNone if there is none.
func Open(ctx context.Context, path string) (*DB, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no file %s; goldwire ci record DIR makes it", ErrNone, path)
	case err != nil:
		return nil, fmt.Errorf("history %s: %w", path, err)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("history %s: it is not a file; give another path", path)
	case st.Size() == 0:
		return nil, fmt.Errorf("%w: the file %s is empty; goldwire ci record DIR fills it", ErrNone, path)
	}
	d, err := connect(path, "rw", "deferred")
	if err != nil {
		return nil, err
	}
	if err := d.known(ctx, d.sql); err != nil {
		return nil, errors.Join(d.named(err), d.Close())
	}
	return d, nil
}

// Create opens a history to write to it. Add creates it if it does not exist.
func Create(path string) (*DB, error) {
	if err := report.Regular(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("history %s: %w", path, err)
	}
	return connect(path, "rwc", "immediate")
}

// connect opens the file with a mode of SQLite; lock is when a transaction takes its lock. The mode "rw" also reads a
// read-only file.
func connect(path, mode, lock string) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("history %s: %w", path, err)
	}
	u := url.URL{Scheme: "file", Path: abs}
	q := url.Values{"mode": {mode}, "_txlock": {lock}}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()))
	q.Add("_pragma", "foreign_keys(1)")
	q.Add("_pragma", "synchronous(full)")
	if mode == "rw" {
		q.Add("_pragma", "query_only(1)")
	}
	u.RawQuery = q.Encode()
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("history %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return &DB{path: path, sql: db}, nil
}

// Close closes the file.
func (d *DB) Close() error { return d.sql.Close() }

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// errOther marks an SQLite file that is not ours.
var errOther = errors.New("it is not a history of goldwire; give another file with --db")

// known returns an error if the file is not a history of this version.
func (d *DB) known(ctx context.Context, q querier) error {
	var app, v int
	if err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&app); err != nil {
		return err
	}
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return err
	}
	switch {
	case app != application:
		return errOther
	case v != version:
		return fmt.Errorf("it has version %d, and this goldwire knows version %d; use the goldwire that wrote it, or begin "+
			"another file with --db", v, version)
	}
	return nil
}

// named returns an error with the file's name and the remedy for SQLite's error.
func (d *DB) named(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return fmt.Errorf("history %s: another process writes to it; try again later", d.path)
		case sqlite3.SQLITE_NOTADB:
			return fmt.Errorf("history %s: %w", d.path, errOther)
		case sqlite3.SQLITE_CORRUPT:
			return d.damaged(err)
		}
	}
	return fmt.Errorf("history %s: %w", d.path, err)
}

// damaged returns the error for a file that does not hold what was written to it.
func (d *DB) damaged(err error) error {
	return fmt.Errorf("history %s is damaged: %w; put it away and record the campaigns again", d.path, err)
}
