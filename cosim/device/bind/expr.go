package bind

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Expr is an expression over the design's ports, its pieces most significant first.
type Expr struct {
	Text   string
	Pieces []Piece
	None   bool // not connected
	Timed  *Timed
	broken bool // could not be read, which was reported
}

// Timed takes the place of the valid of an output that has none in the design.
type Timed struct {
	After  string // input stream: valid so many Cycles after an event of it was accepted, 0 in the same cycle
	Cycles int    // without After: valid when a field has changed and has kept its value for so many cycles
}

// mostCycles bounds how many cycles after its event an output may come, or for how long it must keep its value.
const mostCycles = 4096

var (
	afterEvent = regexp.MustCompile(`^after\s+([a-z][a-z0-9_]*)(?:\s+(\d+))?$`)
	onChange   = regexp.MustCompile(`^on\s+change(?:\s+(\d+))?$`)
)

// timed reads `after STREAM CYCLES` and `on change CYCLES`.
func (e *Expr) timed() (bool, error) {
	t, cycles := &Timed{}, ""
	if m := afterEvent.FindStringSubmatch(e.Text); m != nil {
		t.After, cycles = m[1], m[2]
	} else if m := onChange.FindStringSubmatch(e.Text); m != nil {
		cycles = m[1]
	} else {
		return false, nil
	}
	if cycles != "" {
		n, err := strconv.Atoi(cycles)
		if err != nil || n > mostCycles {
			return true, fmt.Errorf("%q: %s cycles is not in 0..%d", e.Text, cycles, mostCycles)
		}
		t.Cycles = n
	}
	e.Timed = t
	return true, nil
}

// Piece is a port, a part of one, or a constant.
type Piece struct {
	Port    string
	Members []string // of a packed struct, outermost first
	Slice   bool
	From    int // first and second index of the slice, as written
	To      int
	Invert  bool
	Const   *big.Int // nil for a port
	Width   int      // of a constant; 0: as many bits as are left
}

// Constant returns the value of an expression that is a single constant standing for that many bits.
func (e *Expr) Constant(bits int) (*big.Int, bool) {
	if e.None || e.Timed != nil || len(e.Pieces) != 1 || e.Pieces[0].Const == nil {
		return nil, false
	}
	return e.Pieces[0].value(bits), true
}

// value returns a constant, inverted when it was written with ~: in its own width, or in all of the bits that it
// stands for.
func (p *Piece) value(bits int) *big.Int {
	if !p.Invert {
		return p.Const
	}
	w := p.Width
	if w == 0 {
		w = bits
	}
	return new(big.Int).Xor(p.Const, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), big.NewInt(1)))
}

var (
	portName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*`)
	slice    = regexp.MustCompile(`^\[\s*(\d+)\s*(?::\s*(\d+)\s*)?\]`)
	sized    = regexp.MustCompile(`^(\d+)?'(?:s)?([bodhBODH])([0-9a-fA-F_]+)`)
	based    = regexp.MustCompile(`^0([xXbBoO])([0-9a-fA-F_]+)`)
	plain    = regexp.MustCompile(`^\d+`)
	escaped  = regexp.MustCompile(`^\\([!-~]+)\s*`)
)

// ParseExpr reads an expression; the error says what is wrong with the text.
func ParseExpr(text string) (Expr, error) { return parseExpr(text, nil) }

// parseExpr reads an expression over ports and members of which some have names that are not plain identifiers, the
// longest first.
func parseExpr(text string, names []string) (Expr, error) {
	e := Expr{Text: strings.TrimSpace(text)}
	switch e.Text {
	case "":
		return e, fmt.Errorf("nothing is given; name a port of the design, a constant, or none")
	case "none":
		e.None = true
		return e, nil
	}
	if is, err := e.timed(); is {
		return e, err
	}
	p := parser{rest: e.Text, names: names}
	if err := p.expr(&e.Pieces, false); err != nil {
		return e, fmt.Errorf("%q: %w", e.Text, err)
	}
	if p.skip(); p.rest != "" {
		return e, fmt.Errorf("%q: %q is left over; put several ports in braces", e.Text, p.rest)
	}
	free := 0
	for i := range e.Pieces {
		if e.Pieces[i].Const != nil && e.Pieces[i].Width == 0 {
			free++
		}
	}
	if free > 0 && len(e.Pieces) > 1 {
		return e, fmt.Errorf("%q: a constant among others needs its width, as in 4'd0", e.Text)
	}
	return e, nil
}

type parser struct {
	rest  string
	names []string
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " \t") }

// take removes what a pattern matches and returns its groups, or nil.
func (p *parser) take(re *regexp.Regexp) []string {
	m := re.FindStringSubmatch(p.rest)
	if m != nil {
		p.rest = p.rest[len(m[0]):]
	}
	return m
}

func (p *parser) expr(out *[]Piece, invert bool) error {
	p.skip()
	switch {
	case p.rest == "":
		return fmt.Errorf("it ends where a port or a constant is expected")
	case p.rest[0] == '~' || p.rest[0] == '!':
		p.rest = p.rest[1:]
		return p.expr(out, !invert)
	case p.rest[0] == '{':
		for {
			p.rest = p.rest[1:]
			if err := p.expr(out, invert); err != nil {
				return err
			}
			if p.skip(); p.rest == "" {
				return fmt.Errorf("a } is missing")
			}
			switch p.rest[0] {
			case ',':
				continue
			case '}':
				p.rest = p.rest[1:]
				return nil
			}
			return fmt.Errorf("%q is neither , nor }", p.rest)
		}
	}
	piece, err := p.piece()
	piece.Invert = invert
	*out = append(*out, piece)
	return err
}

// name takes the name of a port or member: an identifier, one of the names that are known, or any behind a backslash,
// up to the next space.
func (p *parser) name() (string, bool) {
	if m := p.take(escaped); m != nil {
		return m[1], true
	}
	if name := p.odd(); name != "" {
		p.rest = p.rest[len(name):]
		return name, true
	}
	m := p.take(portName)
	if m == nil {
		return "", false
	}
	return m[0], true
}

// odd returns the known name with which the rest begins, "" if none.
func (p *parser) odd() string {
	for _, name := range p.names {
		after, is := strings.CutPrefix(p.rest, name)
		if is && (after == "" || !identifier("x"+after[:1]) || !identifier("x"+name[len(name)-1:])) {
			return name
		}
	}
	return ""
}

func (p *parser) piece() (Piece, error) {
	if p.odd() != "" {
		return p.port()
	}
	if m := p.take(sized); m != nil {
		base := map[string]int{"b": 2, "o": 8, "d": 10, "h": 16}[strings.ToLower(m[2])]
		v, ok := new(big.Int).SetString(strings.ReplaceAll(m[3], "_", ""), base)
		w, _ := strconv.Atoi(m[1])
		if !ok {
			return Piece{}, fmt.Errorf("%s is not a number of base %d", m[3], base)
		}
		if m[1] != "" && (w < 1 || v.BitLen() > w) {
			return Piece{}, fmt.Errorf("%s does not fit into %d bits", v, w)
		}
		return Piece{Const: v, Width: w}, nil
	}
	if m := p.take(based); m != nil {
		v, ok := new(big.Int).SetString(strings.ReplaceAll(m[0], "_", ""), 0)
		if !ok {
			return Piece{}, fmt.Errorf("%s is not a number", m[0])
		}
		return Piece{Const: v}, nil
	}
	if m := p.take(plain); m != nil {
		v, _ := new(big.Int).SetString(m[0], 10)
		return Piece{Const: v}, nil
	}
	return p.port()
}

func (p *parser) port() (Piece, error) {
	name, ok := p.name()
	if !ok {
		return Piece{}, fmt.Errorf("%q is not a port, constant, ~ or {", p.rest)
	}
	out := Piece{Port: name}
	for strings.HasPrefix(p.rest, ".") {
		p.rest = p.rest[1:]
		if name, ok = p.name(); !ok {
			return out, fmt.Errorf("a member's name is missing after the dot")
		}
		out.Members = append(out.Members, name)
	}
	if m := p.take(slice); m != nil {
		out.Slice = true
		out.From, _ = strconv.Atoi(m[1])
		out.To = out.From
		if m[2] != "" {
			out.To, _ = strconv.Atoi(m[2])
		}
	} else if strings.HasPrefix(p.rest, "[") {
		return out, fmt.Errorf("%q is not a slice; write [7:4] or [3]", p.rest)
	}
	return out, nil
}

// name returns the port with its members, as written.
func (p *Piece) name() string { return strings.Join(append([]string{p.Port}, p.Members...), ".") }
