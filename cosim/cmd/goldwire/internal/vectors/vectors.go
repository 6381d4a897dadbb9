// Package vectors holds the commands of goldwire vectors. They read flags and print; vectors/tool does the work.
//
//	root.AddCommand(vectors.New(app))
package vectors

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

// commands holds what the commands of goldwire vectors share.
type commands struct{ *cli.App }

// New returns the command goldwire vectors.
func New(app *cli.App) *cobra.Command {
	a := &commands{app}
	return cli.Group(&cobra.Command{
		Use:   "vectors",
		Short: "make, read and export files of golden vectors",
		Long: `vectors makes and reads .gwv files: the inputs of a block and the answers it must give,
for a flow with its own simulator. A file holds stimulus and expected response, per
clock cycle (handshakes and latency included) or per transaction (order and contents
only, for RTL of another latency). It contains the block's schema and a checksum for
each frame, and equal commands give equal bytes on every machine.`,
		Example: `  goldwire vectors gen --block ccc --source random --events 100k --seed 1 -o random.gwv
  goldwire vectors info random.gwv
  goldwire vectors verify random.gwv
  goldwire vectors export --to sv random.gwv -o bench
  goldwire vectors suite --level smoke -o vectors`,
	}, newGen(a), newSuite(a), newInfo(a), newShow(a), newDiff(a),
		newVerify(a), newCut(a), newMerge(a), newExport(a), newBench(a))
}

// reading opens the file of a path, or stdin for "-", and calls use with it and a reader at its beginning.
func (a *commands) reading(cmd *cobra.Command, path string, use func(*tool.File, *gwv.Reader) error) error {
	f := a.file(cmd, path)
	r, done, err := f.Open()
	if err != nil {
		return err
	}
	defer done()
	return use(&f, r)
}

func (a *commands) file(cmd *cobra.Command, path string) tool.File {
	return tool.Named(cmd.Context(), path, a.Stdin)
}

func (a *commands) wrote(out, per string, t *gwv.Totals, size string) error {
	_, err := fmt.Fprintf(a.Beside(out), "%s: %d %ss in %s%s, digest %.16s\n", out, t.Records, per,
		report.Plural(t.Episodes, "episode"), size, t.Digest)
	return err
}

func levelEvents(name string) (uint64, error) {
	n, ok := suite.LevelEvents(name)
	if !ok {
		return 0, fmt.Errorf("--level %q: give smoke (2,000 events), full (100,000) or soak (10,000,000)", name)
	}
	return n, nil
}

// checkPer errors if a kind of record is unknown; "" is the default.
func checkPer(per string) error {
	switch per {
	case "", gwv.PerCycle, gwv.PerTransaction:
		return nil
	}
	return fmt.Errorf("--per %q: give %s or %s", per, gwv.PerTransaction, gwv.PerCycle)
}

func vectorSpec(name, source, per, level string, events, seed uint64, tickNs int,
	given map[string]int) (*record.Spec, error) {
	b, err := block.Lookup(name)
	if err != nil {
		return nil, err
	}
	if err := checkPer(per); err != nil {
		return nil, err
	}
	o := suite.Order{Block: vectorBlock(b), Source: source, Per: per, Level: level, Events: events, Seed: seed,
		TickNs: tickNs, Params: given}
	return o.Spec()
}

// vectorBlock returns a block as the tools of package vectors see it.
func vectorBlock(b *block.Block) suite.Block {
	return suite.Block{Stimulus: b.Stimulus, NewModel: b.NewModel}
}
