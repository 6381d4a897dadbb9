package casefile

import (
	"fmt"
	"maps"

	"github.com/goldwire/goldwire/vectors/event"
)

// placedJudge compares the responses in a case of a block with contexts with the demands of the text. Responses come in
// the order of the events.
type placedJudge struct {
	block   *event.Block
	name    string
	params  map[string]int // the demands apply to these
	placed  []Placed
	in, out *event.Port
	data    *event.Slot // the data of a READ's answer
	rstN    uint64

	taken, given int // events accepted, responses seen
	wrong        []string
	compared     int
}

// newPlacedJudge returns the judge of a laid-out case.
func newPlacedJudge(b *event.Block, c *Case, placed []Placed) *placedJudge {
	lay := event.NewLayout(b)
	params, err := b.Values(c.Params)
	if err != nil {
		panic(fmt.Sprintf("case %s of block %s: %v", c.Name, b.Name, err)) // the files are part of the program
	}
	return &placedJudge{block: b, name: c.Name, params: params, placed: placed, in: &lay.Inputs()[0],
		out: &lay.Outputs()[0], data: lay.Out.Slot("rsp", "data"), rstN: lay.Reset()}
}

// Holds reports whether the demands apply to a block with these parameters.
func (j *placedJudge) Holds(params map[string]int) bool { return maps.Equal(params, j.params) }

// Wrong returns the number of wrong values so far.
func (j *placedJudge) Wrong() int { return len(j.wrong) }

// Cycle takes the records of the next cycle.
func (j *placedJudge) Cycle(in, out []uint64) {
	if in[0]&j.rstN == 0 {
		if j.taken > 0 {
			j.bad("case %s: a reset after %d of its events", j.name, j.taken)
			j.taken, j.given = 0, 0
		}
		return
	}
	if j.out.Moves(out, in) {
		if j.given == j.taken {
			j.bad("case %s: a response before its event", j.name)
		} else {
			j.compare(&j.placed[j.given], out)
			j.given++
		}
	}
	if !j.in.Moves(in, out) {
		return
	}
	if j.taken == len(j.placed) || !j.is(j.placed[j.taken].Words, in) {
		j.bad("case %s: event %d differs from the case", j.name, j.taken)
		return
	}
	j.taken++
}

// is reports whether the stream carries the event.
func (j *placedJudge) is(words, in []uint64) bool {
	for w := j.in.From; w < j.in.To; w++ {
		if (words[w]^in[w])&j.in.Mask[w] != 0 {
			return false
		}
	}
	return true
}

// compare compares a response.
func (j *placedJudge) compare(p *Placed, out []uint64) {
	for _, w := range p.Want {
		j.compared++
		if got := w.Get(out); got != w.Value {
			f := j.block.Stream("rsp").Field(w.Name)
			j.bad("%s: rsp.%s: want %s, got %s", p.At, w.Name, j.block.Format(f, w.Value), j.block.Format(f, got))
		}
	}
	for _, w := range p.Read {
		j.compared++
		if got := w.Get([]uint64{j.data.Get(out)}); got != w.Value {
			j.bad("case %s at the end: state %s: want %d, got %d", j.name, w.Name, w.Value, got)
		}
	}
}

func (j *placedJudge) bad(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// Verdict returns how many values were compared and a message for each wrong one, including missing responses.
func (j *placedJudge) Verdict() (compared int, wrong []string) {
	wrong = j.wrong
	if j.taken < len(j.placed) {
		wrong = append(wrong, fmt.Sprintf("case %s: %d of %d events were taken", j.name, j.taken, len(j.placed)))
	}
	if j.given < j.taken {
		wrong = append(wrong, fmt.Sprintf("case %s: %d of %d events were answered", j.name, j.given, j.taken))
	}
	if j.compared == 0 && len(wrong) == 0 {
		wrong = append(wrong, fmt.Sprintf("case %s: nothing was compared", j.name))
	}
	return j.compared, wrong
}
