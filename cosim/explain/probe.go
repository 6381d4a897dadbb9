package explain

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
	"github.com/goldwire/goldwire/cosim/report"
)

// staged matches the name of a signal that ends in its stage; _q is the register at the start of the stage.
var staged = regexp.MustCompile(`^(.*)_s(\d+)(_q)?$`)

// probe is a signal of the design that shows a value of the model.
type probe struct {
	step  int // of the explanation
	path  string
	id    string
	bits  int
	cycle uint64 // in which its stage has the event
}

// Probe adds the design's value to each value of an explanation for which the dump has a signal of that name. It adds
// none if the stage is outside the dump. Nor does it for a word of the state: the stored word counts, and no stage
// shows it.
func Probe(x *report.Explanation, dump string) error {
	r, done, err := vcd.Open(dump)
	if err != nil {
		return err
	}
	defer done()
	all := probes(x, r.Signals())
	for len(all) > 0 {
		at, ok, err := r.Next()
		if err != nil {
			return fmt.Errorf("%s: %w", dump, err)
		}
		if !ok {
			return nil
		}
		for i := range all {
			if p := &all[i]; at == p.cycle*vcd.CycleTime {
				p.show(&x.Steps[p.step], r.Value(p.id))
			}
		}
	}
	return nil
}

// probes returns the signal of the earliest stage for each value that has one. If there are several, it is the one
// highest in the design. A signal too narrow for the value is something else of the same name.
func probes(x *report.Explanation, signals []vcd.Signal) (all []probe) {
	for i := range x.Steps {
		s := &x.Steps[i]
		want := s.Raw
		if s.State || want == nil {
			continue
		}
		var those []probe
		for _, sig := range signals {
			path, ok := strings.CutPrefix(sig.Name, "TOP.")
			m := staged.FindStringSubmatch(path[strings.LastIndex(path, ".")+1:])
			if !ok || m == nil || m[1] != s.Name || want.BitLen() > sig.Bits {
				continue
			}
			if stage, err := strconv.ParseUint(m[2], 10, 16); err == nil {
				those = append(those, probe{step: i, path: path, id: sig.ID, bits: sig.Bits, cycle: x.Issued + stage})
			}
		}
		if len(those) > 0 {
			all = append(all, slices.MinFunc(those, func(a, b probe) int {
				return cmp.Or(cmp.Compare(a.cycle, b.cycle), strings.Count(a.path, ".")-strings.Count(b.path, "."),
					strings.Compare(a.path, b.path))
			}))
		}
	}
	return all
}

// show fills in what the design has, in raw bits.
func (p *probe) show(s *report.Derived, value string) {
	got, ok := new(big.Int).SetString(strings.TrimPrefix(value, "b"), 2)
	if !ok {
		return // it has no value there
	}
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(p.bits)), big.NewInt(1))
	s.Design, s.Probe = got.String(), p.path
	s.Differs = new(big.Int).And(s.Raw, mask).Cmp(got) != 0
}
