package signals

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
)

// CycleTime is how many time units of a file make one cycle: the values settle in the first half and the clock rises
// in the second.
const CycleTime = vcd.CycleTime

// Parting is where two designs first differ.
type Parting struct {
	Cycle uint64 // since the start of the events
	// Signals are all that differ then, sorted, each with its path in the design.
	Signals []string
	// Lacking is how many signals only one of the designs has. They are not compared.
	Lacking int
}

// Compare returns where the designs of two files part, nil when they do not as far as both files go. It returns an
// error when a file cannot be read, or when the designs have no signal in common.
func Compare(a, b string) (*Parting, error) {
	x, closeX, err := vcd.Open(a)
	if err != nil {
		return nil, err
	}
	defer closeX()
	y, closeY, err := vcd.Open(b)
	if err != nil {
		return nil, err
	}
	defer closeY()
	pairs, lacking := paired(x, y)
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s and %s: the designs have no signal of the same name", a, b)
	}
	for {
		at, ok, err := x.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a, err)
		}
		also, okY, err := y.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b, err)
		}
		if !ok || !okY {
			return nil, nil
		}
		if at != also {
			return nil, fmt.Errorf("%s and %s: time %d in one is time %d in the other", a, b, at, also)
		}
		p := &Parting{Cycle: at / CycleTime, Lacking: lacking}
		for name, ids := range pairs {
			if x.Value(ids.a) != y.Value(ids.b) {
				p.Signals = append(p.Signals, name)
			}
		}
		if len(p.Signals) > 0 {
			slices.Sort(p.Signals)
			return p, nil
		}
	}
}

// pair is one signal in both files.
type pair struct{ a, b string }

// paired returns the signals that both files have, by name, and how many only one has.
func paired(x, y *vcd.Reader) (pairs map[string]pair, lacking int) {
	pairs = map[string]pair{}
	of := byName(y)
	for name, id := range byName(x) {
		if other, ok := of[name]; ok {
			pairs[name] = pair{id, other}
			delete(of, name)
		} else {
			lacking++
		}
	}
	return pairs, lacking + len(of)
}

func byName(v *vcd.Reader) map[string]string {
	out := map[string]string{}
	for _, x := range v.Signals() {
		out[strings.TrimPrefix(x.Name, "TOP.")] = x.ID
	}
	return out
}

// index matches the number of an instance of a generate loop, or of a word of a memory.
var index = regexp.MustCompile(`\[[^\]]*\]`)

// Ends of paths that name an input or output port, as the house style does, or a field of one.
var (
	input  = regexp.MustCompile(`_i(\.[^.]*)?$`)
	output = regexp.MustCompile(`_o(\.[^.]*)?$`)
)

// Origin returns the signal that stands for all that differ, without the numbers of instances and words, which depend
// on the events. A port only shows what drives it, an input port from afar, and of the others the one deepest in the
// design is nearest to the cause. Beside is the next such signal of the same rank, empty when there is none: faults
// that share an origin differ in it.
func (p *Parting) Origin() (origin, beside string) {
	port := func(s string) int {
		switch {
		case input.MatchString(s):
			return 2
		case output.MatchString(s):
			return 1
		}
		return 0
	}
	depth := func(s string) int { return strings.Count(s, ".") }
	var names []string
	for _, s := range p.Signals {
		names = append(names, index.ReplaceAllString(s, ""))
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(port(a)-port(b), depth(b)-depth(a), strings.Compare(a, b))
	})
	names = slices.Compact(names)
	if len(names) > 1 && port(names[1]) == port(names[0]) {
		beside = names[1]
	}
	return names[0], beside
}
