package casefile

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/expr"
)

// Case is one directed case: a rule of the contract, the state and configuration it starts from, the events, and what
// they must do.
type Case struct {
	Name   string
	About  string
	Closed bool           // the contexts are not opened beforehand
	Bare   bool           // the contexts are opened but not loaded
	Params map[string]int // parameters that the expectations apply to; defaults for the rest
	Load   []uint64
	Slots  []uint64 // preload of the word that each slot has
	Steps  []Step
	State  []Want // expected state words at the end
}

// Step is one event. Every context gets it in turn, or only one if it is global.
type Step struct {
	Words  []uint64
	Global bool
	At     string // file and line, for messages
	Want   []Want
}

// Want is an expected field of the response, or of a state word.
type Want struct {
	Name  string
	Word  int
	bit   int
	width int
	Value uint64
	Slot  int // slot number, for a state word that each slot has
}

// Get returns the field's raw bits.
func (w *Want) Get(src []uint64) uint64 {
	return src[w.Word] >> w.bit & (^uint64(0) >> (64 - w.width))
}

// Epoch is the time T of directed cases, in ticks.
const Epoch = 2000000

// Dialect completes the language for a block with one stream of events, ev, and one of responses, rsp.
type Dialect struct {
	Block *event.Block

	// Preload is the state that a case starts from by default; fields not listed are 0.
	Preload map[string]int64

	// Slot is the state word that exists Slots times. Cases append the slot's number to its name. "" for none.
	Slot  string
	Slots int

	// Shared are the registers that all profiles have in common. Expressions use those of profile 0.
	Shared []string

	// Global reports whether an event is given once instead of to every context in turn.
	Global func(kind string, fields map[string]*big.Int) bool

	// Begin returns, for each new case, a function that completes its events: it replaces abbreviations by fields and adds
	// the defaults of the kind. It may be nil.
	Begin func(p *Parser) func(kind string, fields map[string]*big.Int)
}

// Parser compiles the text of directed cases. README.md has the grammar.
type Parser struct {
	d         *Dialect
	fill      func(kind string, fields map[string]*big.Int)
	b         *event.Block
	lay       *event.Layout
	c         *Case
	out       []Case
	Registers map[string]*big.Int // current register values
	State     map[string]*big.Int // preloaded state
	sent      bool                // an event has been seen: preload is over
	file      string
	lineNo    int
}

// Parse compiles the cases of one file and appends them to before. Errors name the line.
func (d *Dialect) Parse(before []Case, file, text string) ([]Case, error) {
	b := d.Block
	p := &Parser{d: d, b: b, lay: event.NewLayout(b), file: file, out: before}
	for _, line := range strings.Split(text, "\n") {
		p.lineNo++
		line, _, _ = strings.Cut(line, "#")
		if err := caught(func() { p.line(strings.Fields(line)) }); err != nil {
			return nil, fmt.Errorf("directed cases of %s, %s: %w", b.Name, p.at(), err)
		}
	}
	p.end()
	return p.out, nil
}

// at returns the place of the line being read.
func (p *Parser) at() string { return fmt.Sprintf("%s line %d", p.file, p.lineNo) }

func (p *Parser) line(w []string) {
	if len(w) == 0 {
		return
	}
	if w[0] == "case" {
		p.end()
		p.begin(w[1:])
		return
	}
	if p.c == nil {
		fail("%q comes before the first case", w[0])
	}
	switch w[0] {
	case "closed":
		p.c.Closed = true
	case "opened":
		p.c.Bare = true
	case "params":
		check(addParams(&p.c.Params, p.b, w[1:], func(text string) (uint64, error) {
			v, err := p.eval(text)
			if err != nil {
				return 0, err
			}
			return uint64(v.Int64()), nil
		}))
	case "reg":
		p.registers(w[1:])
	case "with":
		if p.sent {
			fail("with must come before the first event")
		}
		p.preload(w[1:])
	case "state":
		p.final(w[1:])
	default:
		p.event(w)
	}
}

// begin starts a case with everything at its default.
func (p *Parser) begin(w []string) {
	if len(w) == 0 || strings.ToLower(w[0]) != w[0] {
		fail("a case needs a lower-case name")
	}
	for _, c := range p.out {
		if c.Name == w[0] {
			fail("case %s: named twice", w[0])
		}
	}
	p.c = &Case{Name: w[0], About: strings.Join(w[1:], " ")}
	p.sent = false
	p.Registers, p.State = map[string]*big.Int{}, map[string]*big.Int{}
	for _, r := range p.b.Registers {
		p.Registers[r.Name] = new(big.Int).SetUint64(r.Reset)
	}
	for _, word := range p.b.Words {
		for _, f := range word.Fields {
			p.State[f.Name] = new(big.Int)
		}
	}
	if d := p.d; d.Slot != "" {
		delete(p.State, d.Slot)
		for i := range d.Slots {
			p.State[fmt.Sprint(d.Slot, i)] = new(big.Int)
		}
	}
	for name, v := range p.d.Preload {
		p.State[name] = big.NewInt(v)
	}
	p.fill = nil
	if p.d.Begin != nil {
		p.fill = p.d.Begin(p)
	}
}

// end finishes the case being read.
func (p *Parser) end() {
	if p.c == nil {
		return
	}
	p.c.Load = make([]uint64, len(p.b.Words))
	for i, word := range p.b.Words {
		for _, f := range word.Fields {
			if f.Name != p.d.Slot {
				p.c.Load[i] |= Bits(p.State[f.Name], f.Width) << f.LSB
				continue
			}
			for n := range p.d.Slots {
				p.c.Slots = append(p.c.Slots, Bits(p.State[fmt.Sprint(p.d.Slot, n)], f.Width)<<f.LSB)
			}
		}
	}
	p.out = append(p.out, *p.c)
	p.c = nil
}

// Bits returns the low bits of a number, in two's complement.
func Bits(v *big.Int, width int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return new(big.Int).Mod(v, m).Uint64()
}

func (p *Parser) eval(text string) (*big.Int, error) {
	v, err := expr.Value(text, func(name string) (*big.Int, bool) {
		if name == "T" {
			return big.NewInt(Epoch), true
		}
		if v, ok := p.Registers[name]; ok {
			return v, true
		}
		v, ok := p.State[name]
		return v, ok
	})
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return v, nil
}

// assign splits name=value and evaluates the value.
func (p *Parser) assign(text string) (string, *big.Int) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		fail("%q: want name=value", text)
	}
	return name, must(p.eval(value))
}

// registers compiles configuration writes of profile 0, or of the profile given first. Expressions use the values of
// profile 0.
func (p *Parser) registers(ws []string) {
	profile := new(big.Int)
	for i, w := range ws {
		name, v := p.assign(w)
		if name == "profile" && i == 0 {
			profile = v
			continue
		}
		r := p.b.Register(name)
		if r == nil {
			fail("register %q: unknown", name)
		}
		if profile.Sign() == 0 {
			p.Registers[name] = v
		}
		words := make([]uint64, p.lay.In.Words)
		p.set(words, "kind", "CFG_WRITE")
		p.lay.In.Slot("ev", "addr").Set(words, uint64(r.Addr))
		p.lay.In.Slot("ev", "data").Set(words, Bits(v, 64))
		if profile.Sign() != 0 {
			p.lay.In.Slot("ev", "profile").Set(words, Bits(profile, 4))
		}
		p.c.Steps = append(p.c.Steps, Step{Words: words, Global: true, At: p.at()})
	}
}

func (p *Parser) preload(ws []string) {
	for _, w := range ws {
		name, v := p.assign(w)
		if _, ok := p.State[name]; !ok {
			fail("state field %q: unknown", name)
		}
		p.State[name] = v
	}
}

// final compiles the expected state at the end.
func (p *Parser) final(ws []string) {
	for _, w := range ws {
		name, v := p.assign(w)
		found := false
		for i, word := range p.b.Words {
			for _, f := range word.Fields {
				slot, err := 0, error(nil)
				if text, ok := strings.CutPrefix(name, p.d.Slot); ok && p.d.Slot != "" && f.Name == p.d.Slot {
					slot, err = strconv.Atoi(text)
				} else if f.Name != name {
					continue
				}
				check(fitsBig(name, v, f.Width))
				if found = err == nil; found {
					p.c.State = append(p.c.State, Want{name, i, f.LSB, f.Width, Bits(v, f.Width), slot})
				}
			}
		}
		if !found {
			fail("state field %q: unknown", name)
		}
	}
}

// set writes an enum code, given by name or as a number.
func (p *Parser) set(words []uint64, field, code string) bool {
	s := p.lay.In.Slot("ev", field)
	if v, ok := enumCode(p.b, &s.Field, code); ok {
		s.Set(words, v)
		return true
	}
	return false
}

// enumCode returns the code of a name, or the number itself.
func enumCode(b *event.Block, f *event.Field, text string) (uint64, bool) {
	if v := b.Enum(f.Enum).Value(text); v != nil {
		return v.Value, true
	}
	v, err := strconv.ParseUint(text, 0, 64)
	return v, err == nil
}
