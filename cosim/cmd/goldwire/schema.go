package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cosim"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

func newSchema(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "show the interface of a block",
		Long: `schema shows the interface of a block: the only source of its SystemVerilog types, C++
port table and Go types, which are generated from it.`,
		Example: `  goldwire schema show ccc
  goldwire schema show --hash ccc`,
	}
	var hash, formats bool
	show := &cobra.Command{
		Use:   "show BLOCK|FILE.yaml",
		Short: "print a block's ports, fields, enums, registers and hash",
		Long: `show prints the tables of a block's interface: parameters, constants, streams with the
width in bits, unit and Q format of each field, enums, registers with their reset
values, state words, and the hash that both ends of the bridge compare. Use it to look
up a field, or to compare the hash with that of another build. A name that ends in .yaml
is the file of your own schema, which show also checks.

With --formats it prints the number formats instead: the width and rounding of each
stored and intermediate value, and whether it saturates or wraps.`,
		Example: `  goldwire schema show ccc
  goldwire schema show ccc --formats
  goldwire schema show hdl/examples/old_new/schema.yaml
  test "$(goldwire schema show --hash ccc)" = "$EXPECTED_HASH"`,
		Args: cli.OneArg("BLOCK|FILE.yaml"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.Blocks(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var b *event.Block
			var err error
			if strings.HasSuffix(args[0], ".yaml") {
				if b, err = event.Load(args[0]); err == nil {
					err = cosim.Drawable(args[0], b, nil)
				}
			} else {
				b, err = a.Lookup(args[0])
			}
			if err != nil {
				return err
			}
			if hash {
				_, err := fmt.Fprintln(a.Stdout, b.Hash())
				return err
			}
			if formats {
				return a.showFormats(b)
			}
			return a.showSchema(b)
		},
	}
	show.Flags().BoolVar(&hash, "hash", false, "print the hash alone")
	show.Flags().BoolVar(&formats, "formats", false, "print the number formats of stored and intermediate values")
	show.MarkFlagsMutuallyExclusive("hash", "formats")
	return cli.Group(c, show)
}

func (a *app) showSchema(b *event.Block) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	p("%s: %s", b.Name, b.Title)
	p("hash %s", b.Hash())
	if len(b.Params) > 0 {
		p("\nparameter\tdefault\trange\tmeaning")
		for _, x := range b.Params {
			r := fmt.Sprintf("%d to %d", x.Min, x.Max)
			if x.Pow2 {
				r += ", a power of two"
			}
			p("%s\t%d\t%s\t%s", x.Name, x.Default, r, x.Doc)
		}
	}
	if len(b.Constants) > 0 {
		p("\nconstant\tvalue\tunit\tmeaning")
		for _, x := range b.Constants {
			p("%s\t%d\t%s\t%s", x.Name, x.Value, dash(x.Unit), x.Doc)
		}
	}
	for _, s := range b.Streams {
		p("\nstream %s (%s): %s", s.Name, s.Dir, s.Doc)
		p("field\tbits\tformat\tunit\tmeaning")
		for _, f := range s.Fields {
			p("%s\t%d\t%s\t%s\t%s", f.Name, f.Width, format(f.Signed, f.Enum, f.Q), dash(f.Unit), f.Doc)
		}
	}
	for _, e := range b.Enums {
		p("\nenum %s, %d bits: %s", e.Name, e.Width, e.Doc)
		p("code\tname\tmeaning")
		for _, v := range e.Values {
			p("%d\t%s\t%s", v.Value, v.Name, v.Doc)
		}
	}
	if len(b.Registers) > 0 {
		p("\nregister\taddress\tbits\tformat\treset\tunit\tmeaning")
		for _, r := range b.Registers {
			p("%s\t%d\t%d\t%s\t%d\t%s\t%s", r.Name, r.Addr, r.Width, format(false, "", r.Q), r.Reset, dash(r.Unit), r.Doc)
		}
	}
	if len(b.Words) > 0 {
		p("\nstate word\tbits\tformat\tunit\tfield")
		for _, x := range b.Words {
			for _, f := range x.Fields {
				p("%d\t%d:%d\t%s\t%s\t%s", x.Addr, f.LSB+f.Width-1, f.LSB, format(f.Signed, f.Enum, f.Q), dash(f.Unit), f.Name)
			}
		}
	}
	return w.Flush()
}

// format returns how the bits of a field are read.
func format(signed bool, enum, q string) string {
	switch {
	case enum != "":
		return "enum " + enum
	case q != "":
		return q
	case signed:
		return "signed"
	}
	return "-"
}

func dash(s string) string {
	if strings.TrimSpace(s) == "" {
		return "-"
	}
	return s
}

// formatsOf returns the number formats of a block. It errors when the block has no table of them.
func formatsOf(name string) (*formats.Table, error) {
	var have []string
	for _, b := range block.All() {
		switch {
		case b.Formats == nil:
		case b.Name() == name:
			return b.Formats(), nil
		default:
			have = append(have, b.Name())
		}
	}
	return nil, fmt.Errorf("block %s has no table of formats; give one of: %s", name, strings.Join(have, ", "))
}

func (a *app) showFormats(b *event.Block) error {
	t, err := formatsOf(b.Name)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	p("%s: number formats; UQm.n has m integer and n fraction bits, SQm.n a sign bit more", b.Name)
	for _, k := range []formats.Kind{formats.State, formats.Register, formats.Intermediate} {
		head := "\n%s\tbits\tformat\trounding\tbeyond\tunit"
		if k == formats.Intermediate {
			head += "\trule"
		}
		for i := range t.Values {
			v := &t.Values[i]
			if v.Kind != k {
				continue
			}
			if head != "" {
				p(head, k)
				head = ""
			}
			row := fmt.Sprintf("%s\t%d\t%v\t%v\t%v\t%s", v.Name, v.Format.Bits(), v.Format, v.Round, v.Over, dash(v.Unit))
			if v.Rule != "" {
				row += "\t" + v.Rule
			}
			p("%s", row)
		}
	}
	return w.Flush()
}
