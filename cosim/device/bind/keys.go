package bind

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/vectors/event"
)

func (b *Binding) schema(ps *Problems, f *file, dir string, lookup func(string) (*event.Block, error)) {
	var err error
	switch {
	case f.Block != "" && f.Schema != "":
		b.problem(ps, "schema", "block and schema are both given; keep one")
	case f.Block != "":
		if b.Block, err = lookup(f.Block); err != nil {
			b.problem(ps, "block", "%v", err)
		}
	case f.Schema != "":
		b.SchemaFile = absolute(dir, f.Schema)
		if b.Block, err = event.Load(b.SchemaFile); err != nil {
			b.problem(ps, "schema", "%v", err)
		}
	default:
		b.problem(ps, "", "the key block is missing: name the block that the design is, or give schema: FILE for one of "+
			"your own")
	}
	b.BlockParams = map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(f.BlockParams)) {
		v := f.BlockParams[name]
		b.BlockParams[name] = v
		if b.Block == nil {
			continue
		}
		var all []string
		for _, p := range b.Block.Params {
			all = append(all, p.Name)
		}
		if p := b.Block.Param(name); p == nil && len(all) == 0 {
			b.problem(ps, "block_parameters."+name, "block %s has no parameters; leave %s out", b.Block.Name, name)
		} else if p == nil {
			b.problem(ps, "block_parameters."+name, "block %s has no parameter %s; it has %s", b.Block.Name, name,
				strings.Join(all, ", "))
		} else if err := p.Check(v); err != nil {
			b.problem(ps, "block_parameters."+name, "%v", err)
		}
	}
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// design reads the keys that describe the design's files.
func (b *Binding) design(ps *Problems, f *file, dir string) {
	if b.Top = f.Top; b.Top == "" && !b.misread("top") {
		b.problem(ps, "top", "the key top is missing: name the design's top module")
	}
	if len(f.Sources) == 0 && !b.misread("sources") {
		b.problem(ps, "sources", "the key sources is missing: list the design's files, globs allowed")
	}
	for _, s := range f.Sources {
		path := absolute(dir, s)
		files, err := filepath.Glob(path)
		switch {
		case err != nil:
			b.problem(ps, "sources", "%s: not a pattern of file names: %v", s, err)
		case len(files) == 0:
			b.problem(ps, "sources", "%s: no such file", s)
		}
		slices.Sort(files)
		for _, x := range files {
			if fi, err := os.Stat(x); err == nil && fi.IsDir() {
				b.problem(ps, "sources", "%s: it is a folder; list its files, such as %s/*.sv", s, strings.TrimSuffix(s, "/"))
				continue
			}
			b.plain(ps, "sources", x)
			if !slices.Contains(b.Sources, x) {
				b.Sources = append(b.Sources, x)
			}
		}
	}
	for _, s := range f.Include {
		path := absolute(dir, s)
		if fi, err := os.Stat(path); err != nil || !fi.IsDir() {
			b.problem(ps, "include", "%s: no such folder", s)
		}
		b.plain(ps, "include", path)
		b.Include = append(b.Include, path)
	}
	b.Defines, b.PlusArgs, b.Flags, b.Parameters = f.Defines, f.PlusArgs, f.Flags, f.Parameters
	for _, d := range f.Defines {
		if name, _, _ := strings.Cut(d, "="); !identifier(name) {
			b.problem(ps, "defines", "%q: give NAME or NAME=VALUE", d)
		}
	}
	for _, a := range f.PlusArgs {
		if !strings.HasPrefix(a, "+") {
			b.problem(ps, "plusargs", "%q: each begins with +", a)
		}
	}
	for _, a := range f.Flags {
		if !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") {
			b.problem(ps, "verilator", "%q: not a flag; each begins with - or +", a)
		}
	}
	if text := badFlag(dir, f.Flags, 0); text != "" {
		b.problem(ps, "verilator", "%s", text)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Parameters)) {
		if v := f.Parameters[name]; b.Block != nil && identifier(v) && b.Block.Param(v) == nil {
			b.problem(ps, "parameters."+name, "%s is neither a number nor a parameter of block %s; a string needs quotes "+
				"within quotes: '\"%s\"'", v, b.Block.Name, v)
		}
	}
}

// plain checks that the build can handle a path. A folder is reported once for all its files.
func (b *Binding) plain(ps *Problems, key, path string) {
	if !strings.ContainsAny(path, launch.Unplain) {
		return
	}
	folder := filepath.Dir(path)
	if !strings.ContainsAny(folder, launch.Unplain) {
		folder = path
	}
	text := fmt.Sprintf("%q: the build cannot take spaces, quotes, $, #, : and other characters of the shell in a "+
		"path; rename it, or link to it from a folder without", folder)
	if !slices.ContainsFunc(*ps, func(p Problem) bool { return p.Text == text }) {
		b.problem(ps, key, "%s", text)
	}
}

func identifier(s string) bool { return s != "" && portName.FindString(s) == s }

// timing reads clock, reset and latency.
func (b *Binding) timing(ps *Problems, f *file) {
	oneOf := func(key, value string, all ...string) {
		if !slices.Contains(all, value) {
			b.problem(ps, key, "%s %q: give %s%s", key[strings.LastIndex(key, ".")+1:], value,
				strings.Join(all, " or "), meant(value, all))
		}
	}
	switch {
	case b.misread("clock") || f.Clocks != nil:
	case len(f.Clock) == 0 || f.Clock[0] == "":
		b.problem(ps, "clock", "the key clock is missing: name the design's clock port, a list of them, or none for a "+
			"design without one")
	case len(f.Clock) == 1 && f.Clock[0] == noPort:
	default:
		b.Clock, b.Clocks = f.Clock[0], append([]string(nil), f.Clock[1:]...)
	}
	b.Reset = Reset{None: f.Reset.None, High: f.Reset.Active == "high",
		Sync: f.Reset.Kind == "sync", Cycles: f.Reset.Cycles}
	if len(f.Reset.Port) > 0 {
		b.Reset.Port, b.Reset.More = f.Reset.Port[0], append([]string(nil), f.Reset.Port[1:]...)
	}
	switch {
	case b.misread("reset"):
	case b.Reset.None && f.Block != "" && f.Latency == string(Exact):
		b.problem(ps, "reset", "reset none: the contract of block %s has a reset, and latency exact holds the design to "+
			"it; name the reset, or give latency: elastic", f.Block)
	case b.Reset.None:
	case b.Reset.Port == "" && b.lines["reset"] > 0:
		b.problem(ps, "reset", "reset has no port: give {port: NAME, active: high or low, kind: async or sync}, or none "+
			"for a design without one")
	case b.Reset.Port == "":
		b.problem(ps, "reset", "the key reset is missing: give {port: NAME, active: high or low, kind: async or sync}, or "+
			"none for a design without one")
	default:
		oneOf("reset.active", f.Reset.Active, "high", "low")
		oneOf("reset.kind", f.Reset.Kind, "async", "sync")
	}
	b.Latency = Latency(f.Latency)
	oneOf("latency", f.Latency, "exact", "elastic")
	if b.Latency == Elastic && f.Block != "" && b.Block != nil && len(b.Block.StreamsOf(event.In)) > 1 && !b.Block.Turns &&
		f.Beats == nil {
		b.problem(ps, "latency", "block %s has several input streams and its answers depend on the cycle in which they "+
			"meet; give latency: exact", b.Block.Name)
	}
	if b.Order = f.Order; b.Order == "" {
		b.Order = "stream"
	}
	oneOf("order", b.Order, "stream", "context", "tag")
	if f.Order != "" && b.Latency == Exact {
		b.problem(ps, "order", "order %s: latency exact compares every cycle and has no order; leave it out, or give "+
			"latency: elastic", f.Order)
	}
	b.relax(ps, f)
	b.Key = f.Key
	some := func(is func(s *event.Stream, key *event.Field) bool) bool { // of the outputs with the key
		return slices.ContainsFunc(b.Block.StreamsOf(event.Out), func(s *event.Stream) bool {
			key := s.Field(f.Key)
			return key != nil && is(s, key)
		})
	}
	switch {
	case b.Order != "stream" && f.Key == "":
		b.problem(ps, "order", "order %s needs the key `key`: the output field that tells one %s from another", b.Order,
			b.Order)
	case b.Order == "stream" && f.Key != "":
		b.problem(ps, "key", "key %s: order stream has none; give order: context or order: tag", f.Key)
	case b.Order == "stream" || b.Block == nil:
	case !some(func(*event.Stream, *event.Field) bool { return true }):
		b.problem(ps, "key", "key %s: no output stream of block %s has that field", f.Key, b.Block.Name)
	case some(func(s *event.Stream, _ *event.Field) bool {
		return strings.TrimSpace(f.Map[s.Name+"."+f.Key]) == "none"
	}):
		b.problem(ps, "key", "key %s: it is mapped to none, and responses cannot be told apart by it; connect it, or give "+
			"order: stream", f.Key)
	case some(func(_ *event.Stream, key *event.Field) bool { return key.Mask+key.When != "" }):
		b.problem(ps, "key", "key %s: the schema gives it a mask, and responses cannot be told apart by what is not "+
			"compared; name another field, or give order: stream", f.Key)
	}
	number := func(key string, v *int, given, def int) {
		if *v = given; given == 0 {
			*v = def
		}
		told := slices.ContainsFunc(*ps, func(p Problem) bool { return p.Line > 0 && p.Line == b.lines[key] })
		switch {
		case given < 0 || given > 100_000_000:
			b.problem(ps, key, "%s: %d cycles is not in 1..100000000", key, given)
		case given == 0 && b.lines[key] > 0 && !told && !b.misread(key):
			b.problem(ps, key, "%s: 0 cycles is not in 1..100000000; without the key it is %d", key, def)
		}
	}
	number("flush", &b.Flush, f.Flush, DefaultFlush)
	number("patience", &b.Patience, f.Patience, DefaultPatience)
	number("reset.cycles", &b.Reset.Cycles, f.Reset.Cycles, DefaultResetCycles)
}

// ports reads the map and the ties.
func (b *Binding) ports(ps *Problems, f *file) {
	b.Map, b.Tie = map[string]Expr{}, map[string]Expr{}
	var odd []string // names of the design, which are asked for only where an expression cannot be read without them
	asked := false
	for _, name := range slices.Sorted(maps.Keys(f.Map)) {
		e, err := ParseExpr(f.Map[name])
		if err != nil && !asked && readable(b, *ps) {
			asked = true
			if m, err := b.Elaborate(context.Background()); err == nil {
				odd = m.oddNames()
			}
		}
		if err != nil && len(odd) > 0 {
			e, err = parseExpr(f.Map[name], odd)
		}
		if err != nil {
			b.problem(ps, "map."+name, "%s: %v", name, err)
			e.broken = true
		}
		b.Map[name] = e
	}
	for _, name := range slices.Sorted(maps.Keys(f.Tie)) {
		e, err := ParseExpr(f.Tie[name])
		if err == nil {
			if _, ok := e.Constant(1); !ok {
				err = fmt.Errorf("%q: a tie is a constant", e.Text)
			}
		}
		if err != nil {
			b.problem(ps, "tie."+name, "%s: %v", name, err)
			continue
		}
		b.Tie[name] = e
	}
	if b.Block == nil || b.misread("map") {
		return
	}
	all := refs(b.Block, b.Beats)
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Map)) {
		if !slices.Contains(names, name) {
			b.problem(ps, "map."+name, "%s: block %s has no such port%s", name, b.Block.Name, meant(name, names))
		}
	}
	for i := range all {
		b.mapped(ps, &all[i])
	}
	if len(b.Map) > 0 {
		b.nothing(ps)
	}
}

// mapped checks that a schema port is in the map, with an expression that is allowed for it.
func (b *Binding) mapped(ps *Problems, r *ref) {
	e, ok := b.Map[r.Name]
	valid := r.Name == r.Stream.Name+"_valid"
	what := bitsOf(r.Width)
	switch {
	case e.broken || !ok && b.misread("map."+r.Name):
	case !ok && valid:
		b.problem(ps, "map", "%s is not mapped: name the port that shows that a transfer is offered", r.Name)
	case !ok && r.Field == nil && r.In:
		b.problem(ps, "map", "%s is not mapped: name the design's input, or none when it has no ready there", r.Name)
	case !ok && r.Field == nil:
		b.problem(ps, "map", "%s is not mapped: name the design's output, or 1 when it is always ready", r.Name)
	case !ok:
		b.problem(ps, "map", "%s (%s) is not mapped: name its port, or none when the design has none", r.Name, what)
	case e.Timed != nil && (!valid || r.In):
		b.problem(ps, "map."+r.Name, "%s: %s is for the valid of an output stream", r.Name, e.Text)
	case e.Timed != nil && !b.Map[r.Stream.Name+"_ready"].None:
		b.problem(ps, "map."+r.Name, "%s: %s gives a response without a handshake; map %s_ready to none",
			r.Name, e.Text, r.Stream.Name)
	case e.Timed != nil && e.Timed.After != "" && !b.input(e.Timed.After):
		b.problem(ps, "map."+r.Name, "%s: %s: block %s has no input stream %s", r.Name, e.Text, b.Block.Name, e.Timed.After)
	case e.Timed != nil && e.Timed.Cycles > 0 && b.Latency == Exact && !b.SchemaOnly():
		b.problem(ps, "map."+r.Name, "%s: %s: latency exact holds the design to the contract's handshake; give latency: "+
			"elastic", r.Name, e.Text)
	case e.None && valid && r.In && b.timed(r.Stream.Name): // its inputs are looked at in every cycle
	case e.None && valid && r.In:
		b.problem(ps, "map."+r.Name, "%s cannot be none; give a port or a constant. Of a design without valid, give each "+
			"output valid as `after %s CYCLES`", r.Name, r.Stream.Name)
	case e.None && valid:
		b.problem(ps, "map."+r.Name, "%s cannot be none; give a port, a constant, `after STREAM CYCLES` or `on change`",
			r.Name)
	case e.None && r.Field == nil && !r.In:
		b.problem(ps, "map."+r.Name, "%s cannot be none; give a port or a constant", r.Name)
	case e.None && !r.In && r.Field != nil && r.Stream.Decides(r.Field.Name) != "":
		b.problem(ps, "map."+r.Name, "%s: the mask of %s depends on it, so it cannot be none; connect it, or take that "+
			"mask out of the schema",
			r.Name, r.Stream.Decides(r.Field.Name))
	case e.None && !r.In && b.Latency == Exact && !b.SchemaOnly():
		b.problem(ps, "map."+r.Name, "%s: none leaves it uncompared, and latency exact compares all; connect it, or give "+
			"latency: elastic", r.Name)
	}
}

// input reports whether the block has an input stream of that name.
func (b *Binding) input(name string) bool {
	s := b.Block.Stream(name)
	return s != nil && s.Dir == event.In
}

// timed reports whether an output is valid some cycles after an event of an input stream.
func (b *Binding) timed(stream string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(b.Map)), func(e Expr) bool {
		return e.Timed != nil && e.Timed.After == stream
	})
}

func bitsOf(n int) string {
	if n == 1 {
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", n)
}

// meant returns the hint for a misspelt name, or "".
func meant(name string, all []string) string {
	best, edits := "", len(name)/3+2
	for _, x := range all {
		if d := edit(strings.ToLower(name), strings.ToLower(x)); d < edits {
			best, edits = x, d
		}
	}
	if best == "" || best == name {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// edit counts the letters to insert, delete or replace to get from a to b.
func edit(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := diag
			if a[i-1] != b[j-1] {
				d++
			}
			diag, row[j] = row[j], min(row[j]+1, row[j-1]+1, d)
		}
	}
	return row[len(b)]
}

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

func controls(streams []*event.Stream, suffix string) string {
	var names []string
	for _, s := range streams {
		names = append(names, s.Name+suffix)
	}
	return strings.Join(names, ", ")
}
