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
	if err := p.module(); err != nil {
		return nil, err
	}
	return p.m, nil
}

func (p *parser) module() error {
	if err := p.want("module"); err != nil {
		return err
	}
	p.m.Name = p.take().text
	if p.eat("#") {
		if err := p.skip("(", ")"); err != nil {
			return err
		}
	}
	if err := p.ports(); err != nil {
		return err
	}
	for !p.is("endmodule") {
		if p.peek().kind == tokEnd {
			return p.errorf("module %s has no end", p.m.Name)
		}
		if err := p.item(); err != nil {
			return err
		}
	}
	p.m.End = p.take().pos
	if p.peek().kind != tokEnd {
		return p.errorf("more than one module in the file")
	}
	return nil
}

// ports reads the port list: direction, type, range, name.
func (p *parser) ports() error {
	if err := p.want("("); err != nil {
		return err
	}
	for !p.eat(")") {
		input := p.is("input")
		if !p.eat("input") && !p.eat("output") {
			return p.errorf("port without a direction")
		}
		if _, err := p.declare(input); err != nil {
			return err
		}
		p.eat(",")
	}
	return p.want(";")
}

var plainRange = regexp.MustCompile(`^\[(\d+):(\d+)\]$`)

// declare reads "type [range] name [range]" and keeps the signal.
func (p *parser) declare(input bool) (*Signal, error) {
	s := &Signal{Type: p.take().text, Input: input}
	dims, err := p.ranges()
	if err != nil {
		return nil, err
	}
	s.Dims = dims
	if s.Name = p.take().text; s.Name == "" {
		return nil, p.errorf("declaration without a name")
	}
	unpacked, err := p.ranges()
	if err != nil {
		return nil, err
	}
	s.Unpacked = unpacked != ""
	if f := plainRange.FindStringSubmatch(dims); f != nil {
		s.Hi, _ = strconv.Atoi(f[1])
		s.Lo, _ = strconv.Atoi(f[2])
		s.Width = s.Hi - s.Lo + 1
	} else if dims == "" && s.Type == "logic" {
		s.Width = 1
	}
	p.m.Signals[s.Name] = s
	p.m.Order = append(p.m.Order, s.Name)
	return s, nil
}

// ranges reads any number of [..] and returns their text without spaces.
func (p *parser) ranges() (string, error) {
	from := p.peek().pos
	for p.is("[") {
		if err := p.skip("[", "]"); err != nil {
			return "", err
		}
	}
	end := p.toks[max(p.at-1, 0)].end()
	if end <= from {
		return "", nil
	}
	return strings.Join(strings.Fields(p.src[from:end]), ""), nil
}

// skip skips a text in brackets.
func (p *parser) skip(open, close string) error {
	if err := p.want(open); err != nil {
		return err
	}
	for depth := 1; depth > 0; {
		t := p.take()
		switch {
		case t.kind == tokEnd:
			return p.errorf("%q without %q", open, close)
		case t.text == open:
			depth++
		case t.text == close:
			depth--
		}
	}
	return nil
}

// skipTo skips everything up to and including the next text.
func (p *parser) skipTo(text string) error {
	for !p.is(text) {
		if p.take().kind == tokEnd {
			return p.errorf("%q is missing", text)
		}
	}
	p.take()
	return nil
}
