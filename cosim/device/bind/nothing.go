package bind

import (
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// nothing finds a map with which a run would compare none of the design's outputs.
func (b *Binding) nothing(ps *Problems) {
	ins := b.Block.StreamsOf(event.In)
	if !slices.ContainsFunc(ins, func(s *event.Stream) bool { return !b.low(s.Name + "_ready") }) {
		b.problem(ps, "map", "no event would ever be taken, so that nothing would be compared: %s is 0; map a ready to a "+
			"port, or to 1 when the design is always ready",
			controls(ins, "_ready"))
	}
	never, err := b.Block.NeverCompared(b.BlockParams)
	if err != nil {
		b.problem(ps, "block_parameters", "%v", err)
		return
	}
	for _, name := range never {
		if e, ok := b.Map[name]; ok && !e.None {
			b.problem(ps, "map."+name, "%s: no response satisfies its key \"when\" with these block_parameters, so that it "+
				"would never be compared; map it to none, or change the schema", name)
		}
	}
	outs := b.Block.StreamsOf(event.Out)
	if slices.ContainsFunc(outs, func(s *event.Stream) bool { return b.compares(s, never) }) {
		return
	}
	b.problem(ps, "map", "no field that the design puts out would be compared: each is none, a constant or never "+
		"compared, or the valid of its stream is 0 (%s); map a field to a port",
		controls(outs, "_valid"))
}

// compares reports whether a field of an output stream is compared. A field that is missing in the map, or could not be
// read, is reported elsewhere.
func (b *Binding) compares(s *event.Stream, never []string) bool {
	if b.low(s.Name + "_valid") {
		return false
	}
	return slices.ContainsFunc(s.Fields, func(f event.Field) bool {
		name := s.Name + "." + f.Name
		e, ok := b.Map[name]
		switch {
		case !ok || e.broken:
			return true
		case e.None || slices.Contains(never, name):
			return false
		}
		return e.ports()
	})
}

// ports reports whether a part of an expression comes from the design.
func (e *Expr) ports() bool {
	return slices.ContainsFunc(e.Pieces, func(p Piece) bool { return p.Const == nil })
}

// low reports whether a control is the constant 0.
func (b *Binding) low(control string) bool {
	e := b.Map[control]
	v, ok := e.Constant(1)
	return ok && v.Sign() == 0
}

// controls lists a control of each stream.
func controls(streams []*event.Stream, suffix string) string {
	names := make([]string, len(streams))
	for i, s := range streams {
		names[i] = s.Name + suffix
	}
	return strings.Join(names, ", ")
}
