package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/golden/fabric/near"
)

// Group returns a command that only holds others. Called alone, it shows its help and fails; an unknown name gets an
// error with the nearest name.
func Group(c *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	c.AddCommand(commands...)
	c.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return UnknownCommand(cmd, args[0])
		}
		return nil
	}
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetOut(cmd.ErrOrStderr())
		if err := cmd.Help(); err != nil {
			return err
		}
		return fmt.Errorf("no command given after %q; choose one of: %s", cmd.CommandPath(), strings.Join(Names(cmd), ", "))
	}
	return c
}

// Names returns the names of a command's subcommands.
func Names(cmd *cobra.Command) (out []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			out = append(out, c.Name())
		}
	}
	return out
}

// UnknownCommand is the error for a command that does not exist, with the nearest name.
func UnknownCommand(cmd *cobra.Command, name string) error {
	return Known("command", name, Names(cmd), cmd.CommandPath()+" --help")
}

// FlagError adds the nearest flag to the error about an unknown one, and the help command to every error.
func FlagError(cmd *cobra.Command, err error) error {
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
			why = numberError(invalid.GetFlag().Value.Type(), num.Err)
		}
		return fmt.Errorf("--%s %q: %w (see %s --help)", invalid.GetFlag().Name, invalid.GetValue(), why, cmd.CommandPath())
	}
	return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
}

// numberError returns the error for a flag whose Go number type cannot hold the value.
func numberError(goType string, err error) error {
	want := "a number"
	switch {
	case strings.HasPrefix(goType, "uint"):
		want = "a whole number, 0 or above"
	case strings.HasPrefix(goType, "int"):
		want = "a whole number"
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("give %s; this one is too large", want)
	}
	return fmt.Errorf("give %s", want)
}

// NoArgs refuses arguments. Unlike cobra's error, its own names the fix.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q of %q; it takes flags only (see %s --help)", args[0], cmd.CommandPath(),
			cmd.CommandPath())
	}
	return nil
}

// OneArg demands exactly one argument, for example FILE.
func OneArg(what string) cobra.PositionalArgs { return Args(what, 1, 1) }

// Args demands from least to most arguments, for example FILE; most below 0 means any number.
func Args(what string, least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < least:
			return fmt.Errorf("missing %s of %q; usage: %s", what, cmd.CommandPath(), cmd.UseLine())
		case most >= 0 && n > most:
			return fmt.Errorf("unexpected argument %q of %q; usage: %s", args[most], cmd.CommandPath(), cmd.UseLine())
		}
		return nil
	}
}

// OneOf accepts one of kinds, or nothing.
func OneOf(what string, kinds []string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return nil
		case 1:
			return Known(what, args[0], kinds, cmd.CommandPath()+" --help")
		}
		return fmt.Errorf("unexpected argument %q of %q; it takes one of %s", args[1], cmd.CommandPath(),
			strings.Join(kinds, ", "))
	}
}

// NoneEmpty refuses empty arguments of any command. Most come from an unset variable in a script, and the command would
// not do what was intended.
func NoneEmpty(args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // a shell asks how to complete the empty word
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

// NoneTwice refuses a flag given twice, except switches and flags that collect values. The last value would win and the
// first would silently be ignored: its block not run, its report not renewed. It leaves arguments that do not parse to
// the command.
func NoneTwice(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil || c == root {
		return nil
	}
	c.InitDefaultHelpFlag()
	all := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	all.AddFlagSet(c.Flags())
	all.AddFlagSet(c.InheritedFlags())
	var twice error
	given := map[*pflag.Flag]string{}
	_ = all.ParseAll(rest, func(f *pflag.Flag, value string) error {
		_, collects := f.Value.(pflag.SliceValue)
		first, again := given[f]
		given[f] = value
		if again && !collects && f.Value.Type() != "bool" && twice == nil {
			twice = fmt.Errorf("--%s: it is given twice, %s and %s; keep one", f.Name, first, value)
		}
		return nil
	})
	return twice
}
