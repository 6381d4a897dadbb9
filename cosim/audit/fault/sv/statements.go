package sv

// statement reads one statement of a process or a function.
func (p *parser) statement() error {
	switch t := p.peek(); {
	case t.kind == tokEnd:
		return p.errorf("statement missing")
	case p.eat(";"):
		return nil
	case p.eat("begin"):
		if p.eat(":") {
			p.take()
		}
		for !p.eat("end") {
			if p.peek().kind == tokEnd {
				return p.errorf("begin without end")
			}
			if err := p.statement(); err != nil {
				return err
			}
		}
		return nil
	case p.eat("if"):
		return p.branch()
	case t.text == "unique" || t.text == "priority":
		p.take()
		return p.statement()
	case p.eat("case"):
		return p.cases()
	case p.eat("for"):
		if err := p.skip("(", ")"); err != nil {
			return err
		}
		return p.statement()
	case t.text == "logic" || t.text == "int" || t.text == "automatic" ||
		t.kind == tokIdent && p.ahead(1).kind == tokIdent:
		return p.skipTo(";")
	}
	return p.assignment()
}

func (p *parser) branch() error {
	if err := p.want("("); err != nil {
		return err
	}
	x, err := p.expr(1)
	if err != nil {
		return err
	}
	p.m.Sites = append(p.m.Sites, &Site{Kind: Cond, Start: x.Start, End: x.End, Line: lineOf(p.src, x.Start), Expr: x,
		Clocked: p.clocked})
	if err := p.want(")"); err != nil {
		return err
	}
	if err := p.statement(); err != nil {
		return err
	}
	if p.eat("else") {
		return p.statement()
	}
	return nil
}

func (p *parser) cases() error {
	if err := p.want("("); err != nil {
		return err
	}
	if _, err := p.expr(1); err != nil {
		return err
	}
	if err := p.want(")"); err != nil {
		return err
	}
	for !p.eat("endcase") {
		if p.eat("default") {
			p.eat(":")
		} else {
			for {
				x, err := p.expr(2) // a label ends at its colon
				if err != nil {
					return err
				}
				p.m.Sites = append(p.m.Sites, &Site{Kind: Label, Start: x.Start, End: x.End,
					Line: lineOf(p.src, x.Start), Expr: x, Clocked: p.clocked})
				if !p.eat(",") {
					break
				}
			}
			if err := p.want(":"); err != nil {
				return err
			}
		}
		if err := p.statement(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) assignment() error {
	lhs, err := p.postfix()
	if err != nil {
		return err
	}
	kind := Comb
	if p.clocked {
		kind = Clocked
	}
	if !p.eat("<=") && !p.eat("=") {
		return p.errorf("found %q, want an assignment", p.peek().text)
	}
	x, err := p.expr(1)
	if err != nil {
		return err
	}
	target := p.m.Of(lhs)
	s := &Site{Kind: kind, Start: lhs.Start, End: p.peek().end(), Line: lineOf(p.src, lhs.Start), LHS: lhs, Expr: x,
		Clocked: p.clocked,
		Default: p.assigned[target] || p.assigned[base(target)]}
	p.assigned[target] = true
	p.m.Sites = append(p.m.Sites, s)
	return p.want(";")
}

// base returns the variable that a target is a part of.
func base(target string) string {
	return target[:span(target, isWord)]
}
