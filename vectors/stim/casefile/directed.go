package casefile

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Directed gathers the directed cases of a block: scenarios in the order of their files, and cases in Go between them.
// An S writes an episode.
type Directed[S any] struct {
	Scenarios []Scenario // that are not among All
	On        func(s *stim.Script) S
	Begin     func(s S, name string) // before what a case writes, if set
	End       func(s S)              // and after it
	All       []stim.Case
}

// Add adds a case.
func (c *Directed[S]) Add(name, about string, write func(s S)) {
	c.add(name, about, func(_ *stim.Script, s S) { write(s) })
}

// Text adds the next scenarios up to the one of that name; "" adds the rest. It panics if no remaining scenario has
// that name, because the files are part of the program.
func (c *Directed[S]) Text(upto string) {
	n := len(c.Scenarios)
	if upto != "" {
		n = 1 + slices.IndexFunc(c.Scenarios, func(x Scenario) bool { return x.Name == upto })
	}
	if n == 0 && upto != "" {
		panic(fmt.Sprintf("scenario %s: not among the remaining ones", upto))
	}
	for _, x := range c.Scenarios[:n] {
		c.add(x.Name, x.About, func(sc *stim.Script, _ S) { x.Write(sc) })
	}
	c.Scenarios = c.Scenarios[n:]
}

func (c *Directed[S]) add(name, about string, write func(sc *stim.Script, s S)) {
	c.All = append(c.All, stim.Case{Name: name, About: about, Write: func(sc *stim.Script) {
		s := c.On(sc)
		if c.Begin != nil {
			c.Begin(s, name)
		}
		write(sc, s)
		if c.End != nil {
			c.End(s)
		}
	}})
}

// Embedded returns a function that reads the files of the folder "directed" once, with read: Language.Read or
// Dialect.Load. It panics on an error, because the files are part of the program.
func Embedded[T any](files fs.FS, read func(files fs.FS, dir string) ([]T, error)) func() []T {
	return sync.OnceValue(func() []T {
		all, err := read(files, "directed")
		if err != nil {
			panic(err)
		}
		return all
	})
}

// FrameLength is a Language's Begin that sets a packet's length to that of its frame if the line does not give one.
func FrameLength() func(head string, fields map[string]uint64) {
	return func(head string, fields map[string]uint64) {
		if _, ok := fields["len"]; !ok && head == "packet" {
			fields["len"] = fields["frame_bytes"]
		}
	}
}
