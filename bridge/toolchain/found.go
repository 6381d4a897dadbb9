package toolchain

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// all are the tools in the order in which they are listed.
var all = []string{Verilator, Compiler, Make, Ccache, Icarus, Yosys, Z3}

// WriteFound writes the tools of this machine with their versions, and what of the table the installed versions have.
// find is Find, or what takes its place in a test.
func WriteFound(ctx context.Context, w io.Writer,
	find func(context.Context, string) (Version, string, error)) error {
	var b strings.Builder
	tabs := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	have := map[string]Version{}
	fmt.Fprintf(tabs, "tool\tversion\tpath\tnote\n")
	for _, tool := range all {
		v, path, err := find(ctx, tool)
		if err != nil {
			fmt.Fprintf(tabs, "%s\t-\t-\t%v\n", tool, err)
			continue
		}
		have[tool] = v
		note := ""
		switch {
		case TooOld(tool, v):
			note = "too old: " + Oldest[tool].Text + " is the oldest that works"
		case Newest[tool] != (Version{}) && Newest[tool].Older(v):
			note = "newer than " + Newest[tool].Text + ", the newest that was tried"
		}
		fmt.Fprintf(tabs, "%s\t%s\t%s\t%s\n", tool, v, path, note)
	}
	tabs.Flush() // the next table has other widths
	fmt.Fprintf(tabs, "\ntool\thas\tsince\tuntil\there\totherwise, or always\n")
	for c, r := range rows {
		here := "-"
		if v, ok := have[r.tool]; ok {
			here = "no"
			if Capability(c).In(v) {
				here = "yes"
			}
		}
		fmt.Fprintf(tabs, "%s\t%s\t%s\t%s\t%s\t%s\n", r.tool, r.what, cmp.Or(r.first, "-"), cmp.Or(r.last, "-"), here,
			strings.ReplaceAll(r.without, "`", ""))
	}
	tabs.Flush()
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
