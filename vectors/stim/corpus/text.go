package corpus

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// headWord begins the first line of a file.
const headWord = "# goldwire corpus:"

// head is the first line of a file: the block and size of the cases, and how many there must be.
type head struct {
	block, schema string
	params        map[string]int
	cases, events int
}

// Write writes the corpus as scenarios of a block. It errors when a case has no form as text.
func (c *Corpus) Write(w io.Writer, b *event.Block) error {
	var t strings.Builder
	fmt.Fprintf(&t, "%s block=%s schema=%s cases=%d events=%d", headWord, c.Block, c.Schema, len(c.Cases), c.Events())
	for _, p := range b.Params {
		fmt.Fprintf(&t, " %s=%d", p.Name, c.Params[p.Name])
	}
	t.WriteString("\n# goldwire guide writes this in the language of vectors/stim/casefile. The model has the answers.\n")
	lang := casefile.Language{Block: b}
	lay := event.NewLayout(b)
	for i := range c.Cases {
		x := &c.Cases[i]
		d := &x.Drive
		if d.ByLane || d.Yield != 0 || len(d.Gaps) != 0 {
			return fmt.Errorf("case %s: its drive has no form as text", x.Name)
		}
		fmt.Fprintf(&t, "\ncase %s\nseed %d\n", x.Name, x.Seed)
		if d.Ahead != 0 {
			fmt.Fprintf(&t, "ahead %d\n", d.Ahead)
		}
		for _, r := range d.Resets {
			fmt.Fprintf(&t, "reset after=%d delay=%d low=%d\n", r.After, r.Delay, r.Low)
		}
		// Gates that are always open are written too, because the driver draws random numbers for every gate.
		gates := func(ports []event.Port, first stim.Gate, more []stim.Gate) {
			all := append([]stim.Gate{first}, more...)
			for k, g := range all[:min(len(all), len(ports))] {
				fmt.Fprintf(&t, "gate %s chain %d %d\n", ports[k].Name, g.Close, g.Open)
			}
		}
		gates(lay.Inputs(), d.Idle, d.IdleMore)
		gates(lay.Outputs(), d.Stall, d.StallMore)
		for k := range d.Relief {
			t.WriteString("relief " + lang.Line(&d.Relief[k]) + "\n")
		}
		for k := range x.Items {
			t.WriteString(lang.Line(&x.Items[k]) + "\n")
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}
