package planted

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Kind is what a change alters.
type Kind string

// Kinds.
const (
	Constant   Kind = "constant"
	Comparison Kind = "comparison"
	Arithmetic Kind = "arithmetic"
	Order      Kind = "order"
	Dropped    Kind = "dropped"
)

// Change is one change of one file.
type Change struct {
	File string // from the root
	Func string // that holds it; "" outside of functions
	Line int
	Kind Kind
	// Before and After are the two texts, on one line.
	Before, After string

	nth        int // of equal ones in the same function, from 1
	start, end int // of the replaced text, bytes
	text       string
}

// Key names a change by its text. It stays when lines move.
func (c *Change) Key() string {
	at := path.Join(path.Base(path.Dir(c.File)), path.Base(c.File))
	if c.Func != "" {
		at += " " + c.Func
	}
	key := fmt.Sprintf("%s: %s: %s -> %s", at, c.Kind, c.Before, c.After)
	if c.nth > 1 {
		key += fmt.Sprintf(" (%d)", c.nth)
	}
	return key
}

// Apply returns the source with the change.
func (c *Change) Apply(src []byte) []byte {
	return slices.Concat(src[:c.start], []byte(c.text), src[c.end:])
}

// apart are functions that hold no rule: they list fields, check parameters or return names.
var apart = []string{"Fields", "Validate", "String"}

// Changes returns every change of a Go file, in the order of the text.
func Changes(file string, src []byte) ([]Change, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	p := &planter{file: file, src: src, base: fset.File(f.FileStart), skip: map[ast.Node]bool{}}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !slices.Contains(apart, d.Name.Name) {
				p.in = d.Name.Name
				ast.Inspect(d.Body, p.visit)
			}
		case *ast.GenDecl:
			p.in = ""
			if d.Tok != token.IMPORT && d.Tok != token.TYPE && !strings.Contains(p.of(d), "iota") {
				ast.Inspect(d, p.visit)
			}
		}
	}
	slices.SortStableFunc(p.out, func(a, b Change) int { return cmp.Compare(a.start, b.start) })
	seen := map[string]int{}
	for i := range p.out {
		key := p.out[i].Key()
		seen[key]++
		p.out[i].nth = seen[key]
	}
	return p.out, nil
}

type planter struct {
	file string
	src  []byte
	base *token.File
	in   string
	skip map[ast.Node]bool // nodes whose own change would be no rule's
	out  []Change
}

func (p *planter) offset(at token.Pos) int { return p.base.Offset(at) }

func (p *planter) of(n ast.Node) string { return string(p.src[p.offset(n.Pos()):p.offset(n.End())]) }

// add notes that the text from a to b becomes another.
func (p *planter) add(kind Kind, a, b token.Pos, text string) {
	start, end := p.offset(a), p.offset(b)
	p.out = append(p.out, Change{
		File: p.file, Func: p.in, Line: p.base.Line(a), Kind: kind,
		Before: short(string(p.src[start:end])), After: short(text), start: start, end: end, text: text,
	})
}

// swap notes that two neighbours change places.
func (p *planter) swap(a, b ast.Node) {
	gap := string(p.src[p.offset(a.End()):p.offset(b.Pos())])
	p.add(Order, a.Pos(), b.End(), p.of(b)+gap+p.of(a))
	c := &p.out[len(p.out)-1]
	c.Before, c.After = short(p.of(a)), "after "+short(p.of(b))
}

// short returns a text on one line, without comments, and of a long one both ends.
func short(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l, _, _ = strings.Cut(l, "//")
		lines[i] = strings.TrimSpace(l)
	}
	const most, tail = 60, 15
	flat := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	if len(flat) > most {
		flat = flat[:most-tail-5] + " ... " + flat[len(flat)-tail:]
	}
	return flat
}

func (p *planter) replace(kind Kind, n ast.Node, text string) { p.add(kind, n.Pos(), n.End(), text) }

func (p *planter) visit(n ast.Node) bool {
	if n == nil || p.skip[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.ArrayType:
		return false
	case *ast.BasicLit:
		p.literal(n)
	case *ast.BinaryExpr:
		p.binary(n)
	case *ast.CallExpr:
		p.call(n)
	case *ast.AssignStmt:
		p.assign(n)
	case *ast.IncDecStmt:
		p.replace(Dropped, n, "_ = "+p.of(n.X))
		p.replace(Arithmetic, n, p.of(n.X)+map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok])
	case *ast.ExprStmt:
		p.replace(Dropped, n, "{}")
	case *ast.IfStmt:
		p.condition(n.Cond)
		p.replace(Dropped, n.Cond, "false && ("+p.of(n.Cond)+")")
	case *ast.ForStmt:
		if n.Post != nil {
			p.skip[n.Post] = true // the loop would not end
		}
	case *ast.BlockStmt:
		p.statements(n.List)
	case *ast.SwitchStmt:
		p.cases(n)
	case *ast.CaseClause:
		p.statements(n.Body)
	}
	return true
}

// literal changes a number: whole ones by one, others by a tenth.
func (p *planter) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		v, err := strconv.ParseInt(n.Value, 0, 64)
		if err != nil {
			return
		}
		p.replace(Constant, n, strconv.FormatInt(v+1, 10))
		if v > 0 {
			p.replace(Constant, n, strconv.FormatInt(v-1, 10))
		}
	case token.FLOAT:
		v, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || v == 0 {
			return
		}
		p.replace(Constant, n, float(v*1.1))
		p.replace(Constant, n, float(v*0.9))
	}
}

// float writes a number so that it stays one of floating point.
func float(v float64) string {
	text := strconv.FormatFloat(v, 'g', 10, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// shifted and turned are what a comparison or another operator becomes.
var (
	shifted = map[token.Token]token.Token{
		token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	}
	turned = map[token.Token]token.Token{
		token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS,
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	}
	exchanged = map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	}
)

func (p *planter) binary(n *ast.BinaryExpr) {
	with := func(kind Kind, op token.Token) {
		gap := string(p.src[p.offset(n.OpPos)+len(n.Op.String()) : p.offset(n.Y.Pos())])
		p.replace(kind, n, string(p.src[p.offset(n.X.Pos()):p.offset(n.OpPos)])+op.String()+gap+p.of(n.Y))
	}
	if op, ok := shifted[n.Op]; ok {
		with(Comparison, op)
	}
	if op, ok := turned[n.Op]; ok {
		with(Comparison, op)
	}
	op, ok := exchanged[n.Op]
	if !ok || strings.ContainsAny(p.of(n), "\"`") {
		return
	}
	with(Arithmetic, op)
	if n.Op == token.SUB || n.Op == token.QUO {
		p.replace(Order, n, "(("+p.of(n.Y)+") "+n.Op.String()+" ("+p.of(n.X)+"))")
	}
}

// condition turns a condition round that compares nothing; comparisons are changed as such.
func (p *planter) condition(n ast.Expr) {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			p.replace(Comparison, n, p.of(n.X))
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		p.replace(Comparison, n, "!"+p.of(n))
	}
}

// others is the opposite of a function; operations of NSCC's and HPCC's arithmetic are methods.
var others = map[string]string{
	"min": "max", "max": "min", "lesser": "greater", "greater": "lesser", "above0": "below0", "below0": "above0",
	"add": "sub", "sub": "add", "isZero": "above0", "Add": "Sub", "Sub": "Add", "Mul": "Quo", "Quo": "Mul",
}

func (p *planter) call(n *ast.CallExpr) {
	name, on := "", ""
	switch f := n.Fun.(type) {
	case *ast.Ident:
		name = f.Name
		if name == "make" || name == "panic" {
			for _, a := range n.Args {
				p.skip[a] = true
			}
			return
		}
		if name != "min" && name != "max" {
			return
		}
	case *ast.SelectorExpr:
		name, on = f.Sel.Name, p.of(f.X)+"."
		if name == "Inf" && len(n.Args) == 1 {
			p.skip[n.Args[0]] = true // only its sign counts
			p.replace(Constant, n, on+"Inf(-("+p.of(n.Args[0])+"))")
			return
		}
	default:
		return
	}
	if name == "less" && len(n.Args) == 2 {
		p.replace(Comparison, n, "!"+on+"less("+p.of(n.Args[1])+", "+p.of(n.Args[0])+")")
		p.replace(Comparison, n, "!"+p.of(n))
		return
	}
	other, ok := others[name]
	if !ok || len(n.Args) == 0 || len(n.Args) > 2 {
		return
	}
	kind := Comparison
	if slices.Contains([]string{"add", "sub", "Add", "Sub", "Mul", "Quo"}, name) {
		kind = Arithmetic
	}
	p.add(kind, n.Fun.Pos(), n.Fun.End(), on+other)
	if len(n.Args) < 2 {
		return
	}
	switch name {
	case "sub", "Sub", "Quo":
		p.replace(Order, n, on+name+"("+p.of(n.Args[1])+", "+p.of(n.Args[0])+")")
	case "min", "max", "lesser", "greater":
		for _, a := range n.Args {
			if _, ok := a.(*ast.BasicLit); !ok {
				p.replace(Dropped, n, "("+p.of(a)+")")
			}
		}
	}
}

// assign drops assignments, one at a time, and exchanges the operator of x op= y.
func (p *planter) assign(n *ast.AssignStmt) {
	switch {
	case n.Tok == token.DEFINE:
	case n.Tok != token.ASSIGN:
		p.replace(Dropped, n, "_ = "+p.of(n.Rhs[0]))
		if op, ok := exchanged[n.Tok]; ok {
			p.add(Arithmetic, n.TokPos, n.TokPos+2, op.String())
		}
	default:
		for _, l := range n.Lhs {
			if p.of(l) != "_" {
				p.replace(Dropped, l, "_")
			}
		}
	}
}
