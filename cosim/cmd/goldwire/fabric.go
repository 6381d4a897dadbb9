package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/validate"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

func newFabric(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "fabric",
		Short: "simulate the network: flows, switches, congestion control, hardware in the loop",
		Long: `fabric runs the packet-level simulator that the stimulus comes from: hosts, links and
switches with queues, trimming and ECN, load balancers, and senders whose congestion
control is float64, fixed point, or the Verilated RTL.`,
		Example: `  goldwire fabric list
  goldwire fabric run fattree128/incast32 --html incast.html
  goldwire fabric validate --list`,
	}, newFabricList(a), newFabricRun(a), validate.New(a.App))
}

// ccNames returns the congestion controls that a run can name.
func ccNames() []string { return cc.Names(fabricplan.Rows()) }

func newFabricList(a *app) *cobra.Command {
	kinds := []string{"presets", "settings", "cc"}
	c := &cobra.Command{
		Use:   "list [presets|settings|cc]",
		Short: "show the presets, the settings of --set, and the congestion controls",
		Long: `list shows what can be simulated: the presets with one line each; the settings of --set
of goldwire fabric run and of files, each with its unit, default and range; and the
congestion controls of --cc. With presets, settings or cc it prints only names, one per
line, for scripts.`,
		Example: `  goldwire fabric list
  goldwire fabric list settings
  for p in $(goldwire fabric list presets); do goldwire fabric run $p --json - > build/${p//\//-}.json; done`,
		Args:      cli.OneOf("list", kinds),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listFabric(a.Stdout)
			}
			names := ccNames()
			switch args[0] {
			case "presets":
				names = fabricplan.Presets()
			case "settings":
				names = nil
				for _, s := range settings.All() {
					names = append(names, s.Path)
				}
			}
			_, err := fmt.Fprintln(a.Stdout, strings.Join(names, "\n"))
			return err
		},
	}
	return c
}

func listFabric(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "presets (goldwire fabric run PRESET)")
	for _, p := range presets.Catalogue() {
		fmt.Fprintf(t, "  %s\t%s\n", p.Name, p.About)
	}
	fmt.Fprintln(t, "\nsettings (--set PATH=VALUE, or a line of a file), their units, defaults without a preset, "+
		"and what they can be with 128 hosts")
	for _, s := range settings.All() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s: %s\n", s.Path, s.Unit, s.Default, s.About, s.Values)
	}
	fmt.Fprintln(t, "\ncongestion control (--cc NAME)")
	for _, row := range fabricplan.Rows() {
		fmt.Fprintf(t, "  %s\t%s\n", row.Name, row.About)
	}
	return t.Flush()
}
