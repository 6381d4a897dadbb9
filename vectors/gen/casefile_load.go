package gen

import (
	"fmt"
	"io/fs"
	"path"
)

// Load compiles the case files *.txt of a folder in the order of their names.
func (d *Dialect) Load(files fs.FS, dir string) ([]dcase, error) {
	names, err := fs.Glob(files, path.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("directed cases of %s: no case file in %s", d.Block.Name, dir)
	}
	var out []dcase
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

// copies is the number of contexts that play a case side by side.
const copies = 5

// placed is an event of a directed case in its place: its words, and what its response, or the state word it reads, must be.
type placed struct {
	words []uint64
	want  []dwant
	at    string  // file and line
	read  []dwant // expectations on data of a READ of this state word
}

// Cases returns the cases as a suite takes them: place lays one out over the contexts of a block with these
// parameters. Idles and back-pressure are drawn.
func Cases(d *Dialect, cases []dcase, place func(c *dcase, params map[string]int) []placed) (out []scriptCase) {
	for i := range cases {
		c := &cases[i]
		out = append(out, scriptCase{c.name, c.doc, func(s *script) {
			for _, p := range place(c, s.params) {
				copy(s.put(0, 0), p.words)
			}
			r := seeded(s.seed, d.Block.Name, c.name, 1)
			s.drive.Idle, s.drive.Stall = drawIdle(&r), drawStall(&r)
		}})
	}
	return out
}

// at returns where the event stands, for messages.
func (s *dstep) at() string { return fmt.Sprintf("%s line %d", s.file, s.line) }
