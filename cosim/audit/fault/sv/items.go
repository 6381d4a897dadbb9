package sv

import (
	"slices"
	"strings"
)

// item reads one item of a module or of a generate block.
func (p *parser) item() error {
	switch t := p.peek(); {
	case p.eat(";"):
		return nil
	case t.text == "localparam" || t.text == "genvar" || t.text == "typedef":
		return p.skipTo(";")
	case t.text == "assign":
		return p.assign()
	case t.text == "always_ff" || t.text == "always_comb":
		return p.process()
	case t.text == "function":
		return p.function()
	case t.text == "if" || t.text == "for":
		p.take()
		if err := p.skip("(", ")"); err != nil {
			return err
		}
		if err := p.generate(); err != nil {
			return err
		}
		if p.eat("else") {
			return p.generate()
		}
		return nil
	case t.kind == tokIdent:
		// "type name;" and "type [..] name" declare; "module name (" and "module #(" instantiate.
		if p.ahead(1).text == "#" || p.ahead(1).kind == tokIdent && p.ahead(2).text == "(" {
			return p.instance()
		}
		return p.declaration()
	}
	return p.errorf("%q does not begin a known item", p.peek().text)
}

func (p *parser) generate() error {
	if p.is("if") || p.is("for") {
		return p.item()
	}
	if err := p.want("begin"); err != nil {
		return err
	}
	if p.eat(":") {
		p.take()
	}
	for !p.eat("end") {
		if p.peek().kind == tokEnd {
			return p.errorf("begin without end")
		}
		if err := p.item(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) declaration() error {
	s, err := p.declare(false)
	if err != nil {
		return err
	}
	for p.eat(",") {
		more := *s
		more.Name = p.take().text
		p.m.Signals[more.Name] = &more
		p.m.Order = append(p.m.Order, more.Name)
	}
	return p.want(";")
}

func (p *parser) assign() error {
	start := p.take()
	lhs, err := p.postfix()
	if err != nil {
		return err
	}
	if err := p.want("="); err != nil {
		return err
	}
	x, err := p.expr(1)
	if err != nil {
		return err
	}
	end := p.peek().end()
	p.m.Sites = append(p.m.Sites, &Site{Kind: Assign, Start: start.pos, End: end, Line: lineOf(p.src, start.pos),
		LHS: lhs, Expr: x})
	return p.want(";")
}

func (p *parser) process() error {
	p.clocked = p.take().text == "always_ff"
	p.assigned = map[string]bool{}
	if p.eat("@") {
		if err := p.skip("(", ")"); err != nil {
			return err
		}
	}
	return p.statement()
}

func (p *parser) function() error {
	if err := p.skipTo(";"); err != nil {
		return err
	}
	p.clocked, p.assigned = false, map[string]bool{}
	for !p.eat("endfunction") {
		if p.peek().kind == tokEnd {
			return p.errorf("function without endfunction")
		}
		if err := p.statement(); err != nil {
			return err
		}
	}
	if p.eat(":") {
		p.take()
	}
	return nil
}

func (p *parser) instance() error {
	of := p.take().text
	if !slices.Contains(p.m.Instances, of) {
		p.m.Instances = append(p.m.Instances, of)
	}
	if p.eat("#") {
		if err := p.skip("(", ")"); err != nil {
			return err
		}
	}
	name := p.take().text
	if err := p.want("("); err != nil {
		return err
	}
	for !p.eat(")") {
		if err := p.want("."); err != nil {
			return err
		}
		port := p.take().text
		if err := p.want("("); err != nil {
			return err
		}
		if p.eat(")") { // an unconnected port
			p.eat(",")
			continue
		}
		x, err := p.expr(1)
		if err != nil {
			return err
		}
		if err := p.want(")"); err != nil {
			return err
		}
		// Inputs end in _i, or _ni when active low; only they take a value from this module.
		if strings.HasSuffix(port, "_i") || strings.HasSuffix(port, "_ni") {
			p.m.Sites = append(p.m.Sites, &Site{Kind: Port, Start: x.Start, End: x.End, Line: lineOf(p.src, x.Start),
				Expr: x, Instance: name, Port: port})
		}
		p.eat(",")
	}
	return p.want(";")
}
