package tolerance

import "fmt"

// Beyond names the values with rules that the response exceeds, each with its rule.
func (j *Judge) Beyond(r *Response) (texts []string) {
	j.Look(r)
	for k := range j.looks {
		l := &j.looks[k]
		rule := &j.Rules[l.rule]
		switch {
		case l.beyond && rule.Kind == Bounded:
			diff, _ := rule.difference(l.want, l.got)
			texts = append(texts, fmt.Sprintf("%s by %d LSB, where %s is allowed", rule.Name, diff, rule))
		case l.differs && rule.Kind == Flips:
			texts = append(texts, fmt.Sprintf("%s decided otherwise", rule.Name))
		}
	}
	return texts
}

// Part is a state word or register that differs.
type Part struct {
	Name, Want, Got string
	Diff            int64 // LSBs, got - want
}

// DataName returns the field that carries state words and registers, STREAM.FIELD; "" for none.
func (j *Judge) DataName() string {
	if j.Access.Data == nil {
		return ""
	}
	return j.Access.Data.Stream + "." + j.Access.Data.Field.Name
}

// Carried returns the state words, or the register, in which the answers to an event that reads them differ.
func (j *Judge) Carried(ev, want, got []uint64) (parts []Part) {
	a := j.Access
	var names []string
	switch {
	case a.HasWords && a.Kind.Get(ev) == a.Read:
		for _, w := range j.block.Words {
			if uint64(w.Addr) != a.Addr.Get(ev) {
				continue
			}
			for _, f := range w.Fields {
				names = append(names, string(Word)+"."+f.Name)
			}
		}
	case a.HasConf && a.Kind.Get(ev) == a.ReadConf:
		for _, r := range j.block.Registers {
			if uint64(r.Addr) == a.Addr.Get(ev) {
				names = append(names, string(Register)+"."+r.Name)
			}
		}
	}
	for _, name := range names {
		p, err := find(j.block, name)
		if err != nil {
			continue
		}
		r := Rule{Name: name, place: *p}
		w, g := r.bits(want), r.bits(got)
		if w == g {
			continue
		}
		diff, below := r.difference(w, g)
		n := int64(diff)
		if below {
			n = -n
		}
		parts = append(parts, Part{name, r.text(w, j), r.text(g, j), n})
	}
	return parts
}
