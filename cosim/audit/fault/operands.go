package fault

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// width returns the number of bits of an assignable expression; 0 when its bounds are not plain numbers.
func (u *mutator) width(n *sv.Node) int {
	switch n.Kind {
	case sv.Name:
		if s := u.m.Signals[n.Text]; s != nil && !s.Unpacked {
			return s.Width
		}
		w, _ := u.member(n.Text)
		return w
	case sv.Index:
		s := u.m.Signals[n.Kids[0].Text]
		switch {
		case s == nil:
			return 0
		case s.Unpacked:
			return s.Width
		}
		return 1
	case sv.Part:
		a, okA := plain(n.Kids[1])
		b, okB := plain(n.Kids[2])
		switch {
		case n.Op == ":" && okA && okB:
			return a - b + 1
		case n.Op != ":" && okB:
			return b
		}
	case sv.Concat:
		sum := 0
		for _, k := range n.Kids {
			w := u.width(k)
			if w == 0 {
				return 0
			}
			sum += w
		}
		return sum
	}
	return 0
}

// member returns the width of x.y for a signal x of a struct type, and the type.
func (u *mutator) member(name string) (int, string) {
	v, field, ok := strings.Cut(name, ".")
	s := u.m.Signals[v]
	if !ok || s == nil {
		return 0, ""
	}
	return u.d.members[s.Type][field], s.Type
}

// bits holds the bits of a value that the text alone determines.
type bits struct{ zeros, ones uint64 }

// known returns the bits that the text of an expression determines: those of constants and of constant parts of a
// concatenation.
func (u *mutator) known(n *sv.Node) bits {
	switch n.Kind {
	case sv.Paren:
		return u.known(n.Kids[0])
	case sv.Num:
		switch v, _, ok := number(n.Text); {
		case n.Text == "'0":
			return bits{zeros: ^uint64(0)}
		case n.Text == "'1":
			return bits{ones: ^uint64(0)}
		case ok:
			return bits{^v, v} // an assignment extends it with zeros
		}
	case sv.Name:
		if c, ok := u.d.consts[n.Text]; ok && c.width > 0 {
			return bits{^uint64(c.value), uint64(c.value)}
		}
	case sv.Concat:
		out, at := bits{}, 0
		for i := len(n.Kids) - 1; i >= 0; i-- { // starting at the lowest bit
			k := n.Kids[i]
			w := u.width(k)
			if _, lw, ok := number(k.Text); k.Kind == sv.Num && ok {
				w = lw
			}
			if w == 0 || at+w > 64 {
				return out
			}
			part, mask := u.known(k), ^uint64(0)>>(64-w)
			out.zeros |= part.zeros & mask << at
			out.ones |= part.ones & mask << at
			at += w
		}
		if at < 64 {
			out.zeros |= ^uint64(0) << at
		}
		return out
	}
	return bits{}
}

// number returns the value and the width of a literal that has both.
func number(text string) (v uint64, w int, ok bool) {
	f := literal.FindStringSubmatch(text)
	if f == nil {
		return 0, 0, false
	}
	w, _ = strconv.Atoi(f[1])
	base := map[string]int{"b": 2, "d": 10, "h": 16}[f[2]]
	v, err := strconv.ParseUint(strings.ReplaceAll(f[3], "_", ""), base, 64)
	return v, w, err == nil && w >= 1 && w <= 64
}

// plain returns the value of a node that is a number without a base.
func plain(n *sv.Node) (int, bool) {
	if n.Kind != sv.Num {
		return 0, false
	}
	v, err := strconv.Atoi(n.Text)
	return v, err == nil
}

var literal = regexp.MustCompile(`^(\d+)'([bdh])([0-9a-fA-F_]+)$`)

// number plants neighbours of a constant with a width. A number without a width is a position in a selection or a loop,
// which is handled there.
func (u *mutator) number(n *sv.Node) {
	switch n.Text {
	case "'0":
		u.add(opConst, n.Start, n.End, "'1")
		return
	case "'1":
		u.add(opConst, n.Start, n.End, "'0")
		return
	}
	v, w, ok := number(n.Text)
	if !ok {
		return
	}
	mask := ^uint64(0) >> (64 - w)
	for _, x := range []uint64{(v + 1) & mask, (v - 1) & mask} {
		letter := "d"
		if w == 1 {
			letter = "b"
		}
		u.add(opConst, n.Start, n.End, fmt.Sprintf("%d'%s%d", w, letter, x))
	}
}

// name plants another signal or another constant of the same kind.
func (u *mutator) name(n *sv.Node) {
	if c, ok := u.d.consts[n.Text]; ok {
		u.constant(n, c)
		return
	}
	if w, typ := u.member(n.Text); w > 0 {
		v, field, _ := strings.Cut(n.Text, ".")
		for _, other := range slices.Sorted(maps.Keys(u.d.members[typ])) {
			if other != field && u.d.members[typ][other] == w {
				u.add(opSignal, n.Start, n.End, v+"."+other)
			}
		}
		return
	}
	s := u.m.Signals[n.Text]
	if s == nil || s.Unpacked || s.Type != "logic" || strings.HasPrefix(s.Name, "rst") {
		return
	}
	for _, other := range u.m.Order {
		o := u.m.Signals[other]
		if other != n.Text && o.Type == s.Type && o.Dims == s.Dims && !o.Unpacked && u.mayRead(other) {
			before := len(u.out)
			u.add(opSignal, n.Start, n.End, other)
			if len(u.out) > before {
				u.out[before].alias = u.same(n.Text, other)
			}
		}
	}
}

// same reports whether one of two signals is always assigned the other as a whole.
func (u *mutator) same(a, b string) bool {
	for _, s := range u.m.Sites {
		if s.Kind != sv.Assign || s.LHS == nil || s.Expr.Kind != sv.Name {
			continue
		}
		if to, from := u.m.Of(s.LHS), s.Expr.Text; (to == a && from == b) || (to == b && from == a) {
			return true
		}
	}
	return false
}

var stage = regexp.MustCompile(`_s(\d+)(?:_|$)`)

// mayRead reports whether a signal can be used at this site without closing a combinational loop. In a clocked process
// every signal can; elsewhere registers and inputs can and, at a port, signals with another stage in their name.
func (u *mutator) mayRead(name string) bool {
	if strings.HasPrefix(name, "unused") || strings.HasPrefix(name, "clk") || strings.HasPrefix(name, "rst") {
		return false
	}
	if u.s.LHS != nil && u.m.Of(u.s.LHS) == name {
		return false // that equals a hold
	}
	if u.s.Clocked || strings.HasSuffix(name, "_q") || u.m.Signals[name].Input {
		return true
	}
	if u.s.Kind != sv.Port {
		return false
	}
	here, there := stage.FindStringSubmatch(u.s.Port), stage.FindStringSubmatch(name)
	return here != nil && there != nil && here[1] != there[1]
}

// constant plants another code of the same group and width.
func (u *mutator) constant(n *sv.Node, c constant) {
	if c.width == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(u.d.consts)) {
		o := u.d.consts[name]
		if o.group == c.group && o.width == c.width && o.value != c.value {
			u.add(opCode, n.Start, n.End, name)
		}
	}
}

// selection plants neighbours of an index or a part-select with plain bounds, within the variable.
func (u *mutator) selection(n *sv.Node) {
	base := n.Kids[0]
	lo, hi := 0, -1 // range of the variable; hi < lo when unknown
	if s := u.m.Signals[base.Text]; s != nil && !s.Unpacked && s.Width > 0 {
		lo, hi = s.Lo, s.Hi
	} else if w, _ := u.member(base.Text); w > 0 {
		hi = w - 1
	}
	put := func(text string) { u.add(opSelect, n.Kids[0].End, n.End, text) }
	a, okA := plain(n.Kids[1])
	if n.Kind == sv.Index {
		if !okA || hi < lo {
			return
		}
		if a > lo {
			put(fmt.Sprintf("[%d]", a-1))
		}
		if a < hi {
			put(fmt.Sprintf("[%d]", a+1))
		}
		return
	}
	b, okB := plain(n.Kids[2])
	switch {
	case n.Op == ":" && okA && okB:
		if b > lo {
			put(fmt.Sprintf("[%d:%d]", a-1, b-1))
		}
		if a < hi {
			put(fmt.Sprintf("[%d:%d]", a+1, b+1))
		}
	case n.Op == "+:" && okB:
		c, ok := u.d.consts[n.Kids[1].Text]
		if !ok {
			return
		}
		if int(c.value) > lo {
			put(fmt.Sprintf("[%s - 1 +: %d]", n.Kids[1].Text, b))
		}
		if int(c.value)+b <= hi {
			put(fmt.Sprintf("[%s + 1 +: %d]", n.Kids[1].Text, b))
		}
	}
}
