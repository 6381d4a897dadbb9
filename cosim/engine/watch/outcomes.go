package watch

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// OutcomesKey is the key of the section of a run's Outcomes.
const OutcomesKey = "outcomes"

// Outcomes compares the model's answers in directed cases with those in their text, which were worked out by hand from
// the contract. If model and RTL share an error, they agree with each other but not with the text.
type Outcomes struct {
	play.Still
	params map[string]int

	judge   stim.Judge // of the episode; nil if its text has no answers
	episode string
	first   uint64 // cycle at which the episode began
	at      uint64 // cycle after the last one
	wrongAt uint64 // cycle of the first wrong answer, counted from 1; 0 for none
	found   []*Finding
	count   outcomesData
}

// outcomesData is what was judged.
type outcomesData struct {
	Cases     uint64 `json:"cases"`      // judged to their end
	Compared  uint64 `json:"compared"`   // values and packets
	Wrong     uint64 `json:"wrong"`      // of them
	OtherSize uint64 `json:"other_size"` // cases whose text holds for another size of the block
	Undemand  uint64 `json:"undemanded"` // cases that leave their answers to the model
}

// NewOutcomes returns the observer for a block with these parameters.
func NewOutcomes(params map[string]int) *Outcomes { return &Outcomes{params: params} }

// Begin begins an episode.
func (w *Outcomes) Begin(n uint64, ep *stim.Episode) {
	w.judge, w.episode, w.first, w.at, w.wrongAt = nil, ep.Name, n, n, 0
	switch {
	case ep.Judge == nil:
		w.count.Undemand++
	case !ep.Judge.Holds(w.params):
		w.count.OtherSize++
	default:
		w.judge = ep.Judge
	}
}

// Cycle takes one cycle.
func (w *Outcomes) Cycle(n uint64, in, out []uint64) {
	if w.judge == nil {
		return
	}
	w.at = n + 1
	w.judge.Cycle(in, out)
	if w.wrongAt == 0 && w.judge.Wrong() > 0 {
		w.wrongAt = n + 1
	}
}

// End takes the verdict on an episode that was played to its end.
func (w *Outcomes) End() {
	if w.judge == nil || w.at == w.first {
		return
	}
	compared, wrong := w.judge.Verdict()
	w.judge = nil
	w.count.Cases++
	w.count.Compared += uint64(compared)
	w.count.Wrong += uint64(len(wrong))
	if len(wrong) == 0 {
		return
	}
	at := w.at - w.first - 1
	if w.wrongAt > 0 {
		at = w.wrongAt - w.first - 1
	}
	f := &Finding{By: ByOutcomes, Episode: w.episode, At: at, Input: -1, Place: "in the text of the case",
		Text: "directed outcome: " + wrong[0], Fields: []report.Field{outcomeField(wrong[0])}}
	if n := len(wrong) - 1; n > 0 {
		f.Text += fmt.Sprintf(", and %d more", n)
	}
	w.found = append(w.found, f)
}

// outcomeField splits what a judge found into its parts: PLACE: FIELD: want X, got Y.
func outcomeField(text string) report.Field {
	f := report.Field{Name: "outcome", Want: "what the case demands", Got: text}
	head, values, ok := strings.Cut(text, ": want ")
	if want, got, both := strings.Cut(values, ", got "); ok && both {
		f.Want, f.Got = want, got
		f.Name = head
		if _, name, ok := strings.Cut(head, ": "); ok {
			f.Name = name
		}
	}
	return f
}

// Section returns what was judged.
func (w *Outcomes) Section() report.Section {
	c := w.count
	s := report.Section{Key: OutcomesKey, Title: "Directed cases against the answers worked out by hand",
		Lead: "directed outcomes", Data: c,
		Metrics: []report.Metric{{Name: "wrong_outcomes", What: "answers other than the text of a case demands",
			Value: float64(c.Wrong), Samples: c.Compared + c.Wrong, Bound: report.AtMost(0)}}}
	if c.Cases == 0 {
		s.Idle = fmt.Sprintf("no case of %d demands answers at this size of the block", c.Undemand+c.OtherSize)
	}
	text := fmt.Sprintf("%s of %s as their text demands", report.Plural(c.Compared, "value"),
		report.Plural(c.Cases, "case"))
	s.Lines = []report.Line{{Name: "directed outcomes", Text: text}}
	if o, _ := s.Outcome(); o == report.InBounds {
		s.Note = text + "."
	}
	return s
}

// Wrong returns a finding for each case with a wrong answer.
func (w *Outcomes) Wrong() []*Finding { return w.found }

// Judged returns how many cases were judged to their end.
func (w *Outcomes) Judged() uint64 { return w.count.Cases }
