package main

import (
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func newCompletion(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "completion",
		Short: "print a completion script for bash, zsh or fish",
		Long: `completion prints a script that lets your shell complete commands, flags, and the
names of blocks, sources and cases with the Tab key.`,
		Example: `  source <(goldwire completion bash)
  goldwire completion zsh > "${fpath[1]}/_goldwire"
  goldwire completion fish > ~/.config/fish/completions/goldwire.fish`,
	}
	for _, s := range []struct {
		shell, load string
		write       func(root *cobra.Command) error
	}{
		{"bash", "source <(goldwire completion bash)",
			func(r *cobra.Command) error { return r.GenBashCompletionV2(a.Stdout, true) }},
		{"zsh", `goldwire completion zsh > "${fpath[1]}/_goldwire"`,
			func(r *cobra.Command) error { return r.GenZshCompletion(a.Stdout) }},
		{"fish", "goldwire completion fish | source",
			func(r *cobra.Command) error { return r.GenFishCompletion(a.Stdout, true) }},
	} {
		c.AddCommand(&cobra.Command{
			Use:   s.shell,
			Short: "print the completion script for " + s.shell,
			Long: "Print the completion script for " + s.shell +
				". Load it as the example shows, in your shell's start file to keep it.",
			Example: "  " + s.load,
			Args:    cli.NoArgs,
			RunE:    func(cmd *cobra.Command, _ []string) error { return s.write(cmd.Root()) },
		})
	}
	cli.Group(c)
	return c
}
