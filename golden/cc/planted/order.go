package planted

import (
	"go/ast"
	"go/token"
	"strings"
)

// statements exchanges neighbours of which one depends on the other.
func (p *planter) statements(list []ast.Stmt) {
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if movable(a) && movable(b) && p.depend(a, b) {
			p.swap(a, b)
		}
	}
}

// cases exchanges neighbours among the cases of a switch that has no tag: the first that holds is taken.
func (p *planter) cases(n *ast.SwitchStmt) {
	var all []*ast.CaseClause
	for _, s := range n.Body.List {
		c := s.(*ast.CaseClause)
		if n.Tag == nil {
			for _, e := range c.List {
				p.condition(e)
			}
		}
		all = append(all, c)
	}
	if n.Tag != nil {
		return
	}
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.List == nil || b.List == nil || falls(a) || falls(b) {
			continue
		}
		p.swap(a, b)
	}
}

func falls(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// movable reports whether a statement can change places: it declares nothing and does not leave the block.
func movable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.IfStmt:
		return true
	}
	return false
}

// effects is what a statement writes and what it names, as texts.
type effects struct {
	writes, names map[string]bool
	leaves        bool
}

func (p *planter) effects(s ast.Stmt) effects {
	e := effects{writes: map[string]bool{}, names: map[string]bool{}}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				e.writes[p.of(l)] = true
			}
		case *ast.IncDecStmt:
			e.writes[p.of(n.X)] = true
		case *ast.CallExpr:
			// A method may change its receiver, and a function what it is given by address.
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				e.writes[p.of(f.X)] = true
			}
		case *ast.Ident:
			e.names[n.Name] = true
		case *ast.SelectorExpr:
			e.names[p.of(n)] = true
		case *ast.ReturnStmt, *ast.BranchStmt:
			e.leaves = true
		}
		return true
	})
	return e
}

// depend reports whether the order of two statements can matter.
func (p *planter) depend(a, b ast.Stmt) bool {
	x, y := p.effects(a), p.effects(b)
	return x.leaves || y.leaves || touches(x.writes, y.names) || touches(y.writes, x.names)
}

// touches reports whether a written expression, a part of it or the whole that it is a part of is named.
func touches(writes, names map[string]bool) bool {
	for w := range writes {
		for n := range names {
			if w == n || strings.HasPrefix(n, w+".") && strings.Contains(w, ".") {
				return true
			}
		}
	}
	return false
}
