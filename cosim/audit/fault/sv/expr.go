package sv

import "fmt"

// NodeKind is the kind of a node of an expression.
type NodeKind int

// Kinds of nodes, with their Kids.
const (
	Name    NodeKind = iota // a, p::a, a.b; none
	Num                     // 12, 8'hff, '0; none
	Str                     // "text"; none
	Unary                   // operator Op; the operand
	Binary                  // operator Op; left and right
	Ternary                 // condition, then, else
	Concat                  // the parts
	Repeat                  // count, and a Concat
	Index                   // base, index
	Part                    // base, and the two bounds; Op is ":", "+:" or "-:"
	Call                    // arguments; Text is the function
	Paren                   // the expression inside
)

// Node is an expression in the text of its module.
type Node struct {
	Kind       NodeKind
	Start, End int    // bytes of the text
	Op         string // of Unary, Binary, Part
	OpPos      int    // position of Op
	Text       string // of Name, Num, Str, Call
	Kids       []*Node
}

// Walk calls f for the node and everything below it, from left to right, until f returns false for a
// branch.
func (n *Node) Walk(f func(*Node) bool) {
	if !f(n) {
		return
	}
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

var precedence = map[string]int{
	"||": 2, "&&": 3, "|": 4, "^": 5, "~^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7,
	"<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, "<<<": 9, ">>>": 9, "+": 10, "-": 10,
	"*": 11, "/": 11, "%": 11, "**": 12,
}

var prefixes = map[string]bool{
	"~": true, "!": true, "-": true, "+": true, "&": true, "|": true, "^": true, "~&": true, "~|": true, "~^": true,
}

// reader walks the tokens of a file. After an error it finds only the end of the file, so that every loop ends.
type reader struct {
	file, src string
	toks      []token
	at        int
	err       error // the first
}

func (r *reader) peek() token { return r.toks[r.at] }
func (r *reader) ahead(n int) token {
	return r.toks[min(r.at+n, len(r.toks)-1)]
}
func (r *reader) take() token {
	t := r.toks[r.at]
	if t.kind != tokEnd {
		r.at++
	}
	return t
}
func (r *reader) is(text string) bool { return r.peek().text == text && r.peek().kind != tokString }

// eat consumes the next token if it equals text.
func (r *reader) eat(text string) bool {
	if r.is(text) {
		r.at++
		return true
	}
	return false
}

func (r *reader) want(text string) {
	if !r.eat(text) {
		r.fail("found %q, want %q", r.peek().text, text)
	}
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d: %s", r.file, lineOf(r.src, r.peek().pos), fmt.Sprintf(format, args...))
	}
	r.at = len(r.toks) - 1
}

// expr reads an expression whose operators bind at least as tightly as level.
func (r *reader) expr(level int) *Node {
	left := r.unary()
	for {
		t := r.peek()
		p := precedence[t.text]
		if t.kind != tokOp || p == 0 || p < level {
			break
		}
		r.take()
		right := r.expr(p + 1)
		left = &Node{Kind: Binary, Start: left.Start, End: right.End, Op: t.text, OpPos: t.pos, Kids: []*Node{left, right}}
	}
	if level > 1 || !r.eat("?") {
		return left
	}
	yes := r.expr(1)
	r.want(":")
	no := r.expr(1)
	return &Node{Kind: Ternary, Start: left.Start, End: no.End, Kids: []*Node{left, yes, no}}
}

func (r *reader) unary() *Node {
	t := r.peek()
	if t.kind != tokOp || !prefixes[t.text] {
		return r.postfix()
	}
	r.take()
	x := r.unary()
	return &Node{Kind: Unary, Start: t.pos, End: x.End, Op: t.text, OpPos: t.pos, Kids: []*Node{x}}
}

func (r *reader) postfix() *Node {
	n := r.primary()
	for r.eat("[") {
		kind, kids := Index, []*Node{n, r.expr(1)}
		op := r.peek()
		if op.text == ":" || op.text == "+:" || op.text == "-:" {
			r.take()
			kind, kids = Part, append(kids, r.expr(1))
		}
		n = &Node{Kind: kind, Start: n.Start, End: r.peek().end(), Op: op.text, OpPos: op.pos, Kids: kids}
		r.want("]")
	}
	return n
}

func (r *reader) primary() *Node {
	t := r.take()
	n := &Node{Start: t.pos, End: t.end(), Text: t.text}
	switch {
	case t.kind == tokNumber:
		n.Kind = Num
	case t.kind == tokString:
		n.Kind = Str
	case t.kind == tokIdent:
		for (r.is("::") || r.is(".")) && r.ahead(1).kind == tokIdent {
			r.take()
			n.End = r.take().end()
		}
		n.Kind, n.Text = Name, r.src[t.pos:n.End]
		if r.is("(") {
			n.Kind = Call
			n.Kids, n.End = r.list("(", ")")
		}
	case t.text == "(":
		n.Kind, n.Text, n.Kids = Paren, "", []*Node{r.expr(1)}
		n.End = r.peek().end()
		r.want(")")
	case t.text == "{":
		r.at--
		n.Kind, n.Text = Concat, ""
		n.Kids, n.End = r.list("{", "}")
	default:
		r.at--
		r.fail("found %q, want an operand", t.text)
	}
	return n
}

// list reads expressions between open and close, separated by commas, and returns the position of its end. A
// replication {n{...}} is one Repeat with two children: its count and its part.
func (r *reader) list(open, close string) (kids []*Node, end int) {
	r.want(open)
	for !r.is(close) {
		x := r.expr(1)
		if open == "{" && r.is("{") {
			inner := r.primary()
			x = &Node{Kind: Repeat, Start: x.Start, End: inner.End, Kids: []*Node{x, inner}}
		}
		kids = append(kids, x)
		if !r.eat(",") {
			break
		}
	}
	end = r.peek().end()
	r.want(close)
	return kids, end
}
