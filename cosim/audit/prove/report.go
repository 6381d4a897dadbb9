package prove

import (
	"fmt"
	"slices"
	"strings"
)

// String returns the verdict on one line.
func (v *Verdict) String() string {
	how := "for all time"
	switch {
	case v.Bounded():
		how = fmt.Sprintf("%d cycles", v.Depth)
	case v.Engine == Paths:
		how = "structural"
	}
	word := "proven"
	switch {
	case v.Disproved:
		word = "WRONG"
	case v.Failed != "":
		word = "OPEN"
	}
	s := fmt.Sprintf("%-6s %-28s %-6s %-12s %3d asserted %3d assumed %3d reached %2d twins fail %6.1f s", word, v.Name,
		v.Engine, how, v.Asserts, v.Assumes, v.Reached, v.Twins, v.Seconds)
	if v.Failed != "" {
		s += "\n       " + v.Failed
	}
	return s
}

// Summary counts verdicts.
type Summary struct {
	Groups []string
	count  map[string]*counts
}

type counts struct{ proven, bounded, wrong, open, twins int }

// Sum counts verdicts by group.
func Sum(all []Verdict) *Summary {
	s := &Summary{count: map[string]*counts{}}
	for i := range all {
		v := &all[i]
		c := s.count[v.Group]
		if c == nil {
			c = &counts{}
			s.count[v.Group] = c
			s.Groups = append(s.Groups, v.Group)
		}
		switch {
		case v.Disproved:
			c.wrong++
		case v.Failed != "":
			c.open++
		case v.Bounded():
			c.bounded++
		default:
			c.proven++
		}
		c.twins += v.Twins
	}
	slices.Sort(s.Groups)
	return s
}

// Proven returns how many rows of a group are proven for all time.
func (s *Summary) Proven(group string) int {
	if c := s.count[group]; c != nil {
		return c.proven
	}
	return 0
}

// String returns a table in Markdown.
func (s *Summary) String() string {
	var b strings.Builder
	b.WriteString("| group | proven | bounded | wrong | open | twins that fail |\n|---|---|---|---|---|---|\n")
	row := func(name string, c counts) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", name, c.proven, c.bounded, c.wrong, c.open, c.twins)
	}
	for _, g := range s.Groups {
		row(g, *s.count[g])
	}
	row("all", s.total())
	return b.String()
}

func (s *Summary) total() (all counts) {
	for _, c := range s.count {
		all.proven += c.proven
		all.bounded += c.bounded
		all.wrong += c.wrong
		all.open += c.open
		all.twins += c.twins
	}
	return all
}

// Code returns the exit code: 1 when a property does not hold, 2 when a row is open or none is proven.
func (s *Summary) Code() int {
	switch all := s.total(); {
	case all.wrong > 0:
		return 1
	case all.open > 0 || all.proven+all.bounded == 0:
		return 2
	}
	return 0
}
