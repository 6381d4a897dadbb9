package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
				return a.listCampaign(blocks)
			}
			if len(args) == 0 {
				return a.listAll(blocks)
			}
			names := blocks
			if args[0] != "blocks" {
				of := a.Groups
				if args[0] == "cases" {
					of = a.Cases
				}
				names = merged(blocks, of)
			}
			for _, n := range names {
				if _, err := fmt.Fprintln(a.Stdout, n); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&name, "block", "", "only those of the block `NAME`")
	c.Flags().BoolVar(&plain, "plain", false, "print what make soak runs: blocks and sizes")
	return c
}

// listCampaign prints the words of the blocks, in the order of the list of blocks.
func (a *app) listCampaign(names []string) error {
	for _, b := range block.All() {
		if !slices.Contains(names, b.Name()) {
			continue
		}
		if _, err := fmt.Fprintln(a.Stdout, strings.Join(b.Campaign(), "\n")); err != nil {
			return err
		}
	}
	return nil
}

// merged joins the names of several blocks without repeats, in order.
func merged(blocks []string, of func(string) []string) (out []string) {
	seen := map[string]bool{}
	for _, b := range blocks {
		for _, n := range of(b) {
			if !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}

func (a *app) listAll(blocks []string) error {
	var b strings.Builder
	for i, name := range blocks {
		if i > 0 {
			b.WriteString("\n")
		}
		s := a.Schema(name)
		fmt.Fprintf(&b, "%s  %s\n", name, s.Title)
		for _, p := range s.Params {
			pow := ""
			if p.Pow2 {
				pow = ", a power of two"
			}
			fmt.Fprintf(&b, "  parameter  %s (%d to %d%s, default %d)\n", p.Name, p.Min, p.Max, pow, p.Default)
		}
		for _, x := range a.Groups(name) {
			fmt.Fprintf(&b, "  source     %s\n", x)
		}
		cases := a.Cases(name)
		fmt.Fprintf(&b, "  %d directed cases\n", len(cases))
		for _, x := range cases {
			fmt.Fprintf(&b, "    %s\n", x)
		}
	}
	_, err := fmt.Fprint(a.Stdout, b.String())
	return err
}

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
