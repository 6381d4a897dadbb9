package export

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "templates/*.tmpl"))

// bench is the data of the templates.
type bench struct {
	Block, Hash, Per, Source, Command string
	Seed                              string
	Records                           uint64
	InW, OutW                         int
	Transaction, Answers, Ours        bool // Ours: hdl/ holds RTL of the block
	Masked                            bool // mask.hex marks the bits that are compared
	InControls, OutControls           []benchControl
	Streams, Outputs                  []benchStream
	Gaps                              []benchField // unused bits of an output word
	Enums                             []benchEnum
	Params                            []benchParam
	Timeout, Flush                    int
	Reset                             int // bit of rst_n
}

type benchControl struct {
	Name, Const string
	Bit         int
}

type benchStream struct {
	Name, Const, Doc string
	Dir              event.Dir
	In               bool
	ValidBit         int    // of its side's word
	ReadyBit         int    // of the other's
	Valid            uint64 // records in which an output stream is valid
	Fields           []benchField
}

type benchField struct {
	Stream, Name, Const, Range, Enum string
	LSB, Width                       int
	Signed                           bool
}

// Decimal reports whether every simulator prints the field as a decimal.
func (f benchField) Decimal() bool { return f.Width <= 64 }

// Number returns the expression of the field in a word, signed where the field is.
func (f benchField) Number(word string) string {
	s := fmt.Sprintf("%s[%d +: %d]", word, f.LSB, f.Width)
	if f.Signed {
		return "$signed(" + s + ")"
	}
	return s
}

// Bits returns the field's index in VHDL: one of a bit, a slice of a vector.
func (f benchField) Bits() string {
	if f.Width == 1 {
		return fmt.Sprint(f.LSB)
	}
	return f.Slice()
}

// Slice returns the field's slice in VHDL.
func (f benchField) Slice() string { return fmt.Sprintf("%d downto %d", f.LSB+f.Width-1, f.LSB) }

type benchEnum struct {
	Name, Const string
	Width, Top  int
	Values      []event.EnumValue
}

type benchParam struct {
	Name  string
	Value int
}

// How long the bench waits: longer than any sweep of 65,536 rows, and longer than a pipeline takes to drain.
const (
	benchTimeout = 200_000
	benchFlush   = 200
)

func (x *exporter) bench() *bench {
	h, t := x.r.Header(), x.r.Totals()
	v := &bench{Block: x.b.Name, Hash: h.SchemaHash, Per: h.Per, Source: h.Source, Seed: h.SeedText(), Records: t.Records,
		Command: "goldwire " + strings.Join(h.Args, " "), InW: 64 * x.l.In.Words, OutW: 64 * x.l.Out.Words,
		Transaction: h.Per == format.PerTransaction, Answers: h.Pairing == format.PairAnswers, Timeout: benchTimeout,
		Flush: benchFlush}
	v.Masked, v.Reset = x.masks != nil, bitOf(&x.l.In, "rst_n")
	v.Ours = !slices.Contains(h.Args, "--dut") && !slices.Contains(h.Args, "--schema")
	for _, c := range x.l.In.Controls {
		v.InControls = append(v.InControls, benchControl{c.Name, strings.ToUpper(c.Name), c.Bit})
	}
	for _, c := range x.l.Out.Controls {
		v.OutControls = append(v.OutControls, benchControl{c.Name, strings.ToUpper(c.Name), c.Bit})
	}
	used := make([]bool, v.OutW)
	for i := range x.l.Out.Controls {
		used[i] = true
	}
	for i := range x.b.Streams {
		s := &x.b.Streams[i]
		r, other := &x.l.Out, &x.l.In
		if s.Dir == event.In {
			r, other = &x.l.In, &x.l.Out
		}
		bs := benchStream{Name: s.Name, Const: strings.ToUpper(s.Name), Doc: oneLine(s.Doc), Dir: s.Dir,
			In: s.Dir == event.In, ValidBit: bitOf(r, s.Name+"_valid"), Valid: x.valid[s.Name]}
		bs.ReadyBit = bitOf(other, s.Name+"_ready")
		for _, slot := range r.Slots {
			if slot.Stream != s.Name {
				continue
			}
			f := benchField{Stream: s.Name, Name: slot.Field.Name, Const: bs.Const + "_" + strings.ToUpper(slot.Field.Name),
				Enum: slot.Field.Enum, LSB: 64*slot.Word + slot.Bit, Width: slot.Field.Width, Signed: slot.Field.Signed}
			if f.Width > 1 {
				f.Range = fmt.Sprintf("[%d:0] ", f.Width-1)
			}
			bs.Fields = append(bs.Fields, f)
			if !bs.In {
				for b := range f.Width {
					used[f.LSB+b] = true
				}
			}
		}
		v.Streams = append(v.Streams, bs)
		if !bs.In {
			v.Outputs = append(v.Outputs, bs)
		}
	}
	for i := 0; i < len(used); i++ {
		if used[i] {
			continue
		}
		n := 1
		for i+n < len(used) && !used[i+n] {
			n++
		}
		v.Gaps = append(v.Gaps, benchField{LSB: i, Width: n})
		i += n
	}
	for _, e := range x.b.Enums {
		v.Enums = append(v.Enums, benchEnum{e.Name, strings.ToUpper(e.Name), e.Width, e.Width - 1, e.Values})
	}
	for _, p := range x.b.Params {
		v.Params = append(v.Params, benchParam{p.Name, h.Params[p.Name]})
	}
	return v
}

// bitOf returns the bit of a control in a record, -1 for none.
func bitOf(r *event.Record, name string) int {
	for _, c := range r.Controls {
		if c.Name == name {
			return c.Bit
		}
	}
	return -1
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sv writes the memory images and a bench that plays them. The images come first, because only then is the number of
// records known.
func (x *exporter) sv() error {
	return x.playable([][2]string{{"pkg.sv", x.b.Name + "_vec_pkg.sv"}, {"dut.sv", x.b.Name + "_vec_dut.sv"},
		{"tb.sv", x.b.Name + "_vec_tb.sv"}, {"readme.md", "README.md"}})
}

// vhdl is sv for VHDL.
func (x *exporter) vhdl() error {
	return x.playable([][2]string{{"pkg.vhd", x.b.Name + "_vec_pkg.vhd"}, {"dut.vhd", x.b.Name + "_vec_dut.vhd"},
		{"tb.vhd", x.b.Name + "_vec_tb.vhd"}, {"readme.vhd", "README.md"}})
}

// playable writes the memory images and a bench, of templates and names of files.
func (x *exporter) playable(files [][2]string) error {
	if err := x.memory(); err != nil {
		return err
	}
	v := x.bench()
	checked := uint64(0) // cycles of a reset check nothing
	for _, o := range v.Outputs {
		checked += x.r.Totals().Transfers[o.Name]
	}
	if checked == 0 {
		return fmt.Errorf("bench of block %s: no response in %d records, so it would check nothing; give a file with "+
			"responses", v.Block, v.Records)
	}
	if x.masks != nil {
		for _, c := range x.masks.Counts() {
			if c.Total > 0 && c.Hidden == c.Total {
				return fmt.Errorf("bench of block %s: the mask of %s hides all %d bits of it, so it would check "+
					"nothing of it; check the mask in the schema, or give a file with more records", v.Block, c.Name, c.Total)
			}
		}
	}
	for _, f := range files {
		var s strings.Builder
		if err := templates.ExecuteTemplate(&s, f[0]+".tmpl", v); err != nil {
			return fmt.Errorf("template %s: %w", f[0], err)
		}
		if err := x.text(f[1], s.String()); err != nil {
			return err
		}
	}
	return nil
}
