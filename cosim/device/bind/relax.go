package bind

import (
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Handshake rules that the key relax of a dut.yaml names: what a response that waits for ready may then do.
const (
	ValidDrops  = "valid_drops"  // it may be withdrawn
	DataChanges = "data_changes" // its fields may change
)

// relax reads the handshake rules that the design breaks on purpose.
func (b *Binding) relax(ps *Problems, f *file) {
	if len(f.Relax) > 0 && b.Latency == Exact {
		b.problem(ps, "relax", "relax: latency exact compares every cycle, so that there is no rule to relax; leave it "+
			"out, or give latency: elastic")
	}
	for _, r := range f.Relax {
		stream, rule, of := strings.Cut(r, ".")
		if !of {
			stream, rule = "", r
		}
		if rules := []string{ValidDrops, DataChanges}; !slices.Contains(rules, rule) {
			b.problem(ps, "relax", "relax %q: give %s, or one of them for one output as STREAM.%s%s", r,
				strings.Join(rules, " or "), ValidDrops, meant(rule, rules))
			continue
		}
		if b.Block != nil && of && !slices.ContainsFunc(b.Block.StreamsOf(event.Out),
			func(s *event.Stream) bool { return s.Name == stream }) {
			b.problem(ps, "relax", "relax %q: block %s has no output stream %s", r, b.Block.Name, stream)
			continue
		}
		b.Relax = append(b.Relax, r)
	}
}

// Relaxes reports, by output stream, for which of them a rule is relaxed; nil for none.
func (b *Binding) Relaxes(rule string) []bool {
	var out []bool
	streams := b.Block.StreamsOf(event.Out)
	for i, s := range streams {
		if !slices.Contains(b.Relax, rule) && !slices.Contains(b.Relax, s.Name+"."+rule) {
			continue
		}
		if out == nil {
			out = make([]bool, len(streams))
		}
		out[i] = true
	}
	return out
}

// Relaxed returns what is relaxed, STREAM.RULE in the schema's order, for reports.
func (b *Binding) Relaxed() []string {
	var out []string
	for i, s := range b.Block.StreamsOf(event.Out) {
		for _, rule := range []string{ValidDrops, DataChanges} {
			if on := b.Relaxes(rule); on != nil && on[i] {
				out = append(out, s.Name+"."+rule)
			}
		}
	}
	return out
}
