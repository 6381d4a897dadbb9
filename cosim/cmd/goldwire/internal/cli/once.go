package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
