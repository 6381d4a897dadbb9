// Package diff compares two vector files record by record and field by field.
//
//	differ, err := diff.Files(os.Stdout, &a, &b, 10)
package diff

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Files prints how two files differ: their headers, the first records that differ, at most most of them, and how often
// each field does. It returns whether a difference was found in the records, in their number, or in the fields that the
// two have. It errors when a file is damaged or the two cannot be compared; differences found before the damage still
// count.
func Files(out io.Writer, a, b *tool.File, most int) (differ bool, err error) {
	ra, done, err := a.Open()
	if err != nil {
		return false, err
	}
	defer done()
	rb, done, err := b.Open()
	if err != nil {
		return false, err
	}
	defer done()
	d, err := newDiffer(out, ra, rb, most)
	if err != nil {
		return false, err
	}
	err = d.run([2]*tool.File{a, b})
	if err != nil && !d.differs() {
		return false, err
	}
	return d.differs(), errors.Join(err, d.verdict())
}

// pair is a column that both files have.
type pair struct{ a, b *export.Column }

type differ struct {
	out     io.Writer
	a, b    *format.Reader
	per     string
	same    bool // one schema: equal words are equal fields
	pairs   []pair
	most    int
	records uint64 // compared
	bad     uint64 // that differ
	count   map[string]uint64
	shape   bool // fields or lengths differ
}

// newDiffer prints how the headers differ.
func newDiffer(out io.Writer, ra, rb *format.Reader, most int) (*differ, error) {
	ha, hb := ra.Header(), rb.Header()
	if ha.Block != hb.Block {
		return nil, fmt.Errorf("block %s and block %s: vectors of two blocks cannot be compared", ha.Block, hb.Block)
	}
	if ha.Per != hb.Per {
		return nil, fmt.Errorf("one file is per %s, the other per %s: generate one of them again with --per", ha.Per,
			hb.Per)
	}
	d := &differ{out: out, a: ra, b: rb, per: ha.Per, same: ha.SchemaHash == hb.SchemaHash, most: most,
		count: map[string]uint64{}}
	show := func(what string, x, y any) {
		if fmt.Sprint(x) != fmt.Sprint(y) {
			fmt.Fprintf(out, "%s: %v | %v\n", what, x, y)
		}
	}
	show("schema", ha.SchemaHash, hb.SchemaHash)
	show("compare hash", event.CompareName(ha.CompareHash), event.CompareName(hb.CompareHash))
	show("relaxed", ha.Relaxed, hb.Relaxed)
	show("constants", ha.Constants, hb.Constants)
	show("parameters", ha.Params, hb.Params)
	show("source", ha.Source, hb.Source)
	show("seed", ha.SeedText(), hb.SeedText())
	show("generator", ha.Generator, hb.Generator)
	show("made by", tool.CommandLine("goldwire", ha.Args), tool.CommandLine("goldwire", hb.Args))
	ta, tb := export.NewTable(ra.Block(), d.per), export.NewTable(rb.Block(), d.per)
	var only [2][]string
	for i := range ta.Columns {
		x := &ta.Columns[i]
		j := slices.IndexFunc(tb.Columns, func(c export.Column) bool { return c.Name == x.Name })
		if j < 0 {
			only[0] = append(only[0], x.Name)
			continue
		}
		d.pairs = append(d.pairs, pair{x, &tb.Columns[j]})
	}
	for i := range tb.Columns {
		name := tb.Columns[i].Name
		if !slices.ContainsFunc(ta.Columns, func(c export.Column) bool { return c.Name == name }) {
			only[1] = append(only[1], name)
		}
	}
	for i, names := range only {
		if names != nil {
			fmt.Fprintf(out, "only in the %s file: %s\n", []string{"first", "second"}[i], strings.Join(names, ", "))
			d.shape = true
		}
	}
	return d, nil
}

func (d *differ) run(files [2]*tool.File) error {
	episode := ""
	for {
		x, errA := d.a.Next()
		y, errB := d.b.Next()
		for i, err := range []error{errA, errB} {
			if err != nil && err != io.EOF {
				return files[i].Wrap(err)
			}
		}
		if errA == io.EOF && errB == io.EOF {
			return nil
		}
		if errA == io.EOF || errB == io.EOF {
			d.shape = true
			n, i := d.records, 0
			longer := d.a
			if errA == io.EOF {
				longer, i = d.b, 1
			}
			for _, err := range longer.All() {
				if err != nil {
					return files[i].Wrap(err)
				}
			}
			t := longer.Totals()
			_, err := fmt.Fprintf(d.out, "%s ends after %d %ss, %s has %d\n", files[1-i].Name, n, d.per, files[i].Name,
				t.Records)
			return err
		}
		if x.Mark != nil {
			episode = x.Mark.Name
		}
		if err := d.compare(x, y, episode); err != nil {
			return err
		}
		d.records++
	}
}

func (d *differ) compare(x, y *format.Record, episode string) error {
	var other []string
	if (x.Mark == nil) != (y.Mark == nil) || x.Mark != nil && *x.Mark != *y.Mark {
		name := func(m *format.Mark) string {
			if m == nil {
				return "none"
			}
			return fmt.Sprintf("%s seed %d", m.Name, m.Seed)
		}
		other = append(other, fmt.Sprintf("episode: %s | %s", name(x.Mark), name(y.Mark)))
		d.count["episode"]++
	}
	if !d.same || !slices.Equal(x.In, y.In) || !slices.Equal(x.Out, y.Out) {
		for _, p := range d.pairs {
			u, v := cell(p.a, x), cell(p.b, y)
			if u != v {
				other = append(other, fmt.Sprintf("%s: %s | %s", p.a.Name, u, v))
				d.count[p.a.Name]++
			}
		}
	}
	if other == nil {
		return nil
	}
	d.bad++
	if d.bad > uint64(d.most) {
		return nil
	}
	_, err := fmt.Fprintf(d.out, "%s %d (%s): %s\n", d.per, x.Number, episode, strings.Join(other, "; "))
	return err
}

func cell(c *export.Column, rec *format.Record) string {
	if !c.Present(rec) {
		return "-"
	}
	return string(c.AppendShown(nil, rec))
}

// differs reports whether a difference was found.
func (d *differ) differs() bool { return d.bad > 0 || d.shape }

// verdict prints what was found.
func (d *differ) verdict() error {
	if !d.differs() {
		_, err := fmt.Fprintf(d.out, "the same %d %ss\n", d.records, d.per)
		return err
	}
	_, err := fmt.Fprintf(d.out, "%d of %d %ss differ\n", d.bad, d.records, d.per)
	for _, name := range slices.Sorted(maps.Keys(d.count)) {
		if err == nil {
			_, err = fmt.Fprintf(d.out, "  %s: %d\n", name, d.count[name])
		}
	}
	return err
}
