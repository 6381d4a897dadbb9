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

// reader walks the tokens of a file.
type reader struct {
	file, src string
	toks      []token
	at        int
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

func (r *reader) want(text string) error {
	if r.eat(text) {
		return nil
	}
	return r.errorf("found %q, want %q", r.peek().text, text)
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, lineOf(r.src, r.peek().pos), fmt.Sprintf(format, args...))
}

// expr reads an expression whose operators bind at least as tightly as level.
func (r *reader) expr(level int) (*Node, error) {
	left, err := r.unary()
	if err != nil {
		return nil, err
	}
	for {
		t := r.peek()
		p := precedence[t.text]
		if t.kind != tokOp || p == 0 || p < level {
			break
		}
		r.take()
		right, err := r.expr(p + 1)
		if err != nil {
			return nil, err
		}
		left = &Node{Kind: Binary, Start: left.Start, End: right.End, Op: t.text, OpPos: t.pos, Kids: []*Node{left, right}}
	}
	if level > 1 || !r.eat("?") {
		return left, nil
	}
	yes, err := r.expr(1)
	if err != nil {
		return nil, err
	}
	if err := r.want(":"); err != nil {
		return nil, err
	}
	no, err := r.expr(1)
	if err != nil {
		return nil, err
	}
	return &Node{Kind: Ternary, Start: left.Start, End: no.End, Kids: []*Node{left, yes, no}}, nil
}

func (r *reader) unary() (*Node, error) {
	t := r.peek()
	if t.kind != tokOp || !prefixes[t.text] {
		return r.postfix()
	}
	r.take()
	x, err := r.unary()
	if err != nil {
		return nil, err
	}
	return &Node{Kind: Unary, Start: t.pos, End: x.End, Op: t.text, OpPos: t.pos, Kids: []*Node{x}}, nil
}

func (r *reader) postfix() (*Node, error) {
	n, err := r.primary()
	for err == nil && r.is("[") {
		r.take()
		var first, second *Node
		if first, err = r.expr(1); err != nil {
			return nil, err
		}
		kids := []*Node{n, first}
		kind, op := Index, r.peek()
		if op.text == ":" || op.text == "+:" || op.text == "-:" {
			r.take()
			if second, err = r.expr(1); err != nil {
				return nil, err
			}
			kind, kids = Part, append(kids, second)
		}
		close := r.peek()
		if err = r.want("]"); err == nil {
			n = &Node{Kind: kind, Start: n.Start, End: close.end(), Op: op.text, OpPos: op.pos, Kids: kids}
		}
	}
	return n, err
}

func (r *reader) primary() (*Node, error) {
	t := r.take()
	switch {
	case t.kind == tokNumber:
		return &Node{Kind: Num, Start: t.pos, End: t.end(), Text: t.text}, nil
	case t.kind == tokString:
		return &Node{Kind: Str, Start: t.pos, End: t.end(), Text: t.text}, nil
	case t.kind == tokIdent:
		end := t.end()
		for (r.is("::") || r.is(".")) && r.ahead(1).kind == tokIdent {
			r.take()
			end = r.take().end()
		}
		if r.is("(") {
			kids, last, err := r.list("(", ")")
			return &Node{Kind: Call, Start: t.pos, End: last, Text: r.src[t.pos:end], Kids: kids}, err
		}
		return &Node{Kind: Name, Start: t.pos, End: end, Text: r.src[t.pos:end]}, nil
	case t.text == "(":
		x, err := r.expr(1)
		if err != nil {
			return nil, err
		}
		close := r.peek()
		return &Node{Kind: Paren, Start: t.pos, End: close.end(), Kids: []*Node{x}}, r.want(")")
	case t.text == "{":
		r.at--
		kids, last, err := r.list("{", "}")
		if err != nil {
			return nil, err
		}
		return &Node{Kind: Concat, Start: t.pos, End: last, Kids: kids}, nil
	}
	r.at--
	return nil, r.errorf("found %q, want an operand", t.text)
}

// list reads expressions between open and close, separated by commas, and returns the position of its end. A
// replication {n{...}} is one Repeat with two children: its count and its part.
func (r *reader) list(open, close string) ([]*Node, int, error) {
	if err := r.want(open); err != nil {
		return nil, 0, err
	}
	var kids []*Node
	for !r.is(close) {
		x, err := r.expr(1)
		if err != nil {
			return nil, 0, err
		}
		if open == "{" && r.is("{") {
			inner, err := r.primary()
			if err != nil {
				return nil, 0, err
			}
			x = &Node{Kind: Repeat, Start: x.Start, End: inner.End, Kids: []*Node{x, inner}}
		}
		kids = append(kids, x)
		if !r.eat(",") {
			break
		}
	}
	last := r.peek().end()
	return kids, last, r.want(close)
}
