package vectors

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

func newGen(a *commands) *cobra.Command {
	var block, source, per, level, tick, out string
	var events cli.Count
	var seed uint64
	var params []string
	own := &ownVectors{}
	c := &cobra.Command{
		Use:   "gen",
		Short: "make a vector file: stimulus and what the golden model answers",
		Long: `gen plays a source through the golden model and writes the model's inputs and its
answers. Equal arguments give the same file, byte for byte, on every machine.

--per transaction keeps events and responses without time. It fits RTL of any latency,
and only blocks with one stream of events have it. --per cycle keeps every input and
output of every clock cycle, with idles, back-pressure and resets. It fits RTL that is
cycle-true to the contract.

For a user-defined block, or in place of our model, the answers come from a design
(--dut) or from a program on a socket (--golden, with --schema, --dut or --block for the
interface). --per cycle then needs a design with latency: exact.

--level names a number of events: smoke 2,000, full 100,000, soak 10,000,000; --events
gives it exactly. If both are given and differ, --events counts and the file has no
level. Directed cases are always played whole.

Exit codes: 0 written; 2 called wrongly, interrupted, or the file cannot be written.`,
		Example: `  goldwire vectors gen --block ccc --source fabric:incast32 --events 1M --seed 7 -o incast.gwv
  goldwire vectors gen --block txstate --source directed --per cycle -o directed.gwv
  goldwire vectors gen --block ccc --source random --level smoke --param NumContexts=64 -o - | goldwire vectors info -

  # a block of your own: what a design of it answers, or a program on a socket
  goldwire vectors gen --dut hdl/examples/old_new/old.yaml --events 20k -o ewma.gwv
  goldwire vectors gen --schema hdl/examples/public/schema.yaml --golden unix:/tmp/golden.sock -o secret.gwv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.ownBlock(cmd, own, &block); err != nil {
				return err
			}
			if err := a.checkOwnSource(own, block, source); err != nil {
				return err
			}
			if level != "" {
				n, err := levelEvents(level)
				if err != nil {
					return err
				}
				switch {
				case !cmd.Flags().Changed("events"):
					events = cli.Count(n)
				case uint64(events) != n:
					level = "" // the file would claim an amount that it does not have
				}
			}
			if events == 0 || events > math.MaxInt64 {
				return fmt.Errorf("--events %d: give 1 or more", events)
			}
			tickPs, err := cli.ParseTick(tick)
			given := cli.Read(&err, cli.ParseParams, params)
			if err != nil {
				return err
			}
			if own.given() {
				if err := cli.NeedFile(out); err != nil {
					return err
				}
				cfg := run.Config{Block: block, Source: source, Events: uint64(events), Seed: seed, TickPs: tickPs,
					Params: given, Bind: own.design, Golden: own.golden}
				return a.recordVectors(cmd, own, cfg, per, level, out)
			}
			spec, err := vectorSpec(block, source, per, level, uint64(events), seed, int(tickPs/1000), given)
			if err != nil {
				return err
			}
			if err := cli.NeedFile(out); err != nil {
				return err
			}
			return a.made(cmd, out, spec.Per, func(w io.Writer) (gwv.Totals, error) {
				return record.Write(cmd.Context(), w, spec)
			})
		},
	}
	fl := cli.Ordered(c)
	a.BlockFlag(c, &block, "`NAME` of the block (see goldwire list)")
	fl.StringVar(&source, "source", "random", "`SOURCE` of the events (see goldwire list sources)")
	events = 100_000
	fl.Var(&events, "events", "events to draw, `N`: 100000, 250k, 1M, 1e6")
	fl.StringVar(&level, "level", "", "number of events by name, `LEVEL`: smoke, full or soak")
	cli.SeedFlag(fl, &seed)
	fl.StringVar(&per, "per", "", "`UNIT` of a record: transaction or cycle (default: transaction if every "+
		"event has an answer, else cycle)")
	cli.TickFlag(c, &tick)
	cli.ParamFlag(fl, &params)
	fl.StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	fl.StringVar(&own.dut, "dut", "", "record the answers of a design, bound by `FILE` (see goldwire dut)")
	fl.StringVar(&own.schema, "schema", "", "with --golden: the user-defined block in schema `FILE`")
	fl.StringVar(&own.golden, "golden", "", "record the answers of a program that listens at `ADDRESS`, "+
		"unix:PATH or tcp:127.0.0.1:PORT")
	cli.Complete(c, "source", func() []string { return a.Groups(block) })
	return c
}

// made writes a file of records and prints a line about it, on stderr if the file itself goes to stdout.
func (a *commands) made(cmd *cobra.Command, path, per string, make func(io.Writer) (gwv.Totals, error)) error {
	var t gwv.Totals
	var size int64
	// The file of an earlier run must not pass for this one's.
	a.Reporting = true
	if err := a.SetAside(cli.Output{Flag: "-o", Path: path}); err != nil {
		return err
	}
	err := a.WriteTo(path, func(w io.Writer) (err error) {
		n := &tool.Counter{W: w}
		t, err = make(n)
		size = n.N
		return err
	})
	if err != nil {
		if cmd.Context().Err() != nil {
			return fmt.Errorf("interrupted: %w", err)
		}
		return err
	}
	return a.wrote(path, per, &t, fmt.Sprintf(", %d bytes", size))
}

// ownVectors names what answers in place of our model.
type ownVectors struct {
	dut, schema, golden string
	design              *bind.Binding // also set if only its block is used
}

func (o *ownVectors) given() bool { return o.dut != "" || o.golden != "" }

// ownBlock reads the flags that name what answers, and sets its block.
func (a *commands) ownBlock(cmd *cobra.Command, o *ownVectors, block *string) error {
	changed := cmd.Flags().Changed
	switch {
	case o.schema != "" && o.golden == "":
		return fmt.Errorf("--schema %s: the block has no model here; give --golden ADDRESS of a program that "+
			"answers, or --dut FILE of a design in its place", o.schema)
	case o.schema != "" && (o.dut != "" || changed("block")):
		return errors.New("--schema: --dut or --block already names the block; keep one")
	case o.schema != "":
		b, err := event.Load(o.schema)
		if err != nil {
			return err
		}
		// Only the block of the binding is used: the program answers.
		o.design = &bind.Binding{File: o.schema, SchemaFile: o.schema, Block: b}
	case o.dut != "":
		b, err := bind.Load(o.dut, a.Lookup)
		if err != nil {
			return err
		}
		o.design = b
	default:
		return nil
	}
	if name := o.design.Block.Name; changed("block") && *block != name {
		return fmt.Errorf("--block %s: %s is of the block %s; leave --block out", *block, o.design.File, name)
	}
	*block = o.design.Block.Name
	return nil
}

// checkOwnSource checks block and source. The block may have its own schema.
func (a *commands) checkOwnSource(o *ownVectors, block, source string) error {
	if o.design.SchemaOnly() {
		if source != "random" && !strings.HasPrefix(source, "random/") {
			return fmt.Errorf("unknown source %q: block %s has its own schema, so its only source is random", source, block)
		}
		return nil
	}
	if err := a.CheckBlock(block); err != nil {
		return err
	}
	return a.CheckSource(block, source)
}

// recordVectors writes the answers of a design or a program.
func (a *commands) recordVectors(cmd *cobra.Command, o *ownVectors, cfg run.Config, per, level, out string) error {
	if err := checkPer(per); err != nil {
		return err
	}
	root, err := a.Repository()
	if err != nil {
		return err
	}
	cfg.Root = root
	// No path and no host: the same command gives the same file everywhere.
	args := []string{"vectors", "gen"}
	switch {
	case o.schema != "":
		args = append(args, "--schema", filepath.Base(o.schema))
	case o.dut != "":
		args = append(args, "--dut", filepath.Base(o.dut))
	default:
		args = append(args, "--block", cfg.Block)
	}
	if o.golden != "" {
		args = append(args, "--golden", "ADDRESS")
	}
	args = append(args, "--source", cfg.Source, "--seed", fmt.Sprint(cfg.Seed), "--events", fmt.Sprint(cfg.Events))
	if per == "" {
		per = run.RecordPer(&cfg)
	}
	args = append(args, "--per", per)
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		args = append(args, "--param", fmt.Sprintf("%s=%d", name, cfg.Params[name]))
	}
	spec := record.Spec{Per: per, Level: level, Args: args}
	write := func() error {
		return a.made(cmd, out, spec.Per, func(w io.Writer) (gwv.Totals, error) {
			return run.Record(cmd.Context(), cfg, spec, w)
		})
	}
	err = write()
	if errors.Is(err, record.ErrUnpaired) && out != "-" {
		spec.Pairing = gwv.PairOrder // some events have no answer: keep only the order
		err = write()
	}
	return err
}
