package casefile

import "fmt"

// Pages hands out scenarios in the order of their files, for blocks that play cases in Go between them.
type Pages struct {
	all []Scenario
	no  int
}

// PagesOf returns Pages of all scenarios.
func PagesOf(all []Scenario) *Pages { return &Pages{all: all} }

// Upto takes the next scenarios up to the one of that name; "" takes the rest. It panics if no remaining scenario has
// that name, because the files are part of the program.
func (p *Pages) Upto(name string) []Scenario {
	from := p.no
	for p.no < len(p.all) {
		p.no++
		if p.all[p.no-1].Name == name {
			return p.all[from:p.no]
		}
	}
	if name != "" {
		panic(fmt.Sprintf("scenario %s: not among the remaining ones", name))
	}
	return p.all[from:]
}
