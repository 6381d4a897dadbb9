// Package cli is what the commands of goldwire share: what they work with (App), the exit codes, how arguments are
// refused, values of flags, the files that a command writes, and the root of the repository.
//
//	c := &cobra.Command{Use: "info FILE", Args: cli.OneArg("FILE"), RunE: ...}
//	fl.Var(&events, "events", "events to draw, `N`")                       // a cli.Count
//	err := a.WriteTo(out, func(w io.Writer) error { ... })                 // whole or not at all; - is stdout
//	return cli.Found(differ, err)                                            // a difference stays exit code 1
package cli
