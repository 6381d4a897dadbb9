package bind

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/toolchain"
	"github.com/goldwire/goldwire/vectors/event"
)

// Latency is how the design's timing relates to the block's contract.
type Latency string

// The latencies.
const (
	Exact   Latency = "exact"   // cycle for cycle as the contract
	Elastic Latency = "elastic" // its own; answers are compared, not cycles
)

// Defaults of a dut.yaml.
const (
	DefaultFlush       = 512     // cycles
	DefaultPatience    = 200_000 // cycles
	DefaultResetCycles = 4       // cycles
)

// Reset is the design's reset port.
type Reset struct {
	None   bool // the design has none: only power-on restarts it
	Port   string
	More   []string // further ports that are driven as Port is
	High   bool     // active high
	Sync   bool     // sampled at the clock edge
	Cycles int      // least length, elastic only
}

// Domain is a clock beside which the design has others.
type Domain struct {
	Port    string
	Period  int // in steps, of which a cycle of the harness is one
	Phase   int // steps to its first rising edge; -1: drawn from the episode's seed
	Streams []string
}

// Binding is the content of a dut.yaml, with absolute paths and defaults filled in.
type Binding struct {
	File       string       // the dut.yaml as it was named
	Block      *event.Block // its schema
	SchemaFile string       // of a block of the user's; "" for one of ours

	Top         string
	Sources     []string
	Include     []string
	Defines     []string          // NAME or NAME=VALUE
	Parameters  map[string]string // of the design: a number, a quoted string, or a parameter of the block
	BlockParams map[string]int

	Domains []Domain // clocks of their own; Clock is "" then

	Clock  string   // "" where the design has none
	Clocks []string // further clocks, tied to the first
	Reset  Reset

	Latency  Latency
	Order    string // stream, context or tag
	Key      string
	Flush    int
	Patience int

	Beats int // bits of the design's bus where packets are cut anew at its edge; 0: the beats are the block's

	Relax []string // rules of the handshake that the design breaks on purpose: RULE or STREAM.RULE

	Judging Judging // of what need not be equal

	PlusArgs []string
	Flags    []string // for Verilator

	Map map[string]Expr // by schema port: ev_valid, ev.now
	Tie map[string]Expr // by the design's port, or a slice of it, as written

	lines    map[string]int // by key, map.KEY and tie.KEY
	values   map[string]int // lines on which their values begin
	badLines []int          // of values that could not be read
}

// clocks returns the ports that are the clock, and resets those that are the reset.
func clocks(b *Binding) []string {
	all := named(b.Clock, b.Clocks)
	for _, d := range b.Domains {
		all = append(all, d.Port)
	}
	return all
}

func resets(b *Binding) []string { return named(b.Reset.Port, b.Reset.More) }

func named(first string, more []string) []string {
	return slices.DeleteFunc(append([]string{first}, more...), func(name string) bool { return name == "" })
}

// SchemaOnly reports whether the block has only a schema, of the user's own, and no model here. It is
// false for nil, which is a design of ours.
func (b *Binding) SchemaOnly() bool { return b != nil && b.SchemaFile != "" }

// Problem is one thing wrong with a dut.yaml or the design, at a place.
type Problem struct {
	File string
	Line int // 0 when it is about the whole file
	Text string

	kind toolchain.Kind // of an error of the compiler
	name string         // the first that it quotes
}

// String returns file:line: text.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// Problems is the error of this package: everything that is wrong, in the order of lines.
type Problems []Problem

// Error returns one problem per line.
func (p Problems) Error() string {
	var lines []string
	for _, x := range p {
		lines = append(lines, x.String())
	}
	return strings.Join(lines, "\n")
}

// err returns the problems sorted, or nil when there are none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p
}

// problem adds one at the line of a key, such as "top" or "map.ev.now".
func (b *Binding) problem(ps *Problems, key, format string, args ...any) {
	*ps = append(*ps, Problem{File: b.File, Line: b.lines[key], Text: fmt.Sprintf(format, args...)})
}

// refs returns every schema port that a map may name, in the order of the schema: for each stream valid,
// ready, fields. With beats of other bits than the block's, 0 for none, that is their width in streams of packets.
func refs(b *event.Block, beats int) []ref {
	var out []ref
	for i := range b.Streams {
		s := &b.Streams[i]
		in := s.Dir == event.In
		out = append(out, ref{Name: s.Name + "_valid", Stream: s, In: in, Width: 1},
			ref{Name: s.Name + "_ready", Stream: s, In: !in, Width: 1})
		for k := range s.Fields {
			f := &s.Fields[k]
			width := f.Width
			switch packets := beats > 0 && packetBits(s) > 0; {
			case packets && f.Name == "data":
				width = beats
			case packets && f.Name == "keep":
				width = beats / 8
			}
			out = append(out, ref{Name: s.Name + "." + f.Name, Stream: s, Field: f, In: in, Width: width})
		}
	}
	return out
}

// ref is one schema port: In says that the harness drives it.
type ref struct {
	Name   string
	Stream *event.Stream
	Field  *event.Field // nil for valid and ready
	In     bool
	Width  int
}

// what returns the name of a field, valid or ready.
func (r *ref) what() string {
	if r.Field != nil {
		return r.Field.Name
	}
	return strings.TrimPrefix(r.Name, r.Stream.Name+"_")
}

// port returns the name of the block's flat port.
func (r *ref) port() string {
	return strings.Replace(r.Name, ".", "_", 1) + either(r.In, "_i", "_o")
}

// dir returns the folder of the dut.yaml, in which the design runs: what it reads with $readmemh or $fopen is
// relative to it.
func (b *Binding) dir() string {
	abs, err := filepath.Abs(filepath.Dir(b.File))
	if err != nil {
		return ""
	}
	return abs
}

// Port returns the design's port for a control such as ev_ready, for messages.
func (b *Binding) Port(control string) string {
	if e, ok := b.Map[control]; ok {
		return e.Text
	}
	return control
}

// Missing returns the output fields that the design does not have, STREAM.FIELD in the schema's order: they are
// not compared.
func (b *Binding) Missing() []string { return outputs(b, func(e Expr) bool { return e.None }) }

// outputs returns the output fields, STREAM.FIELD in the schema's order, whose expression in the map is so.
func outputs(b *Binding, is func(Expr) bool) (names []string) {
	for _, s := range b.Block.StreamsOf(event.Out) {
		for _, f := range s.Fields {
			name := s.Name + "." + f.Name
			if e, mapped := b.Map[name]; mapped && is(e) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Uncompared returns, word by word of an output record, the bits of the fields that the design does not
// have; nil when it has all.
func (b *Binding) Uncompared() []uint64 { return b.Block.FieldBits(b.Missing()) }

// Uncounted returns likewise the bits of the fields that show nothing of the design: those that it does not have, those
// to which the map gives a constant, and those that are ignored.
func (b *Binding) Uncounted() []uint64 {
	return b.Block.FieldBits(slices.Concat(b.Missing(), b.Constants(), b.Judging.Ignored()))
}

// Constants returns the output fields that the map gives a constant, as STREAM.FIELD. They are compared, but that
// checks nothing of the design.
func (b *Binding) Constants() []string {
	return outputs(b, func(e Expr) bool { return !e.None && !e.ports() })
}

// NoStall reports, by output stream, which of them the design has no ready for; nil when it has all.
func (b *Binding) NoStall() []bool {
	return those(b.Block, func(stream string) bool { return b.Map[stream+"_ready"].None })
}

// those reports, by output stream, which of them are so; nil when none is.
func those(b *event.Block, is func(stream string) bool) []bool {
	streams := b.StreamsOf(event.Out)
	out := make([]bool, len(streams))
	for i, s := range streams {
		out[i] = is(s.Name)
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

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
	return those(b.Block, func(stream string) bool {
		return slices.Contains(b.Relax, rule) || slices.Contains(b.Relax, stream+"."+rule)
	})
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
