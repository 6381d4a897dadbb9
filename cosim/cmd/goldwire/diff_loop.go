package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/precision/diff/effect"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fields"
)

// loopFlags are the flags of diff run that put the arithmetics to work in a network.
type loopFlags struct {
	preset, seeds string
	sets          []string
}

func (l *loopFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&l.preset, "loop", "", "simulate a `PRESET|FILE.yaml` of goldwire fabric with each arithmetic as "+
		"senders, or pacers")
	fl.StringVar(&l.seeds, "seeds", "1..5", "with --loop: seeds of the paired runs, `A..B` or a list; at least 2")
	fl.StringArrayVar(&l.sets, "set", nil, "with --loop: change one setting, `PATH=VALUE`; may be repeated")
}

// conflicts refuses flags that have no effect together.
func (l *loopFlags) conflicts(given func(string) bool) error {
	switch {
	case !given("loop"):
		return cli.Refuse(given, "needs --loop; give --loop PRESET too, or leave it out", "seeds", "set")
	case l.preset == "":
		return errors.New("--loop: empty; give a preset (goldwire fabric list presets) or a file")
	}
	return cli.Refuse(given, "has no effect with --loop; leave it out", "source", "events", "seed", "param", "mode",
		"flips", "against", "causes", "shrink", "junit", "csv", "markdown")
}

// needsNoCredit reports whether a control has no pacers to measure. An unknown one is refused elsewhere.
func needsNoCredit(control string) bool {
	row, err := cc.Find(control, fabricplan.Rows())
	return err == nil && !row.Needs.Credit
}

// diffLoop measures what formats do to a network.
func (a *app) diffLoop(cmd *cobra.Command, f *diffFlags) error {
	p, err := fabricplan.Load(f.loop.preset, f.loop.sets)
	if err != nil {
		return err
	}
	req := &fabricplan.Request{Root: a.Repository, UDPPort: capture.UDPPort}
	req.Seeds = cli.Read(&err, cli.ParseSeeds, f.loop.seeds)
	req.TickNs = cli.Read(&err, cli.TickNs, f.tick)
	if err != nil {
		return err
	}
	run := effect.Run
	pacers := f.block == effect.PacerBlock()
	switch {
	case !pacers:
		p.Spec.CC = "" // the senders take its place
	case !slices.Contains(p.Paths, "cc") && needsNoCredit(p.Spec.CC):
		p.Spec.CC = fields.RCCC
	}
	if pacers {
		run = effect.RunPacers
	}
	if err := p.Complete(req); err != nil {
		return err
	}
	spec := effect.Spec{Name: f.loop.preset, Fabric: p.Spec, Messages: p.Flows, Seeds: req.Seeds, TickNs: req.TickNs}
	if spec.Table, err = f.formatTable(); err != nil {
		return err
	}
	files := cli.Files(cmd, diffReports...)
	if err := cli.Distinct([]cli.Output{{Flag: "--formats", Path: f.formats}, {Flag: "--loop", Path: p.File}},
		files); err != nil {
		return err
	}
	if err := a.Take(files...); err != nil {
		return err
	}
	res, err := run(cmd.Context(), spec)
	if err != nil {
		return err
	}
	return a.WriteReports(files, res.WriteText, cli.JSON(res), res.WriteHTML)
}
