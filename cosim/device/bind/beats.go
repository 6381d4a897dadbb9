package bind

import (
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// beatsKey is the key beats of a dut.yaml.
type beatsKey struct {
	Width int `yaml:"width"`
}

// The widths that beats may have, in bits.
const leastBeats, mostBeats = 64, 1024

// packetBits returns the bits of a beat of a stream of packets: it has data, keep with a bit for each byte, and last. 0
// is a stream without packets.
func packetBits(s *event.Stream) int {
	data, keep, last := s.Field("data"), s.Field("keep"), s.Field("last")
	if data == nil || keep == nil || last == nil || last.Width != 1 || data.Width != 8*keep.Width {
		return 0
	}
	return data.Width
}

func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

// packetStreams returns the streams of packets whose beats are cut anew at the edge of the design, nil for none.
func packetStreams(b *Binding) (out []*event.Stream) {
	for i := range b.Block.Streams {
		if s := &b.Block.Streams[i]; b.Beats > 0 && packetBits(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// readBeats reads the width of the design's bus.
func readBeats(b *Binding, ps *Problems, f *file) {
	if f.Beats == nil || b.Block == nil {
		return
	}
	w := f.Beats.Width
	switch b.Beats = w; {
	case b.misread("beats") || b.misread("beats.width"):
		b.Beats = 0
	case !powerOfTwo(w) || w < leastBeats || w > mostBeats:
		b.problem(ps, "beats", "beats: width %d: the design's bus has 64, 128, 256, 512 or 1024 bits", w)
		b.Beats = 0
	case len(packetStreams(b)) == 0:
		b.problem(ps, "beats", "beats: block %s has no stream of packets, which has the fields data, keep (a bit for each "+
			"byte) and last; leave it out", b.Block.Name)
	case b.Latency == Exact:
		b.problem(ps, "beats", "beats: a bus of another width needs other cycles, so that its packets are compared, and not "+
			"its cycles; give latency: elastic")
	case b.SchemaFile == "" && len(b.Block.StreamsOf(event.In)) > 1 && !b.Block.Turns:
		b.problem(ps, "beats", "beats: the answers of block %s depend on the cycles in which its streams meet, and a bus of "+
			"another width needs other cycles, so that its packets cannot be compared; give the design a bus of the block's "+
			"width and latency: exact", b.Block.Name)
	}
	for _, s := range packetStreams(b) {
		if !powerOfTwo(packetBits(s)) {
			b.problem(ps, "beats", "beats: data of stream %s has %d bits, which is not a power of two", s.Name, packetBits(s))
		}
		for _, field := range []string{"data", "keep", "last"} {
			if e := b.Map[s.Name+"."+field]; s.Dir == event.Out && (e.None || !e.broken && e.Text != "" && !e.ports()) {
				b.problem(ps, "map."+s.Name+"."+field, "%s.%s: beats are cut by it, so it comes from the design; map it to a port",
					s.Name, field)
			}
		}
		if s.Dir == event.Out && b.Beats > packetBits(s) && b.Map[s.Name+"_ready"].None {
			b.problem(ps, "map."+s.Name+"_ready", "%s_ready: a beat of %d bits is %d of the block's, for which the design "+
				"has to wait; map it to a port", s.Name, b.Beats, b.Beats/packetBits(s))
		}
	}
	for name, e := range b.Map {
		if e.Timed != nil {
			b.problem(ps, "map."+name, "%s: %s: where beats are cut anew an output has a valid of its own; map it to a port",
				name, e.Text)
		}
	}
}

// takesTurns reports whether the input streams of the design take turns: its timing is not the block's, whose answers
// then depend on the order of events alone.
func takesTurns(b *Binding) bool {
	return b.Latency == Elastic && b.Block.Turns && len(b.Block.StreamsOf(event.In)) > 1
}

// sideband returns the fields of a stream of packets besides those of the beats themselves.
func sideband(s *event.Stream) (out []event.Field) {
	for _, f := range s.Fields {
		if !slices.Contains([]string{"data", "keep", "last"}, f.Name) {
			out = append(out, f)
		}
	}
	return out
}

// joined returns names with something before and after each, or another text where there are none.
func joined(fields []event.Field, before, after, none string) string {
	if len(fields) == 0 {
		return none
	}
	var names []string
	for _, f := range fields {
		names = append(names, before+f.Name+after)
	}
	return strings.Join(names, ", ")
}

// blockBeats returns the bits of a beat of the block's first stream of packets, 0 for none.
func blockBeats(b *event.Block) int {
	for i := range b.Streams {
		if n := packetBits(&b.Streams[i]); n > 0 {
			return n
		}
	}
	return 0
}

// widths returns the widths that the bus of a module may have, by its ports, where packets of the block can be cut
// anew.
func widths(b *event.Block, m *Module) (out []int) {
	own := blockBeats(b)
	if own == 0 || len(b.StreamsOf(event.In)) > 1 && !b.Turns {
		return nil
	}
	for i := range m.Ports {
		w := m.Ports[i].Width
		if powerOfTwo(w) && w >= leastBeats && w <= mostBeats && w != own && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
