package run

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/report"
)

// tolerated returns the wanted record with the design's values where the tolerances accept them, and notes which values
// are beyond which rule.
func (e *answers) tolerated(m *report.Mismatch, f *elastic.Finding, want []uint64) []uint64 {
	r := tolerance.Response{Stream: f.Stream, Event: f.Event, Want: want, Got: f.Got, Read: f.After != nil,
		Mask: e.judge.Layout().Outputs()[f.Stream].Mask}
	if f.Text != elastic.Unheld {
		want = e.spec.Judge.Excuse(&r)
	}
	if rules := e.spec.Judge.Beyond(&r); len(rules) > 0 {
		m.AddNote("beyond the tolerances: " + strings.Join(rules, "; "))
	}
	return want
}

// words replaces the field data by the state words, or the register, that it carries and that differ.
func (e *answers) words(m *report.Mismatch, f *elastic.Finding, want []uint64) {
	if e.spec.Judge == nil || f.Event == nil {
		return
	}
	parts := e.spec.Judge.Carried(f.Event, want, f.Got)
	if len(parts) == 0 {
		return
	}
	var fields []report.Field
	data := strings.ReplaceAll(e.spec.Judge.DataName(), ".", "_")
	for _, x := range m.Fields {
		if x.Name != data {
			fields = append(fields, x)
			continue
		}
		for _, p := range parts {
			fields = append(fields, report.Field{Name: p.Name, Want: p.Want, Got: p.Got, DiffLSB: fmt.Sprintf("%+d", p.Diff)})
		}
	}
	m.Fields = fields
}
