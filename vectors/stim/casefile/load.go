package casefile

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Load compiles the case files *.txt of a folder in the order of their names.
func (d *Dialect) Load(files fs.FS, dir string) ([]Case, error) {
	names, err := fs.Glob(files, path.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("directed cases of %s: no case file in %s", d.Block.Name, dir)
	}
	var out []Case
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err == nil {
			out, err = d.Parse(out, path.Base(name), string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
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
	for i := range cases {
		c := &cases[i]
		out = append(out, stim.Case{Name: c.Name, About: c.About, Write: func(s *stim.Script) {
			placed := place(c, s.Params)
			for _, p := range placed {
				copy(s.Put(0, 0), p.Words)
			}
			s.Judge = newPlacedJudge(d.Block, c, placed)
			r := stim.Seeded(s.Seed, d.Block.Name, c.Name, 1)
			s.Drive.Idle, s.Drive.Stall = stim.DrawIdle(&r), stim.DrawStall(&r)
		}})
	}
	return out
}

// At returns the file and line of the event, for messages.
func (s *Step) At() string { return fmt.Sprintf("%s line %d", s.file, s.line) }
