package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	gwv "github.com/goldwire/goldwire/vectors/format"
)

func newVectorsCut(a *app) *cobra.Command {
	var from, to uint64
	var out, episode string
	c := &cobra.Command{
		Use:   "cut FILE",
		Short: "make a shorter vector file of a stretch or an episode of another",
		Long: `cut copies records --from to --to of a vector file, both included, or one episode.
What it writes stands for itself: when --from lies within an episode, the copy
begins where that episode does, and cut says so. Use it to reduce a failing run, or
to save what is sound of a damaged file.

Exit codes: 0 written; 2 the file is damaged before the end of the stretch, or it
cannot be read or written.`,
		Example: `  goldwire vectors cut --from 5000 --to 5999 random.gwv -o short.gwv
  goldwire vectors cut --episode random/17 random.gwv -o one.gwv`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := cmd.Flags().Changed
			switch {
			case out == "":
				return errors.New("-o: no file given; name one, or - for stdout")
			case episode != "" && (changed("from") || changed("to")):
				return errors.New("--episode: it is a stretch of its own; give it without --from and --to")
			case episode == "" && !changed("from") && !changed("to"):
				return errors.New("nothing to cut: give --from, --to or --episode")
			case from > to:
				return fmt.Errorf("--from %d --to %d: the stretch is empty", from, to)
			case args[0] == "-" && (from > 0 || episode != ""):
				return errors.New("cut -: stdin cannot be read twice; give a file, or --to alone")
			}
			start, end, err := a.stretch(cmd.Context(), args[0], episode, from, to)
			if err != nil {
				return err
			}
			r, done, err := a.openVectors(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer done()
			h := *r.Header()
			h.Args = append(slices.Clone(h.Args), "|", "vectors", "cut", "--from", fmt.Sprint(start), "--to", fmt.Sprint(end))
			var t gwv.Totals
			err = writeTo(a, out, func(w io.Writer) error {
				fw, err := gwv.NewWriter(w, h)
				if err != nil {
					return err
				}
				last := uint64(0)
				for rec, err := range r.All() {
					if err != nil {
						return vectorError(args[0], err)
					}
					last = rec.Number
					if rec.Number >= start {
						if rec.Mark != nil {
							fw.Mark(rec.Mark.Name, rec.Mark.Seed)
						}
						if err := fw.Write(rec.In, rec.Out); err != nil {
							return err
						}
					}
					if rec.Number == end {
						break
					}
				}
				if n := r.Totals().Records; changed("to") && last < to && n > 0 && last == n-1 {
					return fmt.Errorf("--to %d: %s has %d records, 0 to %d", to, args[0], n, n-1)
				}
				t, err = fw.Close()
				if err == nil && t.Records == 0 {
					return fmt.Errorf("%s: it ends before record %d", args[0], start)
				}
				return err
			})
			if err != nil {
				return err
			}
			if start < from {
				fmt.Fprintf(a.stderr, "goldwire: record %d lies within an episode; the copy begins with its record %d\n", from, start)
			}
			return a.said(out, h.Per, &t)
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.Uint64Var(&from, "from", 0, "first record `N` to copy")
	fl.Uint64Var(&to, "to", math.MaxUint64, "last record `N` to copy")
	fl.Lookup("to").DefValue = "the last"
	fl.StringVar(&episode, "episode", "", "copy the episode `NAME` alone, as show prints it")
	fl.StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	return c
}

// said prints what was written.
func (a *app) said(out, per string, t *gwv.Totals) error {
	w := a.stdout
	if out == "-" {
		w = a.stderr
	}
	_, err := fmt.Fprintf(w, "%s: %d %ss in %d episodes, digest %.16s\n", out, t.Records, per, t.Episodes, t.Digest)
	return err
}

// stretch returns the first and last record to copy: from the beginning of the episode that holds from.
func (a *app) stretch(ctx context.Context, path, episode string, from, to uint64) (start, end uint64, err error) {
	if from == 0 && episode == "" {
		return 0, to, nil
	}
	r, done, err := a.openVectors(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	defer done()
	found := false
	for rec, err := range r.All() {
		if err != nil {
			return 0, 0, vectorError(path, err)
		}
		switch {
		case episode == "":
			if rec.Mark != nil {
				start = rec.Number
			}
			if rec.Number == from {
				return start, to, nil
			}
		case rec.Mark == nil:
		case found:
			return start, rec.Number - 1, nil
		case rec.Mark.Name == episode:
			start, found = rec.Number, true
		}
	}
	t := r.Totals()
	switch {
	case episode == "":
		return 0, 0, fmt.Errorf("--from %d: %s has %d records, 0 to %d", from, path, t.Records, max(t.Records, 1)-1)
	case !found:
		return 0, 0, fmt.Errorf("--episode %q: %s has none of that name (goldwire vectors show prints them)", episode, path)
	}
	return start, t.Records - 1, nil
}

func newVectorsMerge(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "make one vector file of several of one block",
		Long: `merge writes the records of several vector files one after the other into one. They
must be of the same block, schema, parameters and kind of record, and compare the same:
with the same masks, relaxed rules and constants.

Exit codes: 0 written; 2 the files do not go together, or one is damaged.`,
		Example: `  goldwire vectors merge directed.gwv random.gwv incast.gwv -o all.gwv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("missing FILE of %q; usage: %s", cmd.CommandPath(), cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("-o: no file given; name one, or - for stdout")
			}
			h, err := a.mergedHeader(cmd.Context(), args)
			if err != nil {
				return err
			}
			var t gwv.Totals
			err = writeTo(a, out, func(w io.Writer) error {
				fw, err := gwv.NewWriter(w, h)
				if err != nil {
					return err
				}
				for _, path := range args {
					if err := a.appendVectors(cmd.Context(), fw, path); err != nil {
						return err
					}
				}
				t, err = fw.Close()
				return err
			})
			if err != nil {
				return err
			}
			return a.said(out, h.Per, &t)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	return c
}

// mergedHeader reads every file once, to know that all are sound and go together.
func (a *app) mergedHeader(ctx context.Context, paths []string) (gwv.Header, error) {
	var h gwv.Header
	var first *gwv.Reader // whose header is h, but for what is merged
	var sources, generators []string
	args := []string{"vectors", "merge"}
	for i, path := range paths {
		if path == "-" {
			return h, errors.New("merge -: stdin cannot be read twice; give files")
		}
		r, done, err := a.openVectors(ctx, path)
		if err != nil {
			return h, err
		}
		defer done()
		x := r.Header()
		if i == 0 {
			h, first = *x, r
		}
		differ := func(what string, u, v any) error {
			return fmt.Errorf("%s: %s %v, but %s has %v; only files of one kind can be merged", path, what, u, paths[0], v)
		}
		switch {
		case x.Block != h.Block:
			return h, differ("block", x.Block, h.Block)
		case x.SchemaHash != h.SchemaHash:
			return h, differ("schema", x.SchemaHash, h.SchemaHash)
		case x.Per != h.Per || x.Pairing != h.Pairing:
			return h, differ("records per", x.Per, h.Per)
		case !maps.Equal(x.Params, h.Params):
			return h, differ("parameters", x.Params, h.Params)
		}
		if err := x.SameComparison(path, r.Block(), first.Header(), paths[0], first.Block()); err != nil {
			return h, fmt.Errorf("%w; only files that compare the same can be merged", err)
		}
		begins := true
		rstN := r.Layout().In.Control("rst_n")
		for rec, err := range r.All() {
			if err != nil {
				return h, vectorError(path, err)
			}
			if begins && rec.In[0]&rstN != 0 {
				return h, fmt.Errorf("%s: it does not begin with a reset, so it cannot follow another", path)
			}
			begins = false
		}
		t := r.Totals()
		args = append(args, t.Digest[:16])
		if !slices.Contains(sources, x.Source) {
			sources = append(sources, x.Source)
		}
		if !slices.Contains(generators, x.Generator) {
			generators = append(generators, x.Generator)
		}
		if x.Seed != h.Seed {
			h.Seed = 0
		}
		if x.Level != h.Level {
			h.Level = ""
		}
	}
	h.Source, h.Generator, h.Args = strings.Join(sources, "+"), strings.Join(generators, "+"), args
	return h, nil
}

func (a *app) appendVectors(ctx context.Context, w *gwv.Writer, path string) error {
	r, done, err := a.openVectors(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	for rec, err := range r.All() {
		if err != nil {
			return vectorError(path, err)
		}
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		if err := w.Write(rec.In, rec.Out); err != nil {
			return err
		}
	}
	return nil
}
