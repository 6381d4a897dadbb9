package vectors

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/export"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/show"
)

func newShow(a *commands) *cobra.Command {
	var number, context string
	var where, fields []string
	var asJSON bool
	most := 20
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "print records of a vector file as a table or JSON Lines",
		Long: `show prints records of a vector file: transactions, or the cycles of a file per cycle.
It finds them by number, by context, or by the values of fields; if several conditions
are given, all must hold. A table leaves out columns that are 0 in every row shown;
select columns with --fields. Bytes of packets are in wire order, byte 0 first.

FILE - reads stdin. Exit codes: 0 printed, even if nothing matched; 2 the file is
damaged, or a condition is invalid.`,
		Example: `  goldwire vectors show --number 100..120 random.gwv
  goldwire vectors show --context 3 --where ev.kind=ACK --where 'rsp.cwnd<8192' random.gwv
  goldwire vectors show --where md_applied=1 --fields ev.ctx,rsp.cwnd --json --most 0 random.gwv`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 || !asJSON && (most == 0 || most > show.MaxTable) {
				return fmt.Errorf("--most %d: give 1 to %d, or with --json any number, 0 for all", most, show.MaxTable)
			}
			from, to, err := parseNumbers(number)
			if err != nil {
				return err
			}
			return a.reading(cmd, args[0], func(f *tool.File, r *gwv.Reader) error {
				t := export.NewTable(r.Block(), r.Header().Per)
				conds, err := conditions(t, context, where)
				if err != nil {
					return err
				}
				if err := choose(t, fields); err != nil {
					return err
				}
				q := show.Query{Table: t, From: from, To: to, Conditions: conds, Most: most, JSON: asJSON}
				return q.Print(a.Stdout, f, r)
			})
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&number, "number", "", "only the record of that number, or a range `A..B`, both ends included; "+
		"the first is 0")
	fl.StringVar(&context, "context", "", "only records of context `N` (field ctx, pdc or port)")
	fl.StringArrayVar(&where, "where", nil, "only records in which a field has a value, `FIELD=VALUE`, or with "+
		"!= < <= > >=; may be repeated")
	fl.StringSliceVar(&fields, "fields", nil, "columns to print, `F[,F...]`, such as ev.kind,rsp.cwnd")
	fl.IntVar(&most, "most", most, "at most `N` records; with --json 0 for all")
	fl.BoolVar(&asJSON, "json", false, "print JSON Lines, one object per record")
	return c
}

// parseNumbers reads "7" or "5..10"; empty means all.
func parseNumbers(s string) (from, to uint64, err error) {
	if s == "" {
		return 0, math.MaxUint64, nil
	}
	lo, hi, ranged := strings.Cut(s, "..")
	if from, err = strconv.ParseUint(lo, 10, 64); err == nil {
		if to = from; ranged {
			to, err = strconv.ParseUint(hi, 10, 64)
		}
	}
	if err != nil || to < from {
		return 0, 0, fmt.Errorf("--number %q: give a number such as 7, or a range such as 5..10", s)
	}
	return from, to, nil
}

func conditions(t *export.Table, context string, where []string) (out []export.Condition, err error) {
	var c export.Condition
	if context != "" {
		n, err := strconv.ParseUint(context, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("--context %q: give a number", context)
		}
		if c, err = t.Context(n); err != nil {
			return nil, fmt.Errorf("--context: %w", err)
		}
		out = append(out, c)
	}
	for _, w := range where {
		if c, err = t.ParseCondition(w); err != nil {
			return nil, fmt.Errorf("--where: %w", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// choose keeps only the named columns, in the table's order.
func choose(t *export.Table, names []string) error {
	if len(names) == 0 {
		return nil
	}
	var all []string
	for i := range t.Columns {
		all = append(all, t.Columns[i].Name)
	}
	for _, n := range names {
		if err := cli.Known("field", n, all, "goldwire schema show"); err != nil {
			return fmt.Errorf("--fields: %w", err)
		}
	}
	// Conditions point into the columns, so clone the slice.
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c export.Column) bool {
		return !slices.Contains(names, c.Name)
	})
	t.Chosen = true
	return nil
}
