package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/golden/fabric/near"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "goldwire",
		Short: "check congestion-control hardware against golden models",
		Long: `goldwire checks congestion-control hardware of Ultra Ethernet NICs and switches
before it is silicon. It drives a bit- and cycle-true Go model and the Verilated
SystemVerilog with the same events and compares every output of every cycle.

Exit codes: 0 all agrees; 1 a mismatch was found; 2 called wrongly, interrupted,
or the harness broke (one line on stderr gives the cause and the fix).`,
		Example: `  goldwire cosim --block ccc --source fabric:incast32 --events 1M --seed 7
  goldwire list
  goldwire schema show ccc`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRun: func(*cobra.Command, []string) {
			level := slog.LevelWarn
			if a.verbose {
				level = slog.LevelDebug
			}
			slog.SetDefault(slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level})))
		},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	// A command that only holds others takes no flags of its own worth a line.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable (not .HasAvailableSubCommands)}}", 1))
	pf := root.PersistentFlags()
	pf.StringVar(&a.root, "root", "", "root of the Goldwire repository `DIR` (default: found upwards from the working folder, then from the program; or "+rootEnv+")")
	pf.BoolVarP(&a.verbose, "verbose", "v", false, "log what happens to stderr")
	root.AddCommand(newCosim(a), newDiff(a), newGolden(a), newList(a), newSchema(a), newFabric(a), newBench(a), newDut(a), newFaults(a), newVectors(a), newServe(a), newBridge(a), newVersion(a), newCompletion(a))
	root.SetHelpCommand(newHelp(root))
	group(root)
	return root
}

// group makes a command that only holds others: called alone it shows its help
// and fails, and an unknown name gets the nearest one.
func group(c *cobra.Command) {
	c.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetOut(cmd.ErrOrStderr())
		if err := cmd.Help(); err != nil {
			return err
		}
		return fmt.Errorf("no command given after %q; choose one of: %s", cmd.CommandPath(), strings.Join(names(cmd), ", "))
	}
}

func names(cmd *cobra.Command) (out []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			out = append(out, c.Name())
		}
	}
	return out
}

func unknownCommand(cmd *cobra.Command, name string) error {
	return known("command", name, names(cmd), cmd.CommandPath()+" --help")
}

// flagError adds the nearest flag to an unknown one, and where to look to all.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var all []string
		add := func(f *pflag.Flag) {
			if !f.Hidden {
				all = append(all, "--"+f.Name)
			}
		}
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		flag := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			flag = "-" + unknown.GetSpecifiedName()
		}
		s := fmt.Sprintf("unknown flag %s of %q", flag, cmd.CommandPath())
		if meant := near.Name(flag, all); meant != "" {
			s += "; did you mean " + meant + "?"
		}
		return fmt.Errorf("%s (%s --help shows all)", s, cmd.CommandPath())
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		why := errors.Unwrap(invalid)
		var num *strconv.NumError
		if errors.As(why, &num) {
			why = fmt.Errorf("give a number of type %s (%w)", invalid.GetFlag().Value.Type(), num.Err)
		}
		return fmt.Errorf("--%s %q: %w (see %s --help)", invalid.GetFlag().Name, invalid.GetValue(), why, cmd.CommandPath())
	}
	return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
}

// noArgs and oneArg name what is wrong and the mend, which cobra's own do not.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q of %q; it takes flags only (see %s --help)", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("missing %s of %q; usage: %s", what, cmd.CommandPath(), cmd.UseLine())
		case 1:
			return nil
		}
		return fmt.Errorf("unexpected argument %q of %q; it takes one %s", args[1], cmd.CommandPath(), what)
	}
}

// noneEmpty refuses an empty argument of any command: most come of a variable that a script did not set, and the
// command would do something else than was asked for.
func noneEmpty(args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // a shell asks how the empty word may go on
	}
	for i, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		flag := strings.HasPrefix(name, "-")
		switch {
		case flag && given && strings.TrimSpace(value) == "":
			return fmt.Errorf("%s: it is empty; give a value, or leave the flag out", name)
		case strings.TrimSpace(arg) != "":
		case i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "="):
			return fmt.Errorf("%s: it is empty; give a value, or leave the flag out", args[i-1])
		default:
			return fmt.Errorf("argument %d is empty; give a value, or leave it out", i+1)
		}
	}
	return nil
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
				next := (*cobra.Command)(nil)
				for _, c := range cmd.Commands() {
					if c.Name() == name {
						next = c
					}
				}
				if next == nil {
					return unknownCommand(cmd, name)
				}
				cmd = next
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
