package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

func newVectorsDiff(a *app) *cobra.Command {
	most := 10
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "compare two vector files field by field",
		Long: `diff compares two vector files record by record and field by field, and prints the
first differences and how often each field differs. Files of two schemas are
compared in the fields that both have. Use it to see what a change of the model, a
seed or a parameter changed.

Exit codes: 0 the same records; 1 something differs; 2 a file is damaged, or the two
cannot be compared.`,
		Example: `  goldwire vectors diff old.gwv new.gwv
  goldwire vectors diff --most 1 old.gwv new.gwv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%d arguments of %q; it takes two vector files; usage: %s", len(args), cmd.CommandPath(), cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 {
				return fmt.Errorf("--most %d: give 0 or more", most)
			}
			if args[0] == "-" && args[1] == "-" {
				return errors.New("diff - -: only one file can come from stdin")
			}
			ra, doneA, err := a.openVectors(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer doneA()
			rb, doneB, err := a.openVectors(cmd.Context(), args[1])
			if err != nil {
				return err
			}
			defer doneB()
			d, err := newDiffer(a.stdout, ra, rb, most)
			if err != nil {
				return err
			}
			if err := d.run(args); err != nil {
				return err
			}
			return d.verdict()
		},
	}
	c.Flags().IntVar(&most, "most", most, "print the first `N` differences; all are counted")
	return c
}

// pair is a column that both files have.
type pair struct{ a, b *export.Column }

type differ struct {
	out     io.Writer
	a, b    *gwv.Reader
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
func newDiffer(out io.Writer, ra, rb *gwv.Reader, most int) (*differ, error) {
	ha, hb := ra.Header(), rb.Header()
	if ha.Block != hb.Block {
		return nil, fmt.Errorf("block %s and block %s: vectors of two blocks cannot be compared", ha.Block, hb.Block)
	}
	if ha.Per != hb.Per {
		return nil, fmt.Errorf("one file is per %s, the other per %s: generate one of them again with --per", ha.Per, hb.Per)
	}
	d := &differ{out: out, a: ra, b: rb, per: ha.Per, same: ha.SchemaHash == hb.SchemaHash, most: most, count: map[string]uint64{}}
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
	show("made by", commandLine(ha.Args), commandLine(hb.Args))
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

func (d *differ) run(names []string) error {
	episode := ""
	for {
		x, errA := d.a.Next()
		y, errB := d.b.Next()
		for i, err := range []error{errA, errB} {
			if err != nil && err != io.EOF {
				return vectorError(names[i], err)
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
					return vectorError(names[i], err)
				}
			}
			t := longer.Totals()
			_, err := fmt.Fprintf(d.out, "%s ends after %d %ss, %s has %d\n", names[1-i], n, d.per, names[i], t.Records)
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

func (d *differ) compare(x, y *gwv.Record, episode string) error {
	var other []string
	if (x.Mark == nil) != (y.Mark == nil) || x.Mark != nil && *x.Mark != *y.Mark {
		name := func(m *gwv.Mark) string {
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

func cell(c *export.Column, rec *gwv.Record) string {
	if !c.Present(rec) {
		return "-"
	}
	return string(c.AppendShown(nil, rec))
}

func (d *differ) verdict() error {
	if d.bad == 0 && !d.shape {
		_, err := fmt.Fprintf(d.out, "the same %d %ss\n", d.records, d.per)
		return err
	}
	fmt.Fprintf(d.out, "%d of %d %ss differ\n", d.bad, d.records, d.per)
	for _, name := range slices.Sorted(maps.Keys(d.count)) {
		fmt.Fprintf(d.out, "  %s: %d\n", name, d.count[name])
	}
	return errMismatch
}
