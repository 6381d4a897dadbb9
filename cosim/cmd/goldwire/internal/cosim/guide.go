package cosim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/audit/guide"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

type guideFlags struct {
	block, dir   string
	seed         uint64
	events, keep cli.Count
	params       []string
}

// NewGuide returns the command goldwire guide.
func NewGuide(app *cli.App) *cobra.Command {
	a := &commands{app}
	f := &guideFlags{events: 300_000, keep: 15_000}
	c := &cobra.Command{
		Use:   "guide",
		Short: "search the model for short cases with high coverage, and keep them as a corpus",
		Long: `guide plays events on a block's model only. It cuts random episodes short, changes them,
and keeps the cases that hit something new: bins of the coverage, shapes of responses
and pairs of them, bits and lengths of fields and of intermediate values, rules that
decided, waits at the ports. From these cases it writes a corpus: those that hit most in
at most --keep events. It leaves out a case that adds nothing to the others.

The corpus is text in the language of the directed cases. It holds no answers: the model
gives them. goldwire cosim --source guided plays it on the design. Equal flags give the
same corpus.

Exit codes: 0 the corpus is written; 2 otherwise, and then DIR holds no corpus. guide
compares nothing.`,
		Example: `  goldwire guide --block txstate -o build/guided
  goldwire cosim --block txstate --source guided --corpus build/guided

  # a longer search for fewer events, at another size of the block
  goldwire guide --block ccc --seed 7 --events 2M --keep 5k --param NumContexts=64 -o build/guided-64
  goldwire cosim --block ccc --source guided --corpus build/guided-64 --param NumContexts=64`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.guide(cmd, f) },
	}
	fl := cli.Ordered(c)
	a.BlockFlag(c, &f.block, "`NAME` of the block to search")
	cli.SeedFlag(fl, &f.seed)
	fl.Var(&f.events, "events", "events to play on the model, `N`, such as 300k or 2M")
	fl.Var(&f.keep, "keep", "at most `N` events in the corpus")
	cli.ParamFlag(fl, &f.params)
	fl.StringVarP(&f.dir, "output", "o", "", "folder `DIR` for the corpus, created if missing; an old corpus is replaced")
	return c
}

// Corpora returns the corpora that the arguments of guide name.
func Corpora(c *cobra.Command, args []string) (out []cli.Output) {
	for _, x := range cli.Results(c, args, "-o", "--output") {
		out = append(out, cli.Output{Flag: x.Flag, Path: filepath.Join(x.Path, corpus.File)})
	}
	return out
}

// maxKeep is the most events of a corpus, which is held in memory and takes about a hundred bytes of text per event.
const maxKeep = 10_000_000

func (a *commands) guide(cmd *cobra.Command, f *guideFlags) error {
	if err := a.CheckBlock(f.block); err != nil {
		return err
	}
	if f.dir == "" {
		return errors.New("guide: give -o DIR, the folder for the corpus")
	}
	if st, err := os.Stat(f.dir); err == nil && !st.IsDir() {
		return fmt.Errorf("-o %s: it is not a directory; give a folder", f.dir)
	}
	if f.keep > maxKeep {
		return fmt.Errorf("--keep %d: a corpus is held in memory; give at most %d", f.keep, maxKeep)
	}
	params, err := cli.ParseParams(f.params)
	if err != nil {
		return err
	}
	p := report.NewProgress(a.Stderr, fmt.Sprintf("%s guide seed %d", f.block, f.seed))
	defer p.Close()
	spec := guide.Spec{Block: f.block, Params: params, Seed: f.seed, Events: uint64(f.events), Keep: int(f.keep),
		Progress: p.Update}
	if err := spec.Validate(); err != nil {
		return err
	}
	// The corpus of an earlier search must not pass for this one's.
	path := filepath.Join(f.dir, corpus.File)
	a.Reporting = true
	if err := a.SetAside(cli.Output{Flag: "-o", Path: path}); err != nil {
		return err
	}
	found, err := guide.Search(cmd.Context(), spec)
	if err != nil {
		return err
	}
	if err := guide.Save(f.dir, found); err != nil {
		return err
	}
	p.Close()
	play := []string{a.Program, "cosim", "--block", f.block, "--source", run.GuidedSource, "--corpus", f.dir}
	for _, p := range f.params {
		play = append(play, "--param", p)
	}
	_, err = fmt.Fprintf(a.Stdout, "corpus of %s: %d cases of %d events in %s\n  play it: %s\n", f.block,
		len(found.Cases), found.Events(), path, report.CommandLine(play))
	return err
}
