package vectors

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// ownVectors names what answers in place of our model.
type ownVectors struct {
	dut, schema, golden string
	design              *bind.Binding // also set if only its block is used
}

// given reports whether something answers in place of our model.
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
