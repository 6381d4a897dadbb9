package sv

import (
	"slices"
	"strings"
)

// item reads one item of a module or of a generate block.
func (p *parser) item() {
	switch t := p.peek(); {
	case p.eat(";"):
	case t.text == "localparam" || t.text == "genvar" || t.text == "typedef":
		p.skipTo(";")
	case t.text == "assign":
		p.assign()
	case t.text == "always_ff" || t.text == "always_comb":
		p.process()
	case t.text == "function":
		p.function()
	case t.text == "if" || t.text == "for":
		p.take()
		p.skip("(", ")")
		p.generate()
		if p.eat("else") {
			p.generate()
		}
	case t.kind == tokIdent:
		// "type name;" and "type [..] name" declare; "module name (" and "module #(" instantiate.
		if p.ahead(1).text == "#" || p.ahead(1).kind == tokIdent && p.ahead(2).text == "(" {
			p.instance()
		} else {
			p.declaration()
		}
	default:
		p.fail("%q does not begin a known item", t.text)
	}
}

func (p *parser) generate() {
	if p.is("if") || p.is("for") {
		p.item()
		return
	}
	p.want("begin")
	p.block(p.item)
}

// block reads the rest of a block, each of its parts by each.
func (p *parser) block(each func()) {
	p.label()
	p.until("end", "begin without end", each)
}

// label skips the name of a block or a function.
func (p *parser) label() {
	if p.eat(":") {
		p.take()
	}
}

// until reads parts up to the word that ends them; lacking is the error for a file that ends before it.
func (p *parser) until(end, lacking string, each func()) {
	for !p.eat(end) {
		if p.peek().kind == tokEnd {
			p.fail("%s", lacking)
			return
		}
		each()
	}
}

func (p *parser) declaration() {
	s := p.declare(false)
	for p.eat(",") {
		more := *s
		more.Name = p.take().text
		p.m.Signals[more.Name] = &more
		p.m.Order = append(p.m.Order, more.Name)
	}
	p.want(";")
}

func (p *parser) assign() {
	start := p.take()
	lhs := p.postfix()
	p.want("=")
	x := p.expr(1)
	p.site(Site{Kind: Assign, Start: start.pos, End: p.peek().end(), LHS: lhs, Expr: x})
	p.want(";")
}

func (p *parser) process() {
	p.clocked = p.take().text == "always_ff"
	p.assigned = map[string]bool{}
	if p.eat("@") {
		p.skip("(", ")")
	}
	p.statement()
}

func (p *parser) function() {
	p.skipTo(";")
	p.clocked, p.assigned = false, map[string]bool{}
	p.until("endfunction", "function without endfunction", p.statement)
	p.label()
}

func (p *parser) instance() {
	of := p.take().text
	if !slices.Contains(p.m.Instances, of) {
		p.m.Instances = append(p.m.Instances, of)
	}
	if p.eat("#") {
		p.skip("(", ")")
	}
	name := p.take().text
	p.want("(")
	for !p.eat(")") && p.err == nil {
		p.want(".")
		port := p.take().text
		p.want("(")
		if p.eat(")") { // an unconnected port
			p.eat(",")
			continue
		}
		x := p.expr(1)
		p.want(")")
		// Inputs end in _i, or _ni when active low; only they take a value from this module.
		if strings.HasSuffix(port, "_i") || strings.HasSuffix(port, "_ni") {
			p.site(Site{Kind: Port, Start: x.Start, End: x.End, Expr: x, Instance: name, Port: port})
		}
		p.eat(",")
	}
	p.want(";")
}

func (p *parser) statement() {
	switch t := p.peek(); {
	case t.kind == tokEnd:
		p.fail("statement missing")
	case p.eat(";"):
	case p.eat("begin"):
		p.block(p.statement)
	case p.eat("if"):
		x := p.condition()
		p.site(Site{Kind: Cond, Start: x.Start, End: x.End, Expr: x, Clocked: p.clocked})
		p.statement()
		if p.eat("else") {
			p.statement()
		}
	case t.text == "unique" || t.text == "priority":
		p.take()
		p.statement()
	case p.eat("case"):
		p.cases()
	case p.eat("for"):
		p.skip("(", ")")
		p.statement()
	case t.text == "logic" || t.text == "int" || t.text == "automatic" ||
		t.kind == tokIdent && p.ahead(1).kind == tokIdent:
		p.skipTo(";")
	default:
		p.assignment()
	}
}

func (p *parser) condition() *Node {
	p.want("(")
	x := p.expr(1)
	p.want(")")
	return x
}

func (p *parser) cases() {
	p.condition()
	for !p.eat("endcase") && p.err == nil {
		if p.eat("default") {
			p.eat(":")
		} else {
			for more := true; more; more = p.eat(",") {
				x := p.expr(2) // a label ends at its colon
				p.site(Site{Kind: Label, Start: x.Start, End: x.End, Expr: x, Clocked: p.clocked})
			}
			p.want(":")
		}
		p.statement()
	}
}

func (p *parser) assignment() {
	lhs := p.postfix()
	kind := Comb
	if p.clocked {
		kind = Clocked
	}
	if !p.eat("<=") && !p.eat("=") {
		p.fail("found %q, want an assignment", p.peek().text)
	}
	x := p.expr(1)
	target := p.m.Of(lhs)
	variable := target[:span(target, isWord)] // that it is a part of
	p.site(Site{Kind: kind, Start: lhs.Start, End: p.peek().end(), LHS: lhs, Expr: x, Clocked: p.clocked,
		Default: p.assigned[target] || p.assigned[variable]})
	p.assigned[target] = true
	p.want(";")
}
