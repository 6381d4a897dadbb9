package fault

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// Names of the operators in lists and reports.
const (
	opRelation = "relation"  // < for <=, == for !=
	opArith    = "arith"     // + for -, * for +
	opLogic    = "logic"     // && for ||, ! removed
	opBitwise  = "bitwise"   // & for |, ~ removed
	opShift    = "shift"     // << for >>
	opConst    = "constant"  // one more or one less
	opNegate   = "negate"    // an if with the opposite condition
	opArms     = "arms"      // arms of ?: swapped
	opHold     = "hold"      // an assignment removed
	opStuck    = "stuck"     // a bit of a value that never changes
	opCode     = "code"      // another constant of the same kind
	opSelect   = "select"    // a part-select or an index shifted by one
	opSignal   = "signal"    // another signal of the same width
	opReduce   = "reduction" // |x for &x
)

var swaps = map[string]struct{ to, class string }{
	"<": {"<=", opRelation}, "<=": {"<", opRelation}, ">": {">=", opRelation}, ">=": {">", opRelation},
	"==": {"!=", opRelation}, "!=": {"==", opRelation},
	"+": {"-", opArith}, "-": {"+", opArith}, "*": {"+", opArith},
	"&&": {"||", opLogic}, "||": {"&&", opLogic},
	"&": {"|", opBitwise}, "|": {"&", opBitwise}, "^": {"|", opBitwise},
	"<<": {">>", opShift}, ">>": {"<<", opShift},
}

// mutator lists the faults of one site.
type mutator struct {
	d   *Design
	m   *sv.Module
	s   *sv.Site
	out []*Fault
}

// mutants returns every fault that the operators can plant at a site, in a fixed order.
func (d *Design) mutants(m *sv.Module, s *sv.Site) []*Fault {
	u := &mutator{d: d, m: m, s: s}
	if s.LHS != nil && strings.HasPrefix(m.Of(s.LHS), "unused") {
		return nil // never read: it only silences the lint
	}
	if s.Kind == sv.Port && strings.HasPrefix(s.Port, "clk") {
		return nil
	}
	switch {
	case s.Kind == sv.Clocked, s.Kind == sv.Comb && s.Default:
		u.add(opHold, s.Start, s.End, ";")
	case s.Kind == sv.Cond && s.Expr.Op != "!": // the same as removing its !
		u.add(opNegate, s.Start, s.End, "!("+m.Of(s.Expr)+")")
	}
	u.stuck()
	s.Expr.Walk(u.node)
	return u.out
}

// add keeps a fault if it changes anything.
func (u *mutator) add(operator string, start, end int, text string) {
	if u.m.Text[start:end] == text {
		return
	}
	f := &Fault{Block: u.d.Block, Class: Drawn, Operator: operator, start: start, end: end, text: text, module: u.m,
		site: u.s}
	f.place()
	for _, g := range u.out {
		if g.After == f.After {
			return // two operators give the same text
		}
	}
	u.out = append(u.out, f)
}

// stuck fixes the lowest, the highest and a middle bit of the assigned or connected value, unless the text alone
// already fixes the bit to that value.
func (u *mutator) stuck() {
	target := u.s.LHS
	if u.s.Kind == sv.Port {
		target = u.s.Expr
	}
	if target == nil {
		return
	}
	w := u.width(target)
	if w == 0 || w > 64 {
		return
	}
	x := u.s.Expr
	if w == 1 {
		k := u.known(x)
		if k.ones&1 == 0 {
			u.add(opStuck, x.Start, x.End, "1'b1")
		}
		if k.zeros&1 == 0 {
			u.add(opStuck, x.Start, x.End, "1'b0")
		}
		return
	}
	ones, known := ^uint64(0)>>(64-w), u.known(x)
	for _, bit := range []int{0, w / 2, w - 1} {
		mask := uint64(1) << bit
		if known.zeros&mask == 0 {
			u.add(opStuck, x.Start, x.End, fmt.Sprintf("(%s) & %d'h%x", u.m.Of(x), w, ones&^mask))
		}
		if known.ones&mask == 0 {
			u.add(opStuck, x.Start, x.End, fmt.Sprintf("(%s) | %d'h%x", u.m.Of(x), w, mask))
		}
	}
}

// node plants the faults of one node of the expression and reports whether to continue with its children.
func (u *mutator) node(n *sv.Node) bool {
	switch n.Kind {
	case sv.Binary:
		if s, ok := swaps[n.Op]; ok {
			u.add(s.class, n.OpPos, n.OpPos+len(n.Op), s.to)
		}
	case sv.Unary:
		u.unary(n)
	case sv.Ternary:
		a, b := n.Kids[1], n.Kids[2]
		u.add(opArms, a.Start, b.End, u.m.Of(b)+" : "+u.m.Of(a))
	case sv.Num:
		u.number(n)
	case sv.Name:
		u.name(n)
	case sv.Repeat:
		n.Kids[1].Walk(u.node) // another count would change the width
		return false
	case sv.Index, sv.Part:
		u.selection(n)
		u.base(n)
		return false
	}
	return true
}

func (u *mutator) unary(n *sv.Node) {
	x := n.Kids[0]
	switch n.Op {
	case "~":
		u.add(opBitwise, n.Start, n.End, u.m.Of(x))
	case "!":
		u.add(opLogic, n.Start, n.End, u.m.Of(x))
	case "|":
		u.add(opReduce, n.OpPos, n.OpPos+1, "&")
	case "&", "^":
		u.add(opReduce, n.OpPos, n.OpPos+1, "|")
	}
}

// base continues below a selection: with its variable, and with its index if that is a variable too.
func (u *mutator) base(n *sv.Node) {
	n.Kids[0].Walk(u.node)
	if n.Kind == sv.Index && n.Kids[1].Kind == sv.Name {
		n.Kids[1].Walk(u.node)
	}
}
