package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	telemetry "github.com/goldwire/goldwire/cosim/precision/diff/intmd"
	reader "github.com/goldwire/goldwire/golden/telemetry"
)

// diffBlocks are the blocks that diff run measures. The other commands of diff measure only the first.
func diffBlocks() []string { return []string{diff.Block(), telemetry.Block} }

// blockConflicts refuses flags that have no effect on the block.
func (f *diffFlags) blockConflicts(given func(string) bool) error {
	var names []string
	switch all := diffBlocks(); f.block {
	case all[0]:
		names = []string{"rtt"}
	case telemetry.Block:
		names = []string{"tick", "loop", "seeds", "set", "against", "causes", "shrink", "junit", "csv", "markdown"}
	default:
		return fmt.Errorf("--block %q: give %s", f.block, strings.Join(all, " or "))
	}
	for _, name := range names {
		if given(name) {
			return fmt.Errorf("--%s: has no effect on block %s; leave it out", name, f.block)
		}
	}
	return nil
}

// diffTelemetry measures what the formats of intmd cost.
func (a *app) diffTelemetry(cmd *cobra.Command, f *diffFlags) error {
	spec := telemetry.Spec{Source: f.source, Seed: f.seed, Events: int(f.events), Flips: f.flips,
		Reader: reader.DefaultSpec()}
	spec.Reader.RTT = f.rtt
	if err := spec.Reader.Validate(); err != nil {
		return fmt.Errorf("--rtt: %w", err)
	}
	var err error
	if spec.Table, err = f.formatTable(); err != nil {
		return err
	}
	if spec.Params, err = cli.ParseParams(f.params); err != nil {
		return err
	}
	if spec.Modes, err = f.modes(); err != nil {
		return err
	}
	if err := a.takeFiles(f); err != nil {
		return err
	}
	res, err := telemetry.Run(cmd.Context(), spec)
	if res == nil {
		return err
	}
	return a.telemetryReport(f, res, err)
}

// telemetryReport writes the reports of a run that ended with err, which may be nil. A difference stays exit code 1,
// whatever fails later.
func (a *app) telemetryReport(f *diffFlags, res *telemetry.Result, err error) error {
	err = errors.Join(err, a.WriteReports(f.files(), res.WriteText, res.WriteJSON, res.WriteHTML))
	return cli.Found(res.Failed(), err)
}

// modes returns the modes that --mode names.
func (f *diffFlags) modes() ([]diff.Mode, error) {
	switch f.mode {
	case "both":
		return diff.Modes, nil
	case string(diff.Step), string(diff.Free):
		return []diff.Mode{diff.Mode(f.mode)}, nil
	}
	return nil, fmt.Errorf("--mode %q: give step, free or both", f.mode)
}

// takeFiles checks the remaining flags and takes the report files.
func (a *app) takeFiles(f *diffFlags) error {
	switch {
	case f.events == 0 || f.events > 1e9:
		return errors.New("--events: give 1 to 1000M")
	case f.flips < 0:
		return errors.New("--flips: give 0 or more")
	}
	files := f.files()
	if err := cli.Distinct([]cli.Output{{Flag: "--formats", Path: f.formats}}, files); err != nil {
		return err
	}
	return a.Take(files...)
}
