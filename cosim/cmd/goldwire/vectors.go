package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

func newVectors(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "vectors",
		Short: "make, read and export files of golden vectors",
		Long: `vectors makes and reads .gwv files: what a block is given and what it must answer,
for a flow that has its own simulator. A file is stimulus and expected response, per
clock cycle (handshakes and latency included) or per transaction (order and contents
only, for RTL of another latency). It carries the block's schema, is checksummed
frame by frame, and equal commands give equal bytes on every machine.`,
		Example: `  goldwire vectors gen --block ccc --source random --events 100k --seed 1 -o random.gwv
  goldwire vectors info random.gwv
  goldwire vectors verify random.gwv
  goldwire vectors export --to sv random.gwv -o bench
  goldwire vectors suite --level smoke -o vectors`,
	}
	c.AddCommand(newVectorsGen(a), newVectorsSuite(a), newVectorsInfo(a), newVectorsShow(a), newVectorsDiff(a),
		newVectorsVerify(a), newVectorsCut(a), newVectorsMerge(a), newVectorsExport(a), newVectorsBench(a))
	cli.Group(c)
	return c
}

// openVectors opens a file, or stdin for "-", as a reader that ends with ctx, also where reading waits for
// somebody else at a pipe or a terminal.
func (a *app) openVectors(ctx context.Context, path string) (*gwv.Reader, func(), error) {
	in, done := a.Stdin, func() {}
	switch st, err := os.Stat(path); {
	case path == "-":
		in, done = patient(ctx, func() (io.Reader, error) { return a.Stdin, nil })
	case err == nil && !st.Mode().IsRegular():
		in, done = patient(ctx, func() (io.Reader, error) { return os.Open(path) })
	default:
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, fmt.Errorf("vector file: %w; give the path of a .gwv file, or - for stdin", err)
		}
		in, done = f, func() { f.Close() }
	}
	r, err := gwv.NewReader(bufio.NewReaderSize(ended{ctx, in}, 1<<16))
	if err != nil {
		done()
		return nil, nil, vectorError(path, err)
	}
	return r, done, nil
}

// ended reads until ctx ends.
type ended struct {
	ctx context.Context
	r   io.Reader
}

func (e ended) Read(b []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.r.Read(b)
}

// patient reads what open opens in a goroutine of its own: neither opening a pipe that nobody writes nor reading
// from it can be called off. What waits there when ctx ends is left to the end of the program.
func patient(ctx context.Context, open func() (io.Reader, error)) (io.Reader, func()) {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	go func() {
		in, err := open()
		if err == nil {
			_, err = io.Copy(w, in)
		}
		if f, ok := in.(*os.File); ok && f != nil && f != os.Stdin {
			f.Close()
		}
		w.CloseWithError(err)
	}()
	return r, func() { stop(); r.Close() }
}

// vectorError adds the file's name and, where part of it is sound, how to save that.
func vectorError(path string, err error) error {
	var d *gwv.Damage
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: %s: %w", path, err)
	case errors.As(err, &d) && d.Sound > 0 && path != "-":
		return fmt.Errorf("%s: %w (goldwire vectors cut --to %d %s -o SAVED.gwv keeps them)", path, err, d.Sound-1, path)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// sameBlock returns the block of a file as this goldwire knows it, or an error that says how they differ.
func sameBlock(r *gwv.Reader) (*block.Block, error) {
	h := r.Header()
	k, err := block.Lookup(h.Block)
	if err != nil {
		return nil, err
	}
	if now := k.Schema.Hash(); now != h.SchemaHash {
		return nil, fmt.Errorf("block %s: the file has schema %s, this goldwire %s: the interface has changed since; generate the file again with %s",
			h.Block, h.SchemaHash, now, tool.CommandLine("goldwire", h.Args))
	}
	// The model is compared in every bit that this goldwire's schema compares, and no other.
	if err := event.SameComparison("the file", r.Block(), "this goldwire's schema", k.Schema); err != nil {
		return nil, fmt.Errorf("block %s: %w, or replay the file on a design with goldwire cosim --dut FILE --expect", h.Block, err)
	}
	return k, nil
}

// responses counts the transfers on the output streams of a file.
func responses(b *event.Block, t *gwv.Totals) (n uint64) {
	for _, s := range b.StreamsOf(event.Out) {
		n += t.Transfers[s.Name]
	}
	return n
}

// levelEvents returns the number of events of a level.
func levelEvents(name string) (uint64, error) {
	n, ok := suite.LevelEvents(name)
	if !ok {
		return 0, fmt.Errorf("--level %q: give smoke (2,000 events), full (100,000) or soak (10,000,000)", name)
	}
	return n, nil
}

// checkPer errors when a kind of record is unknown; "" is the default.
func checkPer(per string) error {
	switch per {
	case "", gwv.PerCycle, gwv.PerTransaction:
		return nil
	}
	return fmt.Errorf("--per %q: give %s or %s", per, gwv.PerTransaction, gwv.PerCycle)
}

// vectorSpec returns what to generate.
func vectorSpec(name, source, per, level string, events, seed uint64, tickNs int, given map[string]int) (*record.Spec, error) {
	b, err := block.Lookup(name)
	if err != nil {
		return nil, err
	}
	if err := checkPer(per); err != nil {
		return nil, err
	}
	o := suite.Order{Block: vectorBlock(b), Source: source, Per: per, Level: level, Events: events, Seed: seed, TickNs: tickNs, Params: given}
	return o.Spec()
}

// vectorBlock returns a block as the tools of package vectors see it.
func vectorBlock(b *block.Block) suite.Block {
	return suite.Block{Stimulus: b.Stimulus, NewModel: b.NewModel}
}

// vectorFile returns a file for the tools of package vectors.
func (a *app) vectorFile(ctx context.Context, path string) tool.File {
	return tool.File{
		Name: path, Blame: func(err error) error { return vectorError(path, err) },
		Open: func() (*gwv.Reader, func(), error) { return a.openVectors(ctx, path) },
	}
}
