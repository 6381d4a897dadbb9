package schemagen

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

func markdown(b *event.Block, l *event.Layout) []byte {
	t := new(text)
	t.p("<!-- %s -->", banner(b))
	t.p("# %s: fields\n", b.Name)
	t.p("%s. %s\n", strings.ToUpper(b.Title[:1])+b.Title[1:], strings.Join(strings.Fields(b.Doc), " "))
	t.p("Schema hash `%s`. Arithmetic, order and timing: [contract.md](contract.md).\n", b.Hash())
	if len(b.Params) > 0 {
		t.p("## Parameters\n\n| name | default | range | meaning |\n|---|---|---|---|")
		for _, p := range b.Params {
			r := fmt.Sprintf("%d to %d", p.Min, p.Max)
			if p.Pow2 {
				r += ", a power of two"
			}
			t.p("| %s | %d | %s | %s |", p.Name, p.Default, r, cell(p.Doc))
		}
	}
	if len(b.Constants) > 0 {
		t.p("\n## Constants\n\n| name | value | unit | meaning |\n|---|---|---|---|")
		for _, c := range b.Constants {
			t.p("| %s | %d | %s | %s |", c.Name, c.Value, c.Unit, cell(c.Doc))
		}
	}
	for _, e := range b.Enums {
		t.p("\n## Enum %s, %d bits\n\n%s.\n\n| code | name | meaning |\n|---|---|---|", e.Name, e.Width, e.Doc)
		for _, v := range e.Values {
			t.p("| %d | %s | %s |", v.Value, v.Name, cell(v.Doc))
		}
	}
	for _, s := range b.Streams {
		rec := &l.In
		if s.Dir == event.Out {
			rec = &l.Out
		}
		t.p("\n## Stream %s (%s)\n\n%s. Words and bits are those of the packed record of %d words.\n", s.Name,
			s.Dir, s.Doc, rec.Words)
		t.p("| field | bits | word | bit | format | unit | enum | meaning |\n|---|---|---|---|---|---|---|---|")
		for _, sl := range rec.Slots {
			if f := sl.Field; sl.Stream == s.Name {
				t.p("| %s | %d | %d | %d | %s | %s | %s | %s |", f.Name, f.Width, sl.Word, sl.Bit, form(f.Q, f.Signed),
					f.Unit, f.Enum, cell(f.Doc))
			}
		}
	}
	t.p("\n## Control bits of word 0\n\n| record | bit | name |\n|---|---|---|")
	for _, c := range l.In.Controls {
		t.p("| input | %d | %s |", c.Bit, c.Name)
	}
	for _, c := range l.Out.Controls {
		t.p("| output | %d | %s |", c.Bit, c.Name)
	}
	if len(b.Registers) > 0 {
		t.p("\n## Configuration registers\n\n| addr | name | bits | format | reset | unit | meaning " +
			"|\n|---|---|---|---|---|---|---|")
		for _, r := range b.Registers {
			t.p("| %d | %s | %d | %s | %d | %s | %s |", r.Addr, r.Name, r.Width, form(r.Q, false), r.Reset, r.Unit, cell(r.Doc))
		}
	}
	if len(b.Words) > 0 {
		t.p("\n## State words\n\n| addr | field | bits | format | unit | enum |\n|---|---|---|---|---|---|")
		for _, w := range b.Words {
			for _, f := range w.Fields {
				t.p("| %d | %s | %d:%d | %s | %s | %s |", w.Addr, f.Name, f.LSB+f.Width-1, f.LSB,
					form(f.Q, f.Signed), f.Unit, f.Enum)
			}
		}
	}
	return t.Bytes()
}

func form(q string, signed bool) string {
	switch {
	case q != "":
		return q
	case signed:
		return "signed"
	}
	return ""
}

// cell keeps a text from ending its table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
