package casefile

import (
	"fmt"
	"io/fs"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Load compiles the case files *.txt of a folder in the order of their names.
func (d *Dialect) Load(files fs.FS, dir string) (out []Case, err error) {
	err = eachText(files, dir, "directed cases of "+d.Block.Name, func(name, text string) (err error) {
		out, err = d.Parse(out, name, text)
		return err
	})
	return out, err
}

// Copies is the number of contexts that play a case side by side.
const Copies = 5

// Placed is a laid-out event of a directed case: its words, and what its response, or the state word it reads, must be.
type Placed struct {
	Words []uint64
	Want  []Want
	At    string // file and line
	Read  []Want // expectations of data in the answer to a READ of this state word
}

// Cases returns the cases for a suite. place lays one out over the contexts of a block with these parameters. Idles and
// back-pressure are drawn.
func Cases(d *Dialect, cases []Case, place func(c *Case, params map[string]int) []Placed) (out []stim.Case) {
	l := &Language{Block: d.Block, Answers: map[string]string{"ev": "rsp"}, lay: event.NewLayout(d.Block)}
	for i := range cases {
		c := &cases[i]
		out = append(out, stim.Case{Name: c.Name, About: c.About, Write: func(s *stim.Script) {
			placed := place(c, s.Params)
			for _, p := range placed {
				copy(s.Put(0, 0), p.Words)
			}
			l.judge(s, c, placed)
			r := stim.Seeded(s.Seed, d.Block.Name, c.Name, 1)
			s.Drive.Idle, s.Drive.Stall = stim.DrawIdle(&r), stim.DrawStall(&r)
		}})
	}
	return out
}

// judge gives a script the judge of a laid-out case.
func (l *Language) judge(s *stim.Script, c *Case, placed []Placed) {
	params, err := l.Block.Values(c.Params)
	if err != nil {
		panic(fmt.Sprintf("case %s of block %s: %v", c.Name, l.Block.Name, err)) // the files are part of the program
	}
	j := &Judge{lang: l, name: c.Name, script: s, size: params, steady: true}
	s.Judge = j
	for i, p := range placed {
		d := demand{at: p.At, item: i}
		for _, w := range p.Want {
			d.fields = append(d.fields, fieldDemand{slot: l.lay.Out.Slot("rsp", w.Name), want: w.Value, mask: ^uint64(0)})
		}
		if len(d.fields) > 0 {
			j.demand(d)
		}
		for _, w := range p.Read {
			j.demand(demand{at: fmt.Sprintf("case %s at the end: state %s", c.Name, w.Name), item: i, fields: []fieldDemand{
				{slot: l.lay.Out.Slot("rsp", "data"), want: w.Value, mask: ^uint64(0) >> (64 - w.width), shift: w.bit}}})
		}
	}
}
