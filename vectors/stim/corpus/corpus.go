package corpus

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/stim"
)

// SourceName is the source that plays a corpus, and the first part of its case names.
const SourceName = "guided"

// Case is one short episode.
type Case struct {
	Name  string // guided/N
	Seed  uint64 // of the driver; with the name it decides when the gates close
	Drive stim.DriveSpec
	Items []stim.Item
}

// Events returns the number of events. Items that continue a packet on their stream do not count.
func (c *Case) Events() int {
	n, inside := 0, map[int]bool{}
	for i := range c.Items {
		it := &c.Items[i]
		if !inside[it.Lane] {
			n++
		}
		inside[it.Lane] = it.More
	}
	return n
}

// Episode returns the case as an episode of a block.
func (c *Case) Episode(block string) *stim.Episode {
	return stim.Recorded(c.Name, block, c.Seed, c.Drive, c.Items)
}

// Corpus is a list of cases for a block of one size.
type Corpus struct {
	Block  string
	Schema string // hash of the block's schema
	Params map[string]int
	Cases  []Case
}

// Events returns the events of all cases.
func (c *Corpus) Events() (n int) {
	for i := range c.Cases {
		n += c.Cases[i].Events()
	}
	return n
}

// Completed returns the number of events in all cases that a block completes: it leaves out packets that a case breaks
// off.
func (c *Corpus) Completed() (n int) {
	for i := range c.Cases {
		for k := range c.Cases[i].Items {
			if !c.Cases[i].Items[k].More {
				n++
			}
		}
	}
	return n
}

// Open returns the cases as a source, or only the case of that name; "" takes all. It errors when the case is missing
// or when the corpus was made for other parameters.
func (c *Corpus) Open(name string, params map[string]int) (stim.Source, error) {
	for p, v := range c.Params {
		if params[p] != v {
			return nil, fmt.Errorf("source %s: the corpus was made for %s=%d, the design has %d; make one for this size",
				SourceName, p, v, params[p])
		}
	}
	cases := c.Cases
	if name != "" && name != SourceName {
		cases = nil
		for i := range c.Cases {
			if c.Cases[i].Name == name {
				cases = c.Cases[i : i+1]
			}
		}
		if cases == nil {
			return nil, fmt.Errorf("source %s: the corpus has no case %s; its cases are %s to %s", SourceName,
				strings.TrimPrefix(name, SourceName+"/"), c.Cases[0].Name, c.Cases[len(c.Cases)-1].Name)
		}
	}
	return &source{block: c.Block, cases: cases}, nil
}

// source plays cases in order.
type source struct {
	block string
	cases []Case
}

// Next returns the next case.
func (s *source) Next() (*stim.Episode, bool) {
	if len(s.cases) == 0 {
		return nil, false
	}
	ep := s.cases[0].Episode(s.block)
	s.cases = s.cases[1:]
	return ep, true
}

// Err returns nil: the corpus was read in advance.
func (s *source) Err() error { return nil }

// Close does nothing.
func (s *source) Close() {}
