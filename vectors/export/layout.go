package export

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

//go:embed goldwire_vectors.py
var pythonReader string

// layoutTable returns the table of bits as Markdown.
func (x *exporter) layoutTable() string {
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	h, t := x.r.Header(), x.r.Totals()
	p("# %s: meaning of the bits of in.hex and out.hex\n", x.b.Name)
	p("Schema %s, source %s, seed %s, %d records, one per %s. Line n of both files, from 0, is record n.", h.SchemaHash,
		h.Source, h.SeedText(), t.Records, h.Per)
	if h.Per == format.PerTransaction {
		p("\nA record is a transaction without time: the valid bits say which streams carry something. If rst_n is 0,")
		p("the block has answered all earlier events and is reset before this transaction.")
	} else {
		p("\nA record is a clock cycle: the inputs, and the outputs sampled just before the edge that ends it. Fields of an")
		p("output stream are compared when its valid is 1.")
	}
	side := func(file string, r *event.Record) {
		p("\n## %s: $readmemh words of %d bits\n", file, 64*r.Words)
		p("| bits | width | name | format | unit | meaning |\n|---|---|---|---|---|---|")
		for _, c := range r.Controls {
			if h.Per == format.PerTransaction && strings.HasSuffix(c.Name, "_ready") {
				p("| %d | 1 | %s | | | 0 |", c.Bit, c.Name)
				continue
			}
			p("| %d | 1 | %s | | | |", c.Bit, c.Name)
		}
		for _, f := range r.Slots {
			form := f.Field.Q
			switch {
			case f.Field.Enum != "":
				form = "enum " + f.Field.Enum
			case form == "" && f.Field.Signed:
				form = "signed"
			}
			lsb := 64*f.Word + f.Bit
			p("| %d:%d | %d | %s.%s | %s | %s | %s |", lsb+f.Field.Width-1, lsb, f.Field.Width, f.Stream, f.Field.Name,
				form, f.Field.Unit, f.Field.Doc)
		}
	}
	side("in.hex", &x.l.In)
	side("out.hex", &x.l.Out)
	for _, e := range x.b.Enums {
		p("\n## enum %s\n\n| code | name | meaning |\n|---|---|---|", e.Name)
		for _, v := range e.Values {
			p("| %d | %s | %s |", v.Value, v.Name, v.Doc)
		}
	}
	return s.String()
}

type jsonField struct {
	Name   string `json:"name"`
	LSB    int    `json:"lsb"`
	Width  int    `json:"width"`
	Signed bool   `json:"signed,omitempty"`
	Enum   string `json:"enum,omitempty"`
	Q      string `json:"q,omitempty"` // fixed-point format: UQm.n, or Qm.n with the sign in m
	Unit   string `json:"unit,omitempty"`
	Valid  string `json:"valid,omitempty"` // control bit without which the field is meaningless
}

// layoutJSON returns the same information for programs.
func (x *exporter) layoutJSON() (string, error) {
	h := *x.r.Header()
	h.Schema = ""
	fields := func(r *event.Record) (out []jsonField) {
		for _, c := range r.Controls {
			out = append(out, jsonField{Name: c.Name, LSB: c.Bit, Width: 1})
		}
		for _, f := range r.Slots {
			out = append(out, jsonField{f.Stream + "." + f.Field.Name, 64*f.Word + f.Bit, f.Field.Width, f.Field.Signed,
				f.Field.Enum,
				f.Field.Q, f.Field.Unit, f.Stream + "_valid"})
		}
		return out
	}
	return encoded(struct {
		Header *format.Header               `json:"header"`
		Totals format.Totals                `json:"totals"`
		In     []jsonField                  `json:"in"`
		Out    []jsonField                  `json:"out"`
		Enums  map[string]map[string]string `json:"enums"`
	}{&h, x.r.Totals(), fields(&x.l.In), fields(&x.l.Out), x.enums()})
}

// enums returns the names of the codes of each enum.
func (x *exporter) enums() map[string]map[string]string {
	enums := map[string]map[string]string{}
	for _, e := range x.b.Enums {
		enums[e.Name] = map[string]string{}
		for _, v := range e.Values {
			enums[e.Name][fmt.Sprint(v.Value)] = v.Name
		}
	}
	return enums
}

func encoded(v any) (string, error) {
	var s strings.Builder
	enc := json.NewEncoder(&s)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(v)
	return s.String(), err
}

// jsonColumn is one column of a table, or one key of an object.
type jsonColumn struct {
	Name   string `json:"name"`
	Dir    string `json:"dir"` // in or out, seen from the block
	Width  int    `json:"width"`
	Signed bool   `json:"signed,omitempty"`
	Q      string `json:"q,omitempty"`
	Unit   string `json:"unit,omitempty"`
	Enum   string `json:"enum,omitempty"`
	Form   string `json:"form"` // decimal; hex: 0x and digits; code: a name of the enum, or decimal
	Doc    string `json:"doc,omitempty"`
}

// columns writes the description of a table's values: a decimal alone does not show where its binary point is.
func (x *exporter) columns(t *Table) error {
	h := *x.r.Header()
	h.Schema = ""
	var all []jsonColumn
	for i := range t.Columns {
		c := &t.Columns[i]
		f := &c.slot.Field
		form := "decimal"
		switch {
		case c.hex:
			form = "hex"
		case c.names != nil:
			form = "code"
		}
		all = append(all, jsonColumn{c.Name, string(c.Dir), f.Width, f.Signed, f.Q, f.Unit, f.Enum, form, oneLine(f.Doc)})
	}
	text, err := encoded(struct {
		Header  *format.Header               `json:"header"`
		Totals  format.Totals                `json:"totals"`
		Columns []jsonColumn                 `json:"columns"`
		Enums   map[string]map[string]string `json:"enums"`
	}{&h, x.r.Totals(), all, x.enums()})
	if err != nil {
		return err
	}
	return x.text(x.b.Name+".columns.json", text)
}
