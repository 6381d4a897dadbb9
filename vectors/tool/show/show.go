// Package show prints records of a vector file, and what a vector file is, as the commands goldwire vectors show and
// info do.
//
//	q := show.Query{Table: export.NewTable(r.Block(), r.Header().Per), To: math.MaxUint64, Most: 20}
//	err := q.Print(os.Stdout, &f, r)
package show

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// MaxTable bounds the rows of a table, which is kept in memory to leave out empty columns.
const MaxTable = 10_000

// Query selects what to print of a file.
type Query struct {
	Table      *export.Table
	From, To   uint64 // numbers of records, both included
	Conditions []export.Condition
	Most       int  // records; 0 for all, which is not possible for a table
	JSON       bool // JSON Lines in place of a table
}

// Print prints the records of r, the reader of f, that the query asks for. Of a damaged file it prints those before the
// damage, and errors.
func (q *Query) Print(w io.Writer, f *tool.File, r *format.Reader) error {
	if !q.JSON && (q.Most < 1 || q.Most > MaxTable) {
		return fmt.Errorf("table of %d records: must be 1 to %d", q.Most, MaxTable)
	}
	s := &shower{w: w, t: q.Table, json: bufio.NewWriter(w), asJSON: q.JSON}
	episode, shown := "", 0
	err := f.Each(r, func(rec *format.Record) (bool, error) {
		if rec.Mark != nil {
			episode = rec.Mark.Name
		}
		if rec.Number > q.To || q.Most > 0 && shown == q.Most {
			return false, nil
		}
		if rec.Number < q.From ||
			slices.ContainsFunc(q.Conditions, func(c export.Condition) bool { return !c.Match(rec) }) {
			return true, nil
		}
		s.show(rec, episode)
		shown++
		return true, nil
	})
	return errors.Join(s.flush(), err)
}

// shower prints records as they come, or all at the end as a table.
type shower struct {
	w      io.Writer
	t      *export.Table
	json   *bufio.Writer
	buf    []byte
	asJSON bool
	rows   [][]string // number, episode, columns
}

func (s *shower) show(rec *format.Record, episode string) {
	if s.asJSON {
		s.buf = s.t.AppendLine(s.buf[:0], rec, episode)
		s.json.Write(s.buf) // Flush returns the error
		return
	}
	row := []string{strconv.FormatUint(rec.Number, 10), episode}
	for i := range s.t.Columns {
		c, text := &s.t.Columns[i], ""
		if c.Present(rec) {
			text = string(c.AppendShown(nil, rec))
		}
		row = append(row, text)
	}
	s.rows = append(s.rows, row)
}

func (s *shower) flush() error {
	if s.asJSON {
		return s.json.Flush()
	}
	unit := format.PerTransaction
	if s.t.PerCycle {
		unit = format.PerCycle
	}
	if len(s.rows) == 0 {
		_, err := fmt.Fprintf(s.w, "no %s matches\n", unit)
		return err
	}
	head := []string{unit, "episode"}
	keep := []bool{true, true}
	for i := range s.t.Columns {
		some := s.t.Chosen
		for _, row := range s.rows {
			some = some || strings.Trim(row[i+2], "0x_") != ""
		}
		head, keep = append(head, s.t.Columns[i].Name), append(keep, some)
	}
	w := tabwriter.NewWriter(s.w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, s.rows...) {
		var cells []string
		for i, x := range row {
			if keep[i] {
				if x == "" {
					x = "-"
				}
				cells = append(cells, x)
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}
