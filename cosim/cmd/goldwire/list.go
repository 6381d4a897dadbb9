package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/bridge/toolchain"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func newList(a *app) *cobra.Command {
	var name string
	var plain bool
	kinds := []string{"blocks", "sources", "cases"}
	c := &cobra.Command{
		Use:   "list [blocks|sources|cases]",
		Short: "show the blocks, the sources of events and the directed cases",
		Long: `list shows what can be run: the blocks, the sources of events of each, and its directed
cases by name. Use it to find values for cosim's --block, --source and --case. With
blocks, sources or cases it prints only names, one per line, for scripts: those of all
blocks together, or of the block of --block. With --plain it prints what a campaign over
all blocks consists of, one word per line: block=NAME, events=NAME:N of a run, and
size=NAME:PARAM=N[,...] for each further size to try.`,
		Example: `  goldwire list
  goldwire list sources --block ccc
  for c in $(goldwire list cases --block ccc); do goldwire cosim --block ccc --case $c; done`,
		Args:      cli.OneOf("list", kinds),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			blocks := a.Blocks()
			if name != "" {
				if err := a.CheckBlock(name); err != nil {
					return err
				}
				blocks = []string{name}
			}
			if plain && len(args) > 0 {
				return fmt.Errorf("--plain and %s: both given; keep one", args[0])
			}
			if plain {
				for _, b := range block.All() {
					if slices.Contains(blocks, b.Name()) {
						fmt.Fprintln(a.Stdout, strings.Join(b.Campaign(), "\n"))
					}
				}
				return nil
			}
			if len(args) == 0 {
				a.listAll(blocks)
				return nil
			}
			names := blocks
			if args[0] != "blocks" {
				of := func(block string) []string { return append(a.Groups(block), a.Files(block)...) }
				if args[0] == "cases" {
					of = a.Cases
				}
				names = nil
				for _, b := range blocks {
					for _, n := range of(b) {
						if !slices.Contains(names, n) {
							names = append(names, n)
						}
					}
				}
			}
			for _, n := range names {
				fmt.Fprintln(a.Stdout, n)
			}
			return nil
		},
	}
	c.Flags().StringVar(&name, "block", "", "only those of the block `NAME`")
	c.Flags().BoolVar(&plain, "plain", false, "print what make soak runs: blocks and sizes")
	return c
}

func (a *app) listAll(blocks []string) {
	p := func(format string, args ...any) { fmt.Fprintf(a.Stdout, format+"\n", args...) }
	for i, name := range blocks {
		if i > 0 {
			p("")
		}
		s := a.Schema(name)
		p("%s  %s", name, s.Title)
		for _, x := range s.Params {
			pow := ""
			if x.Pow2 {
				pow = ", a power of two"
			}
			p("  parameter  %s (%d to %d%s, default %d)", x.Name, x.Min, x.Max, pow, x.Default)
		}
		for _, x := range append(a.Groups(name), a.Files(name)...) {
			p("  source     %s", x)
		}
		cases := a.Cases(name)
		p("  %d directed cases", len(cases))
		for _, x := range cases {
			p("    %s", x)
		}
	}
}

// revision is the source revision, set by make build; with go build alone it comes from version control.
var revision = "(unknown)"

func newVersion(a *app) *cobra.Command {
	tools := false
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version, its revision, and the schema hash of every block",
		Long: `version prints the version, source revision, Go release and platform of this goldwire,
and the schema hash of every block it was built with. Include the output in bug reports;
two builds with the same hashes work with the same RTL.

With --tools it prints the versions of Verilator, the compiler, Icarus, Yosys and the other
tools of this machine instead, and which flags and behaviours that differ between versions
they have.`,
		Example: `  goldwire version
  goldwire version --tools
  goldwire version | grep ccc`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if tools {
				return toolchain.WriteFound(c.Context(), a.Stdout, toolchain.Find)
			}
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
	c.Flags().BoolVar(&tools, "tools", false, "print the tools of this machine and what their versions can do")
	return c
}

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
	return cli.Group(c)
}
