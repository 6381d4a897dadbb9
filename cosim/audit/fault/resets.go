package fault

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// Resets returns the faults of All that drop a reset: a register that keeps its value in the branch of !rst_ni, or an
// instance whose reset is never low.
func (d *Design) Resets() []*Fault {
	var out []*Fault
	for _, f := range d.All() {
		switch {
		case f.site.Kind == sv.Port:
			if f.site.Port == "rst_ni" && f.text == "1'b1" {
				out = append(out, f)
			}
		case f.Operator == opHold && f.site.Clocked && inReset(f.module.Text[:f.site.Start]):
			out = append(out, f)
		}
	}
	return out
}

// inReset reports whether the text before a statement ends in the branch of a reset.
func inReset(before string) bool {
	i := strings.LastIndex(before, "if (!rst_ni)")
	return i >= 0 && !strings.Contains(before[i:], "else") && !strings.Contains(before[i:], "always_ff")
}
