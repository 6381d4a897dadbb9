package schema

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/stim"
)

// all returns every constraint of the stream.
func (o *stream) all() []*rule {
	all := make([]*rule, len(o.rules))
	for i := range o.rules {
		all[i] = &o.rules[i]
	}
	return all
}

// core returns a minimal set of constraints that fails together. All of them together must fail.
func (o *stream) core(fails func() bool) (core []*rule) {
	was := make([]bool, len(o.rules))
	for i := range o.rules {
		if was[i] = o.rules[i].off; was[i] {
			continue
		}
		o.rules[i].off = true
		if !fails() {
			o.rules[i].off = false
			core = append(core, &o.rules[i])
		}
	}
	for i := range o.rules {
		o.rules[i].off = was[i]
	}
	return core
}

// contradiction returns the error for constraints that no event can satisfy.
func (o *stream) contradiction() error {
	core := o.core(func() bool {
		return !o.possible()
	})
	where := o.memory.words()
	if len(core) == 1 {
		return fmt.Errorf("stimulus of %s: %s: no event satisfies it%s; loosen it, or the ranges of its fields", o.name,
			named(core), where)
	}
	return fmt.Errorf("stimulus of %s: %s: no event satisfies them together%s; loosen one of them, or the ranges of "+
		"their fields", o.name, named(core), where)
}

// possible resets the fields to the values that the enabled constraints allow in the current states. It returns false
// if none are left.
func (o *stream) possible() bool {
	for i := range o.fields {
		o.hulls[i].restore(o.fields[i].v)
	}
	o.memory.show()
	return o.narrow(o.all()) == nil
}

// rarity returns the error for constraints that no try satisfied.
func (o *stream) rarity() error {
	dst := make([]uint64, 0)
	for i := range o.fields {
		f := &o.fields[i]
		if n := f.slot.Word + (f.slot.Field.Width+63)/64 + 1; n > len(dst) {
			dst = make([]uint64, n)
		}
	}
	core := o.core(func() bool {
		r := stim.Seeded(1, o.name, "blame", 0)
		for range eventTries {
			if o.possible() && o.try(&r, dst) {
				return false
			}
		}
		return true
	})
	if len(core) == 0 { // it fails only sometimes: name what failed most
		worst := &o.rules[0]
		for i := range o.rules {
			if o.rules[i].failed > worst.failed {
				worst = &o.rules[i]
			}
		}
		core = []*rule{worst}
	}
	what := "it"
	if len(core) > 1 {
		what = "them together"
	}
	return fmt.Errorf("stimulus of %s: %s: %d tries gave no event that satisfies %s: none does, or few do; give the "+
		"fields ranges or weights close to what is asked for, or loosen it", o.name, named(core), eventTries, what)
}

// named lists constraints with their places.
func named(rules []*rule) string {
	var all []string
	for _, r := range rules {
		if r.drawn {
			all = append(all, fmt.Sprintf("%q", r.src.Text))
			continue
		}
		all = append(all, fmt.Sprintf("line %d:%d: constraint %q", r.src.Line, r.src.Col, r.Text))
	}
	return strings.Join(all, " and ")
}
