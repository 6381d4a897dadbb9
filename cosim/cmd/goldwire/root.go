package main

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/ci"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cosim"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/vectors"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "goldwire",
		Short: "check congestion-control hardware against golden models",
		Long: `goldwire checks congestion-control hardware of Ultra Ethernet NICs and switches before
it is silicon. It drives a bit- and cycle-true Go model and the Verilated SystemVerilog
with the same events and compares every output of every cycle.

It works in any folder: in a checkout of Goldwire with the RTL of the checkout, anywhere
else with the RTL built into it, which is unpacked to the user's cache folder ($XDG_CACHE_HOME
or ~/.cache, goldwire/files-HASH) and named with its hash in reports. Designs are built there, too;
results go to the working folder.

Exit codes: 0 everything agrees; 1 a mismatch was found; 2 called wrongly, interrupted,
or the harness broke (one line on stderr gives the cause and the fix).`,
		Example: `  goldwire cosim --block ccc --source fabric:incast32 --events 1M --seed 7
  goldwire list
  goldwire schema show ccc`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRun: func(*cobra.Command, []string) {
			level := slog.LevelWarn
			if a.Verbose {
				level = slog.LevelDebug
			}
			slog.SetDefault(slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: level})))
		},
	}
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(cli.FlagError)
	// A command that only holds others has no flags worth a usage line.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}",
		"{{if and .Runnable (not .HasAvailableSubCommands)}}", 1))
	pf := root.PersistentFlags()
	pf.StringVar(&a.Root, "root", "", "root of the Goldwire repository `DIR`, or "+cli.BuiltIn+" (default: found upwards "+
		"from the working folder, then from the program; else "+cli.BuiltIn+"; or "+cli.RootEnv+")")
	pf.BoolVarP(&a.Verbose, "verbose", "v", false, "log what happens to stderr")
	root.AddCommand(cosim.New(a.App), newDiff(a), newGolden(a), newList(a), newSchema(a), newFabric(a), newBench(a),
		cosim.NewDut(a.App), cosim.NewGuide(a.App),
		newFaults(a), vectors.New(a.App), ci.New(a.App), newServe(a), newBridge(a), newVersion(a), newCompletion(a))
	root.SetHelpCommand(newHelp(root))
	return cli.Group(root)
}

func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "explain a command",
		Long:  "help explains a command: what it does, when to use it, its flags with their units, and examples.",
		Example: `  goldwire help cosim
  goldwire help golden replay`,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd := root
			for _, name := range args {
				all := cmd.Commands()
				i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == name })
				if i < 0 {
					return cli.UnknownCommand(cmd, name)
				}
				cmd = all[i]
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
