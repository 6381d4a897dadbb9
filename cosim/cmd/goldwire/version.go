package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// revision is the source revision, set by make build; with go build alone it comes from version control.
var revision = "(unknown)"

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, its revision, and the schema hash of every block",
		Long: `version prints the version, source revision, Go release and platform of this goldwire,
and the schema hash of every block it was built with. Include the output in bug reports;
two builds with the same hashes work with the same RTL.`,
		Example: `  goldwire version
  goldwire version | grep ccc`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			version, revision := "(unknown)", revision
			if bi, ok := debug.ReadBuildInfo(); ok {
				version = bi.Main.Version
				for _, s := range bi.Settings {
					switch {
					case s.Key == "vcs.revision":
						revision = s.Value
					case s.Key == "vcs.modified" && s.Value == "true":
						revision += " (modified)"
					}
				}
			}
			fmt.Fprintf(a.Stdout, "goldwire %s\nrevision %s\n%s %s/%s\n",
				version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, b := range a.Blocks() {
				fmt.Fprintf(a.Stdout, "schema %s %s\n", b, a.Schema(b).Hash())
			}
			return nil
		},
	}
}
