package explain

import (
	"context"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Failure is the failure to explain.
type Failure struct {
	Dir     string // folder of the schema, for the places of rules
	Block   *event.Block
	Formats *formats.Table // of intermediate values; nil for none
	Outputs []string       // that differ, such as rsp_cwnd

	// Player has begun the failing episode on a model of its own; nil if there is no model to ask.
	Player *play.Player
	Cycle  uint64 // the failing one
	// Stream is the output stream whose response differs, Number the place of its transfer since the last reset, from
	// 0. Kind is the name of the code of its event, "" if it is not known.
	Stream string
	Number int
	Kind   string
}

// Of returns the explanation. It is nil, without an error, for a block that has no table of rules.
func Of(ctx context.Context, f *Failure) (*report.Explanation, error) {
	book, err := contract.Open(f.Dir, f.Block)
	if err != nil {
		return nil, err
	}
	x := &report.Explanation{}
	d, err := f.decision(ctx, x)
	if err != nil {
		x.Note = "the model's steps are not known: " + err.Error()
	}
	if d != nil {
		f.state(x, d)
		f.steps(x, d)
		x.Note = d.Doubt
	}
	f.rules(x, d, book)
	return x, nil
}

// heard keeps the decisions of a model since the last reset.
type heard struct {
	play.Still
	p   *play.Player
	all map[string][]told
}

type told struct {
	*event.Decision
	cycle uint64
}

func (h *heard) Reset(uint64) { clear(h.all) }

// decision plays the episode up to the failing cycle and returns how the model came to the response; nil if the model
// does not explain its decisions.
func (f *Failure) decision(ctx context.Context, x *report.Explanation) (*event.Decision, error) {
	if f.Player == nil || f.Stream == "" {
		return nil, nil
	}
	m, ok := f.Player.Model.(event.Explainer)
	if !ok {
		return nil, nil
	}
	h := &heard{p: f.Player, all: map[string][]told{}}
	f.Player.Watch(h)
	m.Explain(func(d *event.Decision) { h.all[d.Stream] = append(h.all[d.Stream], told{d, h.p.Cycles}) })
	defer m.Explain(nil)
	if err := f.Player.Until(ctx, f.Cycle+1, nil); err != nil {
		return nil, err
	}
	all := h.all[f.Stream]
	if f.Number >= len(all) {
		return nil, fmt.Errorf("transfer %d of %s was not told, only %d", f.Number, f.Stream, len(all))
	}
	x.Issued = all[f.Number].cycle
	return all[f.Number].Decision, nil
}

// state fills in the words of the state that are not zero throughout.
func (f *Failure) state(x *report.Explanation, d *event.Decision) {
	x.Concern = d.Concern
	for i := range f.Block.Words {
		if i >= len(d.Before) || i >= len(d.After) {
			return
		}
		for k := range f.Block.Words[i].Fields {
			w := &f.Block.Words[i].Fields[k]
			was, is := word(w, d.Before[i]), word(w, d.After[i])
			if was.Sign() != 0 || is.Sign() != 0 {
				x.State = append(x.State, report.StateWord{Name: w.Name, Before: f.word(w, was), After: f.word(w, is)})
			}
		}
	}
}

func word(w *event.WordField, data uint64) *big.Int {
	v := data >> w.LSB & (1<<w.Width - 1)
	n := new(big.Int).SetUint64(v)
	if w.Signed && v>>(w.Width-1) != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(w.Width)))
	}
	return n
}

func (f *Failure) word(w *event.WordField, v *big.Int) string {
	if e := f.Block.Enum(w.Enum); e != nil {
		for _, x := range e.Values {
			if v.IsUint64() && x.Value == v.Uint64() {
				return x.Name
			}
		}
	}
	q, _ := formats.ParseFormat(w.Q)
	return number(v, int(q.Frac))
}

// number writes a value with its fraction bits, followed by the raw bits.
func number(v *big.Int, frac int) string {
	if frac == 0 {
		return v.String()
	}
	r := new(big.Rat).SetFrac(v, new(big.Int).Lsh(big.NewInt(1), uint(frac)))
	text := strings.TrimRight(strings.TrimRight(r.FloatString(9), "0"), ".")
	return fmt.Sprintf("%s (raw %s)", text, v)
}

func (f *Failure) steps(x *report.Explanation, d *event.Decision) {
	for i := range d.Steps {
		s := &d.Steps[i]
		x.Steps = append(x.Steps, report.Derived{Rule: s.Rule, Name: s.Name, Model: f.value(s), State: s.State,
			Raw: s.Value})
	}
}

// value writes a value in the format that the schema or the table has for its name.
func (f *Failure) value(s *event.Step) string {
	for i := range f.Block.Words {
		for k := range f.Block.Words[i].Fields {
			if w := &f.Block.Words[i].Fields[k]; s.State && w.Name == s.Name {
				return f.word(w, s.Value)
			}
		}
	}
	if f.Formats != nil {
		if v, ok := f.Formats.Lookup(s.Name); ok && v.Name == s.Name {
			return number(s.Value, int(v.Format.Frac))
		}
	}
	return s.Value.String()
}

// rules fills in the rule that gave the model its value. If the model does not explain it, it fills in the rules that
// may decide it. Each rule appears once, with all the outputs that it decides.
func (f *Failure) rules(x *report.Explanation, d *event.Decision, book *contract.Book) {
	add := func(output string, r *contract.Rule, by bool) {
		for i := range x.Rules {
			if t := &x.Rules[i]; t.Name == r.Name && t.By == by {
				t.Output += ", " + output
				return
			}
		}
		where := fmt.Sprintf("%s:%d", filepath.Join("vectors", "event", f.Block.Name, contract.TextFile), r.Line)
		t := report.RuleText{Output: output, Name: r.Name, Where: where, Text: strings.TrimSpace(r.Text), By: by}
		if d != nil && d.Places[r.Name] != "" {
			t.Deciding = passage(t.Text, d.Places[r.Name])
		} else {
			t.Deciding = rowsOf(t.Text, f.Kind)
		}
		x.Rules = append(x.Rules, t)
	}
	for _, output := range f.Outputs {
		if d != nil && len(d.By[output]) > 0 {
			for _, name := range d.By[output] {
				if r := book.Rule(name); r != nil {
					add(output, r, true)
				}
			}
			continue
		}
		for _, r := range book.Deciding(output, f.Kind) {
			add(output, r, false)
		}
	}
	rank := map[bool]int{true: 0, false: 1}
	slices.SortStableFunc(x.Rules, func(a, b report.RuleText) int { return rank[a.By] - rank[b.By] })
}

// passage returns the lines of a rule that place names: the row of a table that has it as its first cell, after the
// table's head, or the paragraph that begins with it. It is nil if there are none.
func passage(text, place string) []string {
	if rows := rows(text, func(cell string) bool { return cell == place }); rows != nil {
		return rows
	}
	lines := strings.Split(text, "\n")
	from := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, place) })
	if from < 0 {
		return nil
	}
	lines = lines[from:]
	if end := slices.Index(lines, ""); end >= 0 {
		lines = lines[:end]
	}
	return lines
}

// rowsOf returns the rows of a rule's tables whose first cell names a kind of event, such as "ACK, NACK, no hit", after
// the head of the table. It is nil if there are none.
func rowsOf(text, kind string) []string {
	if kind == "" {
		return nil
	}
	return rows(text, func(cell string) bool { return slices.Contains(strings.Split(cell, ", "), kind) })
}

// rows returns the rows of tables whose first cell is wanted, each table's after its head of two lines.
func rows(text string, wanted func(cell string) bool) (out []string) {
	var head []string
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		switch {
		case len(cells) < 3 || strings.TrimSpace(cells[0]) != "":
			head = nil
		case len(head) < 2:
			head = append(head, line)
		case wanted(strings.TrimSpace(cells[1])):
			if len(out) == 0 || !slices.Contains(out, head[0]) {
				out = append(out, head...)
			}
			out = append(out, line)
		}
	}
	return out
}
