// Package cli holds what the commands of goldwire share: their surroundings (App), exit codes, checks of arguments,
// flag values, output files, and the root of the repository.
//
//	c := &cobra.Command{Use: "info FILE", Args: cli.OneArg("FILE"), RunE: ...}
//	fl.Var(&events, "events", "events to draw, `N`")                       // a cli.Count
//	err := a.WriteTo(out, func(w io.Writer) error { ... })                 // whole or not at all; - is stdout
//	return cli.Found(differ, err)                                            // a difference stays exit code 1
package cli
