package cli

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim/block"
)

// Count is a flag value for a number of things: 250000, 250_000, 2.5e5, 250k, 1M.
type Count uint64

// String returns the number in full.
func (v *Count) String() string { return strconv.FormatUint(uint64(*v), 10) }

// Type is pflag's name for the type.
func (v *Count) Type() string { return "count" }

// Set reads the number.
func (v *Count) Set(s string) error {
	n, err := ParseCount(s)
	if err == nil {
		*v = Count(n)
	}
	return err
}

// ParseCount reads a number as Count does.
func ParseCount(s string) (uint64, error) {
	bad := errors.New("give a whole number of events, such as 100000, 250k, 1M or 1e6")
	t, scale := strings.ReplaceAll(s, "_", ""), int64(1)
	if n := len(t); n > 0 {
		if f, ok := map[byte]int64{'k': 1e3, 'K': 1e3, 'M': 1e6, 'G': 1e9}[t[n-1]]; ok {
			t, scale = t[:n-1], f
		}
	}
	if len(t) > 30 || strings.ContainsAny(t, "/xXpPbBoO") {
		return 0, bad
	}
	// Bound the exponent before big.Rat sees it: 1e999999999 would fill the memory.
	if f, err := strconv.ParseFloat(t, 64); err != nil || !(f >= 0) || f > math.MaxUint64 {
		return 0, bad
	}
	r, ok := new(big.Rat).SetString(t)
	if !ok {
		return 0, bad
	}
	r.Mul(r, new(big.Rat).SetInt64(scale))
	if !r.IsInt() || !r.Num().IsUint64() {
		return 0, bad
	}
	return r.Num().Uint64(), nil
}

// maxSeeds is the largest number of seeds; more are surely a typing error.
const maxSeeds = 100000

// ParseSeeds reads "a..b", both ends included, or a list "1,5,9".
func ParseSeeds(s string) ([]uint64, error) {
	bad := func(why string) error {
		return fmt.Errorf("--seeds %q: %s; give a range such as 1..20 or a list such as 1,5,9", s, why)
	}
	var out []uint64
	seen := map[uint64]bool{}
	for _, part := range strings.Split(s, ",") {
		lo, hi, ranged := strings.Cut(part, "..")
		a, err := strconv.ParseUint(strings.TrimSpace(lo), 0, 64)
		if err != nil {
			return nil, bad(fmt.Sprintf("%q is not a seed", lo))
		}
		b := a
		if ranged {
			if b, err = strconv.ParseUint(strings.TrimSpace(hi), 0, 64); err != nil {
				return nil, bad(fmt.Sprintf("%q is not a seed", hi))
			}
		}
		switch {
		case b < a:
			return nil, bad("the range is empty")
		case b-a >= maxSeeds || uint64(len(out))+b-a >= maxSeeds:
			return nil, bad(fmt.Sprintf("more than %d seeds", maxSeeds))
		}
		for x := a; ; x++ {
			if seen[x] {
				return nil, fmt.Errorf("--seeds %s: seed %d is given twice; keep one", s, x)
			}
			seen[x] = true
			out = append(out, x)
			if x == b {
				break
			}
		}
	}
	return out, nil
}

// ParseParams reads Name=value pairs.
func ParseParams(pairs []string) (map[string]int, error) {
	out := map[string]int{}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		n, err := strconv.Atoi(value)
		if !ok || name == "" || err != nil {
			return nil, fmt.Errorf("--param %q: give Name=number, such as NumContexts=64", p)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("--param %s: given twice; keep one", name)
		}
		out[name] = n
	}
	return out, nil
}

// ParseTick returns the length of a time tick in picoseconds.
func ParseTick(s string) (int64, error) {
	switch s {
	case "1ns":
		return 1000, nil
	case "128ns":
		return 128000, nil
	}
	return 0, fmt.Errorf("--tick %q: give 1ns or 128ns", s)
}

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

// TickNs returns the length of a time tick in nanoseconds.
func TickNs(s string) (int, error) {
	ps, err := ParseTick(s)
	return int(ps / 1000), err
}

// Read returns what parse makes of a flag, unless *err is an error of a flag before it. It keeps the first error there,
// so that a command checks only once.
func Read[I, O any](err *error, parse func(I) (O, error), flag I) (value O) {
	if *err == nil {
		value, *err = parse(flag)
	}
	return value
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

// Ordered returns the flags of a command, which its help shows in the order in which they are added.
func Ordered(c *cobra.Command) *pflag.FlagSet {
	c.Flags().SortFlags = false
	return c.Flags()
}

// Refuse errors if one of the flags is given.
func Refuse(given func(string) bool, why string, flags ...string) error {
	for _, name := range flags {
		if given(name) {
			return fmt.Errorf("--%s: %s", name, why)
		}
	}
	return nil
}
