package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// NewDut returns the command goldwire dut.
func NewDut(app *cli.App) *cobra.Command {
	a := &commands{app}
	return cli.Group(&cobra.Command{
		Use:   "dut",
		Short: "bind a design of your own to a block",
		Long: `dut binds your own RTL to one of the blocks, so that every source of events can run
against it. A dut.yaml names the design's files, clock, reset and timing, and maps the
block's ports to the design's. dut init writes a first version from the module's ports,
dut check lists what is missing or does not fit, and cosim --dut runs it.`,
		Example: `  goldwire dut init rtl/my_ccc.sv --block ccc -o rtl/dut.yaml
  goldwire dut check hdl/examples/ccc_foreign/dut.yaml
  goldwire cosim --dut hdl/examples/ccc_foreign/dut.yaml --source directed`,
	}, newDutInit(a), newDutCheck(a))
}

func newDutCheck(a *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "list everything that is missing or does not fit in a dut.yaml",
		Long: `check reads a dut.yaml and the design that it names, and prints everything that is
missing, unknown or of the wrong width, one per line with file and line. Use it after
dut init and after each change of the design's ports. It also prints the warnings of
Verilator's linter, as cosim --dut does on stderr. They are not errors; the key
verilator of the dut.yaml takes flags such as -Wno-WIDTH to silence them. If the keys
tolerance and resync are set, for a design of other word lengths, it prints how each
field is judged.

Trust a dut.yaml only as far as a Makefile: cosim --dut runs the design's C++ and its
$system calls with your rights. check only reads the Verilog and runs nothing of the
design. Flags that run a program, and shell characters in compiler flags, are refused.

Exit codes: 0 the design is bound; 2 it is not, for the reasons printed.`,
		Example: `  goldwire dut check hdl/examples/ccc_foreign/dut.yaml`,
		Args:    cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, m, err := bind.CheckFile(cmd.Context(), args[0], a.Lookup)
			if err == nil && b.SchemaOnly() {
				if err := Drawable(b.SchemaFile, b.Block, b.BlockParams); err != nil {
					return err
				}
			}
			if err == nil {
				mapped := 0
				for _, e := range b.Map {
					if !e.None {
						mapped++
					}
				}
				fmt.Fprintf(a.Stdout, "%s: module %s is bound to the block %s: %d ports, %d of the block's %d mapped, latency %s\n",
					args[0], m.Name, b.Block.Name, len(m.Ports), mapped, len(b.Map), b.Latency)
				for _, x := range []struct {
					what  string
					names []string
				}{{"not compared (the map has none)", b.Missing()},
					{"constants in the map, which test nothing of the design", b.Constants()},
					{"relaxed handshake rules", b.Relaxed()}} {
					if len(x.names) > 0 {
						fmt.Fprintf(a.Stdout, "%s: %s\n", x.what, strings.Join(x.names, ", "))
					}
				}
				if b.Judging.Any() {
					state := "its own state"
					if b.Judging.Resync {
						state = "the design's state after each event (resync: state)"
					}
					fmt.Fprintf(a.Stdout, "the reference keeps %s; how each field is judged:\n", state)
					for _, l := range bind.Judgement(b) {
						fmt.Fprintf(a.Stdout, "  %s\n", l)
					}
				}
				return a.warnings(cmd.Context(), a.Stdout, b)
			}
			var ps bind.Problems
			if !errors.As(err, &ps) {
				return err
			}
			for _, p := range ps {
				fmt.Fprintln(a.Stdout, p)
			}
			return fmt.Errorf("%s: not bound; problems listed: %d", args[0], len(ps))
		},
	}
}

// shownWarnings is how many warnings of a design are printed without -v.
const shownWarnings = 20

// warnings prints the warnings of Verilator's linter about a design.
func (a *commands) warnings(ctx context.Context, w io.Writer, b *bind.Binding) error {
	all, err := b.Warnings(ctx)
	if err != nil {
		return err
	}
	for i, p := range all {
		if i == shownWarnings && !a.Verbose {
			fmt.Fprintf(w, "and %d more warnings of Verilator; -v prints all\n", len(all)-i)
			break
		}
		fmt.Fprintf(w, "warning: %s\n", p)
	}
	return nil
}

type dutInitFlags struct {
	bind.InitSpec
	block string
}

func newDutInit(a *commands) *cobra.Command {
	f := &dutInitFlags{}
	c := &cobra.Command{
		Use:   "init TOP.sv",
		Short: "write a first dut.yaml from a module's ports",
		Long: `init reads a module's ports and writes a dut.yaml with the best guesses by name and
width. Ports that could not be guessed become comments; dut check lists the same ports.
Modules inside the top are searched in its folder and in those of --include, packages
also in the folders around it.

A design with interfaces, unpacked arrays, reals or inout ports cannot be bound
directly: init names them, prints a wrapper of packed ports to copy, and exits with 2.`,
		Example: `  # to stdout, the block guessed from the ports
  goldwire dut init rtl/my_ccc.sv

  # packages ahead of the top, to a file
  goldwire dut init rtl/my_ccc.sv --block ccc --source 'rtl/pkg/*.sv' -o rtl/dut.yaml

  # a block of your own schema
  goldwire dut init hdl/examples/old_new/ewma_new.sv --schema hdl/examples/old_new/schema.yaml`,
		Args: cli.OneArg("TOP.sv"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.dutInit(cmd, args[0], f) },
	}
	fl := cli.Ordered(c)
	fl.StringVar(&f.block, "block", "", "`NAME` of the design's block (default: the one whose ports fit best)")
	fl.StringVar(&f.Schema, "schema", "", "schema `FILE` of a user-defined block, in place of --block")
	fl.StringVarP(&f.Out, "output", "o", "", "write to `FILE`, which must not exist (default: stdout)")
	fl.StringVar(&f.Top, "top", "", "top module `NAME` (default: the file's name without its extension)")
	fl.StringArrayVar(&f.Sources, "source", nil, "source `FILE` to read before the top, such as packages; "+
		"globs allowed, may be repeated")
	fl.StringArrayVar(&f.Include, "include", nil, "include folder `DIR`; may be repeated")
	return c
}

func (a *commands) dutInit(cmd *cobra.Command, file string, f *dutInitFlags) error {
	var blocks []*event.Block
	names := a.Blocks()
	if f.block != "" && f.Schema != "" {
		return errors.New("--block and --schema: both name the block; keep one")
	}
	if f.Schema != "" {
		b, err := event.Load(f.Schema)
		if err != nil {
			return err
		}
		names, blocks = nil, append(blocks, b)
	}
	if f.block != "" {
		if err := a.CheckBlock(f.block); err != nil {
			return err
		}
		names = []string{f.block}
	}
	for _, n := range names {
		blocks = append(blocks, a.Schema(n))
	}
	if f.Out != "" {
		if _, err := os.Stat(f.Out); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("-o %s: already exists; remove it or give another name", f.Out)
		}
	}
	f.File, f.Blocks = file, blocks
	text, err := bind.Init(cmd.Context(), f.InitSpec)
	var unfit *bind.Unfit
	if errors.As(err, &unfit) {
		fmt.Fprint(a.Stdout, unfit.Wrapper)
	}
	if err != nil {
		return err
	}
	if f.Out == "" {
		_, err = a.Stdout.Write(text)
		return err
	}
	if err := os.WriteFile(f.Out, text, 0o644); err != nil {
		return fmt.Errorf("-o %s: %w", f.Out, err)
	}
	fmt.Fprintf(a.Stdout, "wrote %s; next: %s dut check %s\n", f.Out, a.Program, f.Out)
	return nil
}

// binding returns the design of --dut, and sets the block and transport that go with it. It returns nil without --dut.
func (a *commands) binding(f *cosimFlags, changed func(string) bool) (*bind.Binding, error) {
	if f.dut == "" {
		return nil, nil
	}
	if f.RTLDir != "" {
		return nil, errors.New("--dut and --rtl: both name the design; keep one")
	}
	b, err := bind.Load(f.dut, a.Lookup)
	if err != nil {
		return nil, err
	}
	if changed("block") && f.Block != b.Block.Name {
		return nil, fmt.Errorf("--block %s: %s binds a design to the block %s; leave --block out", f.Block, f.dut,
			b.Block.Name)
	}
	f.Block = b.Block.Name
	if b.SchemaOnly() && f.Expect == "" {
		if err := Drawable(b.SchemaFile, b.Block, b.BlockParams); err != nil {
			return nil, err
		}
	}
	if !changed("transport") {
		f.Transport = "" // one that suits the latency
	}
	return b, nil
}

// Drawable checks that the stimulus of a user-defined schema yields events. Contradicting constraints are found now
// instead of in a run.
func Drawable(file string, b *event.Block, given map[string]int) error {
	k := block.Block{Schema: b}
	params, err := k.Schema.Values(given)
	if err == nil && len(b.StreamsOf(event.In)) > 0 {
		var src stim.Source
		if src, err = schema.Open(b, "random", stim.Options{Seed: 1, Events: 1, Params: params}); err == nil {
			src.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
