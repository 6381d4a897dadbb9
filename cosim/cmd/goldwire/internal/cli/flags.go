package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim/block"
)

// DefaultBlock is the block of a command that names none: the first of the list.
func DefaultBlock() string { return block.All()[0].Name() }

// BlockFlag is --block with the default of all commands. The shell completes it.
func (a *App) BlockFlag(c *cobra.Command, name *string, usage string) {
	c.Flags().StringVar(name, "block", DefaultBlock(), usage)
	Complete(c, "block", a.Blocks)
}

// SeedFlag is --seed, for commands with a single seed.
func SeedFlag(fl *pflag.FlagSet, seed *uint64) {
	fl.Uint64Var(seed, "seed", 1, "seed `K` of all random draws")
}

// ParamFlag is --param of a block; ParseParams reads it.
func ParamFlag(fl *pflag.FlagSet, params *[]string) {
	fl.StringArrayVar(params, "param", nil, "parameter of the block, `NAME=VALUE`; may be repeated")
}

// TickFlag is --tick of the fabric sources; ParseTick reads it.
func TickFlag(c *cobra.Command, tick *string) {
	c.Flags().StringVar(tick, "tick", "1ns", "`LENGTH` of a time tick of the fabric sources: 1ns or 128ns")
	Complete(c, "tick", func() []string { return []string{"1ns", "128ns"} })
}

// Complete lets the shell complete a flag with names instead of files.
func Complete(c *cobra.Command, flag string, names func() []string) {
	_ = c.RegisterFlagCompletionFunc(flag,
		func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names(), cobra.ShellCompDirectiveNoFileComp
		})
}
