package vectors

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/cut"
	"github.com/goldwire/goldwire/vectors/tool/diff"
	"github.com/goldwire/goldwire/vectors/tool/merge"
)

func newCut(a *commands) *cobra.Command {
	var from, to uint64
	var out, episode string
	c := &cobra.Command{
		Use:   "cut FILE",
		Short: "make a shorter vector file of a stretch or an episode of another",
		Long: `cut copies records --from to --to of a vector file, both included, or one episode. The
copy can be played alone: if --from is within an episode, the copy begins where that
episode does, and cut prints a line about it. Use it to reduce a failing run, or to save
the sound part of a damaged file.

Exit codes: 0 written; 2 the file is damaged before the end of the stretch, or it cannot
be read or written.`,
		Example: `  goldwire vectors cut --from 5000 --to 5999 random.gwv -o short.gwv
  goldwire vectors cut --episode random/17 random.gwv -o one.gwv`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := cmd.Flags().Changed
			switch {
			case out == "":
				return cli.NeedFile(out)
			case episode != "" && (changed("from") || changed("to")):
				return errors.New("--episode: excludes --from and --to; keep one")
			case episode == "" && !changed("from") && !changed("to"):
				return errors.New("nothing to cut: give --from, --to or --episode")
			case from > to:
				return fmt.Errorf("--from %d --to %d: the stretch is empty", from, to)
			case args[0] == "-" && (from > 0 || episode != ""):
				return errors.New("cut -: stdin cannot be read twice; give a file, or --to alone")
			}
			f := a.file(cmd, args[0])
			stretch, err := cut.Find(&f, cut.Range{From: from, To: to, Episode: episode})
			if err != nil {
				return cutError(&f, episode, from, err)
			}
			var h gwv.Header
			var t gwv.Totals
			err = a.WriteTo(out, func(w io.Writer) (err error) {
				h, t, err = cut.Write(w, &f, stretch)
				return err
			})
			var beyond *cut.Beyond
			switch {
			case errors.As(err, &beyond) && beyond.Records > 0:
				return fmt.Errorf("--to %d: %s has %d records, 0 to %d", to, f.Name, beyond.Records, beyond.Records-1)
			case errors.As(err, &beyond):
				return fmt.Errorf("%s: ends before record %d", f.Name, beyond.Record)
			case err != nil:
				return err
			}
			if stretch.From < from {
				fmt.Fprintf(a.Stderr, "goldwire: record %d is within an episode; the copy begins with its first record, %d\n",
					from, stretch.From)
			}
			return a.wrote(out, h.Per, &t, "")
		},
	}
	fl := cli.Ordered(c)
	fl.Uint64Var(&from, "from", 0, "first record `N` to copy")
	fl.Uint64Var(&to, "to", math.MaxUint64, "last record `N` to copy")
	fl.Lookup("to").DefValue = "the last"
	fl.StringVar(&episode, "episode", "", "copy the episode `NAME` alone, as show prints it")
	fl.StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	return c
}

// cutError rewrites the error for a stretch that a file does not have in terms of the command's flags.
func cutError(f *tool.File, episode string, from uint64, err error) error {
	var beyond *cut.Beyond
	var none *cut.NoEpisode
	switch {
	case errors.As(err, &beyond):
		return fmt.Errorf("--from %d: %s has %d records, 0 to %d", from, f.Name, beyond.Records, max(beyond.Records, 1)-1)
	case errors.As(err, &none):
		return fmt.Errorf("--episode %q: %s has no such episode (goldwire vectors show prints them)", episode, f.Name)
	}
	return err
}

func newMerge(a *commands) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "make one vector file of several of one block",
		Long: `merge joins several vector files into one, in the given order. They must have the same
block, schema, parameters and kind of record, and must be compared alike: with the same
masks, relaxed rules and constants.

Exit codes: 0 written; 2 the files do not fit together, or one is damaged.`,
		Example: `  goldwire vectors merge directed.gwv random.gwv incast.gwv -o all.gwv`,
		Args:    cli.Args("FILE", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.NeedFile(out); err != nil {
				return err
			}
			var files []tool.File
			for _, path := range args {
				if path == "-" {
					return errors.New("merge -: stdin cannot be read twice; give files")
				}
				files = append(files, a.file(cmd, path))
			}
			h, err := merge.Header(files)
			if err != nil {
				return err
			}
			var t gwv.Totals
			err = a.WriteTo(out, func(w io.Writer) (err error) {
				t, err = merge.Files(w, h, files)
				return err
			})
			if err != nil {
				return err
			}
			return a.wrote(out, h.Per, &t, "")
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	return c
}

func newDiff(a *commands) *cobra.Command {
	most := 10
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "compare two vector files field by field",
		Long: `diff compares two vector files record by record and field by field, and prints the first
differences and how often each field differs. Files of two schemas are compared in the
fields that both have. Use it to see what a change of the model, a seed or a parameter
changed.

Exit codes: 0 the same records; 1 something differs, even if a file turns out to be
damaged after it; 2 a file is damaged, or the two cannot be compared.`,
		Example: `  goldwire vectors diff old.gwv new.gwv
  goldwire vectors diff --most 1 old.gwv new.gwv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%d arguments of %q; it takes two vector files; usage: %s", len(args),
					cmd.CommandPath(), cmd.UseLine())
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
			if cli.SameRegular(args[0], args[1]) {
				return fmt.Errorf("diff %s %s: they are one file, so nothing would be compared; give two", args[0], args[1])
			}
			one, two := a.file(cmd, args[0]), a.file(cmd, args[1])
			differ, err := diff.Files(a.Stdout, &one, &two, most)
			return cli.Found(differ, err)
		},
	}
	c.Flags().IntVar(&most, "most", most, "print the first `N` differences; all are counted")
	return c
}
