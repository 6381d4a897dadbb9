package sv

import (
	"regexp"
	"strconv"
	"strings"
)

// SiteKind is what a site decides.
type SiteKind int

// Kinds of sites. The guarded text of the first three is the whole statement with its semicolon; for the others it is
// the expression alone.
const (
	Assign  SiteKind = iota // a continuous assignment
	Clocked                 // an assignment in always_ff
	Comb                    // an assignment in always_comb or a function
	Cond                    // the condition of an if statement
	Label                   // a label of a case statement
	Port                    // the value of an input port of an instance
)

var siteNames = [...]string{"assign", "always_ff", "always_comb", "if", "case", "port"}

// String returns the kind in the spelling of the language.
func (k SiteKind) String() string { return siteNames[k] }

// Site is a place where a value is decided.
type Site struct {
	Kind       SiteKind
	Start, End int // bytes of the module's text
	Line       int
	LHS        *Node // of the first three kinds
	Expr       *Node // the value
	Clocked    bool  // in always_ff: it reads values from before the clock edge
	Default    bool  // of Comb: the target already has a value, so the statement can be removed
	Instance   string
	Port       string
}

// Signal is a name that a module declares.
type Signal struct {
	Name     string
	Type     string // name of a struct, otherwise "logic"
	Dims     string // packed range as written, without spaces
	Unpacked bool   // an array
	Hi, Lo   int    // bounds of a range of plain numbers
	Width    int    // bits; 0 when the bounds are not plain numbers or the type is a struct
	Input    bool
}

// Module is one file with one module.
type Module struct {
	Name      string
	File      string // name of the file, without its folder
	Text      string
	Sites     []*Site
	Signals   map[string]*Signal
	Order     []string // of Signals, as declared
	Instances []string // modules it instantiates, each once
	End       int      // position of endmodule
}

// Of returns the text of a node.
func (m *Module) Of(n *Node) string { return m.Text[n.Start:n.End] }

// Line returns the line, from 1, of a byte of the text.
func (m *Module) Line(pos int) int { return lineOf(m.Text, pos) }

// parser reads a module.
type parser struct {
	reader
	m *Module
	// of the process being read
	clocked  bool
	assigned map[string]bool
}

// Parse reads a file that holds one module. It returns an error with file and line where the text is outside the
// subset.
func Parse(file, text string) (*Module, error) {
	toks, err := lex(file, text)
	if err != nil {
		return nil, err
	}
	p := &parser{reader: reader{file: file, src: text, toks: toks},
		m: &Module{File: file, Text: text, Signals: map[string]*Signal{}}}
	if p.module(); p.err != nil {
		return nil, p.err
	}
	return p.m, nil
}

func (p *parser) module() {
	p.want("module")
	p.m.Name = p.take().text
	if p.eat("#") {
		p.skip("(", ")")
	}
	p.ports()
	p.until("endmodule", "module "+p.m.Name+" has no end", p.item)
	p.m.End = p.toks[max(p.at-1, 0)].pos
	if p.peek().kind != tokEnd {
		p.fail("more than one module in the file")
	}
}

func (p *parser) site(s Site) {
	s.Line = lineOf(p.src, s.Start)
	p.m.Sites = append(p.m.Sites, &s)
}

// ports reads the port list: direction, type, range, name.
func (p *parser) ports() {
	p.want("(")
	for !p.eat(")") && p.err == nil {
		input := p.is("input")
		if !p.eat("input") && !p.eat("output") {
			p.fail("port without a direction")
		}
		p.declare(input)
		p.eat(",")
	}
	p.want(";")
}

var plainRange = regexp.MustCompile(`^\[(\d+):(\d+)\]$`)

// declare reads "type [range] name [range]" and keeps the signal.
func (p *parser) declare(input bool) *Signal {
	s := &Signal{Type: p.take().text, Input: input, Dims: p.ranges()}
	if s.Name = p.take().text; s.Name == "" {
		p.fail("declaration without a name")
	}
	s.Unpacked = p.ranges() != ""
	if f := plainRange.FindStringSubmatch(s.Dims); f != nil {
		s.Hi, _ = strconv.Atoi(f[1])
		s.Lo, _ = strconv.Atoi(f[2])
		s.Width = s.Hi - s.Lo + 1
	} else if s.Dims == "" && s.Type == "logic" {
		s.Width = 1
	}
	p.m.Signals[s.Name] = s
	p.m.Order = append(p.m.Order, s.Name)
	return s
}

// ranges reads any number of [..] and returns their text without spaces.
func (p *parser) ranges() string {
	from := p.peek().pos
	for p.is("[") {
		p.skip("[", "]")
	}
	end := p.toks[max(p.at-1, 0)].end()
	if end <= from {
		return ""
	}
	return strings.Join(strings.Fields(p.src[from:end]), "")
}

func (p *parser) skip(open, close string) {
	p.want(open)
	for depth := 1; depth > 0 && p.err == nil; {
		switch t := p.take(); {
		case t.kind == tokEnd:
			p.fail("%q without %q", open, close)
		case t.text == open:
			depth++
		case t.text == close:
			depth--
		}
	}
}

// skipTo skips everything up to and including the next text.
func (p *parser) skipTo(text string) {
	for !p.is(text) && p.err == nil {
		if p.take().kind == tokEnd {
			p.fail("%q is missing", text)
		}
	}
	p.take()
}
