package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

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
