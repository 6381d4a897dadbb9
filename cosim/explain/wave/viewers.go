package wave

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
	"github.com/goldwire/goldwire/vectors/event"
)

// row is a track as a viewer shows it.
type row struct {
	track  *vcd.Track
	enum   string // name of the enum of its codes, "" for none
	signed bool
	frac   int // fraction bits of its format
	hex    bool
	alias  string // shown for its name; "" for none
}

// group is a run of rows under a title.
type group struct {
	title string
	rows  []row
	open  bool
}

// groups returns what a viewer shows, from top to bottom: what differs first, all of the rest folded away.
func (w *Wave) groups() []group {
	top := group{title: "difference: 1 differs, 0 agrees, x is not compared", open: true,
		rows: []row{{track: w.any}, {track: w.text}}}
	for i := range w.outs {
		if o := &w.outs[i]; o.differed {
			top.rows = append(top.rows, row{track: o.differs, alias: o.name() + " differs"},
				o.row(o.track).as(o.name()+" expected"), o.row(o.got).as(o.name()+" design"))
		}
	}
	words := group{title: "events and responses in words", open: true}
	for _, t := range w.took {
		words.rows = append(words.rows, row{track: t})
	}
	for i := range w.gave[0] {
		words.rows = append(words.rows, row{track: w.gave[0][i]}, row{track: w.gave[1][i]})
	}
	all := []group{top, words}
	if w.concern != nil {
		g := group{title: "state", open: true, rows: []row{{track: w.concern}}}
		for i := range w.words {
			f := w.words[i].field
			g.rows = append(g.rows, row{track: w.words[i].track, enum: f.Enum, signed: f.Signed, frac: fraction(f.Q)})
		}
		all = append(all, g)
	}
	in, want, got, each := group{title: "inputs"}, group{title: "expected"}, group{title: "design"},
		group{title: "difference, each output"}
	for i := range w.ins {
		in.rows = append(in.rows, w.ins[i].row(w.ins[i].track))
	}
	for i := range w.outs {
		o := &w.outs[i]
		want.rows, got.rows = append(want.rows, o.row(o.track)), append(got.rows, o.row(o.got))
		each.rows = append(each.rows, row{track: o.differs})
	}
	return append(all, in, want, got, each)
}

// row shows a track of the part as the schema describes it.
func (p *part) row(t *vcd.Track) row {
	if p.slot == nil {
		return row{track: t}
	}
	f := &p.slot.Field
	return row{track: t, enum: f.Enum, signed: f.Signed, frac: fraction(f.Q), hex: f.Show != "" || f.Width > 64}
}

func (r row) as(alias string) row {
	r.alias = alias
	return r
}

// Flags of a trace in a save file of GTKWave.
const (
	flagHex, flagDec, flagBin, flagRight = 1 << 1, 1 << 2, 1 << 3, 1 << 5
	flagBlank, flagSigned                = 1 << 9, 1 << 10
	flagCollapsed, flagTranslate         = 1 << 12, 1 << 13
	flagClosed, flagBegin, flagEnd       = 1 << 22, 1 << 23, 1 << 24
	flagPoint                            = 1 << 30 // fraction bits of [fpshift_count]
)

func (r *row) flags() int {
	switch {
	case r.enum != "":
		return flagHex | flagRight | flagTranslate
	case r.track.Bits == 1:
		return flagBin | flagRight
	case r.track.Bits == 0 || r.hex:
		return flagHex | flagRight
	case r.frac > 0 && r.signed:
		return flagPoint | flagSigned | flagRight
	case r.frac > 0:
		return flagPoint | flagDec | flagRight
	case r.signed:
		return flagSigned | flagRight
	}
	return flagDec | flagRight
}

// The picture that a viewer opens with.
const (
	shownCycles = 24  // around the cursor
	shownWidth  = 950 // pixels
)

func (w *Wave) gtkwave(to io.Writer, f *Files, enums map[string]string, cursor uint64) error {
	b := bufio.NewWriter(to)
	full := func(path string) string {
		abs, err := filepath.Abs(path)
		if err != nil {
			return path
		}
		return abs
	}
	begin := w.first
	if cursor > w.first+shownCycles/2 {
		begin = cursor - shownCycles/2
	}
	fmt.Fprintf(b, "[*] %s\n[dumpfile] %q\n[savefile] %q\n", oneLine(w.Title), full(f.Wave), full(f.GTKWave))
	fmt.Fprintf(b, "[timestart] %d\n[size] 1600 1000\n[pos] -1 -1\n", begin*vcd.CycleTime)
	// The zoom is the logarithm to base 2 of the units of time in 200 pixels, negated. The marker is where the values of
	// the cycle have settled.
	zoom := math.Log2(shownCycles * vcd.CycleTime * 200.0 / shownWidth)
	fmt.Fprintf(b, "*%f %d%s\n", -zoom, cursor*vcd.CycleTime, strings.Repeat(" -1", 26))
	fmt.Fprintf(b, "[treeopen] %s.\n[sst_width] 200\n[signals_width] 440\n[sst_expanded] 0\n", root)
	filters := map[string]int{}
	for _, g := range w.groups() {
		closed, ends := 0, flagEnd|flagBlank
		if !g.open {
			closed, ends = flagClosed, ends|flagClosed|flagCollapsed
		}
		fmt.Fprintf(b, "@%x\n-%s\n", flagBegin|flagBlank|closed, g.title)
		for i := range g.rows {
			r := &g.rows[i]
			fmt.Fprintf(b, "@%x\n", r.flags())
			if r.flags()&flagPoint != 0 {
				fmt.Fprintf(b, "[fpshift_count] %d\n", r.frac)
			}
			if r.enum != "" {
				if filters[r.enum] == 0 {
					filters[r.enum] = len(filters) + 1
				}
				fmt.Fprintf(b, "^%d %s\n", filters[r.enum], full(enums[r.enum]))
			}
			if r.alias != "" {
				fmt.Fprintf(b, "+{%s} ", r.alias)
			}
			fmt.Fprintln(b, r.track.Path())
		}
		fmt.Fprintf(b, "@%x\n-%s\n", ends, g.title)
	}
	return b.Flush()
}

// surfer writes a file of commands that shows the open groups. The folded ones are in the list of scopes.
func (w *Wave) surfer(to io.Writer, f *Files, cursor uint64) error {
	b := bufio.NewWriter(to)
	abs, err := filepath.Abs(f.Wave)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "load_file %s\n", abs)
	for _, g := range w.groups() {
		if !g.open {
			continue
		}
		fmt.Fprintf(b, "divider_add %s\n", g.title)
		for i := range g.rows {
			t := g.rows[i].track
			fmt.Fprintf(b, "variable_add %s\n", strings.Join(append(append([]string{}, t.Scope...), t.Name), "."))
		}
	}
	fmt.Fprintf(b, "cursor_set %d\ngoto_cursor\n", cursor*vcd.CycleTime)
	return b.Flush()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Files are what Write has written.
type Files struct {
	Wave, GTKWave, Surfer string
}

// Write writes the wave to path, which ends in .vcd, with the signals of the design from its dump. Beside it, it writes
// the files that open it in a viewer with the cursor at a cycle. It returns an error if there is no cycle, or if a file
// cannot be written.
func (w *Wave) Write(path, dump string, cursor uint64) (*Files, error) {
	if !w.begun {
		return nil, fmt.Errorf("%s: it would show no cycle", path)
	}
	base := strings.TrimSuffix(path, ".vcd")
	f := &Files{Wave: path, GTKWave: base + ".gtkw", Surfer: base + ".sucl"}
	enums, err := w.enums(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		path string
		to   func(io.Writer) error
	}{
		{path, func(to io.Writer) error { return w.merge(to, dump) }},
		{f.GTKWave, func(to io.Writer) error { return w.gtkwave(to, f, enums, cursor) }},
		{f.Surfer, func(to io.Writer) error { return w.surfer(to, f, cursor) }},
	} {
		if err := write(x.path, x.to); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func write(path string, to func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := to(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

func (w *Wave) merge(to io.Writer, dump string) error {
	src, err := os.Open(dump)
	if err != nil {
		return err
	}
	defer src.Close()
	return vcd.Merge(to, src, &w.tracks, (w.last+1)*vcd.CycleTime)
}

// enums writes the codes of each enum as both viewers read them, and returns GTKWave's files by the enum's name.
func (w *Wave) enums(dir string) (map[string]string, error) {
	mappings, filters := filepath.Join(dir, ".surfer", "mappings"), filepath.Join(dir, "enums")
	for _, d := range []string{mappings, filters} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	out := map[string]string{}
	for i := range w.block.Enums {
		e := &w.block.Enums[i]
		name := w.block.Name + "." + e.Name
		out[e.Name] = filepath.Join(filters, name+".txt")
		if err := os.WriteFile(out[e.Name], filter(e), 0o644); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(mappings, name), mapping(name, e), 0o644); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// filter is a translation of GTKWave: the digits that it would show, in hexadecimal, and what it shows for them.
func filter(e *event.Enum) []byte {
	var b strings.Builder
	for _, v := range e.Values {
		fmt.Fprintf(&b, "%0*X %s\n", (e.Width+3)/4, v.Value, v.Name)
	}
	return []byte(b.String())
}

func mapping(name string, e *event.Enum) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Name = %s\nBits = %d\n", name, e.Width)
	for _, v := range e.Values {
		fmt.Fprintf(&b, "%d %s\n", v.Value, v.Name)
	}
	return []byte(b.String())
}
