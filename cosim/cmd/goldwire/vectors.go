package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/gen"
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
	group(c)
	return c
}

// openVectors opens a file, or stdin for "-", as a reader that ends with ctx, also where reading waits for
// somebody else at a pipe or a terminal.
func (a *app) openVectors(ctx context.Context, path string) (*gwv.Reader, func(), error) {
	in, done := a.stdin, func() {}
	switch st, err := os.Stat(path); {
	case path == "-":
		in, done = patient(ctx, func() (io.Reader, error) { return a.stdin, nil })
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
func sameBlock(r *gwv.Reader) (*dut.Kind, error) {
	h := r.Header()
	k, err := dut.Lookup(h.Block)
	if err != nil {
		return nil, err
	}
	if now := k.Schema.Hash(); now != h.SchemaHash {
		return nil, fmt.Errorf("block %s: the file has schema %s, this goldwire %s: the interface has changed since; generate the file again with %s",
			h.Block, h.SchemaHash, now, commandLine(h.Args))
	}
	// The model is compared in every bit that this goldwire's schema compares, and no other.
	if err := event.SameComparison("the file", r.Block(), "this goldwire's schema", k.Schema); err != nil {
		return nil, fmt.Errorf("block %s: %w, or replay the file on a design with goldwire cosim --dut FILE --expect", h.Block, err)
	}
	return k, nil
}

// commandLine returns canonical arguments as one would type them.
func commandLine(args []string) string {
	out := []string{"goldwire"}
	for _, s := range args {
		if s == "|" {
			out = append(out, "|", "goldwire")
			continue
		}
		if s == "" || strings.ContainsAny(s, " \t\"'$\\*?<>|&;()") {
			s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// transfers returns totals as a person reads them: "1000 ev, 998 rsp".
func transfers(b *event.Block, t *gwv.Totals) string {
	var out []string
	for _, s := range b.Streams {
		out = append(out, fmt.Sprintf("%d %s", t.Transfers[s.Name], s.Name))
	}
	return strings.Join(out, ", ")
}

// responses counts the transfers on the output streams of a file.
func responses(b *event.Block, t *gwv.Totals) (n uint64) {
	for _, s := range b.StreamsOf(event.Out) {
		n += t.Transfers[s.Name]
	}
	return n
}

// levels are named amounts of events.
var levels = []struct {
	name   string
	events uint64
}{{"smoke", 2000}, {"full", 100_000}, {"soak", 10_000_000}}

func levelEvents(name string) (uint64, error) {
	for _, l := range levels {
		if l.name == name {
			return l.events, nil
		}
	}
	return 0, fmt.Errorf("--level %q: give smoke (2,000 events), full (100,000) or soak (10,000,000)", name)
}

// defaultPer returns how vectors of a block are kept when nobody says: without time where every event has
// its answer, since that holds for RTL of any latency.
func defaultPer(k *dut.Kind) string {
	if gen.FilePairing(k.Schema) == gwv.PairAnswers {
		return gwv.PerTransaction
	}
	return gwv.PerCycle
}

// vectorSpec returns what to generate, with every argument that matters spelled out in its Args.
func vectorSpec(block, source, per, level string, events, seed uint64, tickNs int, given map[string]int) (*gen.FileSpec, error) {
	k, err := dut.Lookup(block)
	if err != nil {
		return nil, err
	}
	params, err := k.Params(given)
	if err != nil {
		return nil, err
	}
	twin, err := k.NewTwin(params)
	if err != nil {
		return nil, err
	}
	switch per {
	case "":
		per = defaultPer(k)
	case gwv.PerCycle, gwv.PerTransaction:
	default:
		return nil, fmt.Errorf("--per %q: give %s or %s", per, gwv.PerTransaction, gwv.PerCycle)
	}
	args := []string{"vectors", "gen", "--block", block, "--source", source, "--per", per, "--seed", fmt.Sprint(seed)}
	if source == directed || strings.HasPrefix(source, directed+"/") {
		events = 0
	} else {
		args = append(args, "--events", fmt.Sprint(events))
	}
	if level != "" {
		args = append(args, "--level", level)
	}
	if strings.HasPrefix(source, "fabric:") {
		args = append(args, "--tick", fmt.Sprintf("%dns", tickNs))
	} else {
		tickNs = 1
	}
	var named []string
	for name, v := range params {
		named = append(named, fmt.Sprintf("%s=%d", name, v))
	}
	slices.Sort(named)
	for _, p := range named {
		args = append(args, "--param", p)
	}
	return &gen.FileSpec{Block: k.Schema, Twin: twin, Source: source, Per: per, Level: level, Args: args,
		Options: gen.Options{Seed: seed, Events: int(events), Params: params, TickNs: tickNs}}, nil
}

// counting counts the bytes that pass.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
