package casefile

import (
	"maps"
	"math/big"
	"slices"
	"strings"
)

// event compiles an event line: a kind, its fields and, after ->, what the response must hold.
func (p *Parser) event(ws []string) {
	words := make([]uint64, p.lay.In.Words)
	kind := ws[0]
	if !p.set(words, "kind", kind) {
		fail("%q is neither a keyword nor an event kind", kind)
	}
	fields, wants := ws[1:], []string(nil)
	if i := slices.Index(ws, "->"); i >= 0 {
		fields, wants = ws[1:i], ws[i+1:]
	}
	st := Step{Words: words, At: p.at()}
	st.Global = kind == "CFG_WRITE" || kind == "CFG_READ"
	val := map[string]*big.Int{}
	for _, w := range fields {
		name, expr, ok := strings.Cut(w, "=")
		if !ok {
			fail("%q: want field=value", w)
		}
		if s := p.lay.In.Slot("ev", name); s != nil && s.Field.Enum != "" {
			if code, ok := enumCode(p.b, &s.Field, expr); ok {
				val[name] = new(big.Int).SetUint64(code)
				continue
			}
		}
		v, err := p.eval(expr)
		if addr, ok := address(p.b, expr); ok && name == "addr" { // for other fields the name means the register's value
			v, err = new(big.Int).SetUint64(addr), nil
		}
		check(err)
		if val[name] != nil {
			fail("%q: %s already has a value", w, name)
		}
		val[name] = v
	}
	st.Global = st.Global || p.d.Global != nil && p.d.Global(kind, val)
	if p.fill != nil {
		p.fill(kind, val)
	}
	if _, ok := val["now"]; !ok {
		val["now"] = big.NewInt(Epoch)
	}
	for _, name := range slices.Sorted(maps.Keys(val)) {
		s := p.lay.In.Slot("ev", name)
		if s == nil {
			fail("event field %q: unknown", name)
		}
		check(fitsBig(name, val[name], s.Field.Width))
		s.Set(words, Bits(val[name], s.Field.Width))
	}
	if kind == "CFG_WRITE" {
		p.note(val)
	}
	for _, w := range wants {
		st.Want = append(st.Want, p.want(w))
	}
	p.c.Steps = append(p.c.Steps, st)
	p.sent = true
}

// note updates the register values for a configuration event.
func (p *Parser) note(val map[string]*big.Int) {
	addr, ok := val["addr"]
	if !ok {
		return
	}
	other := val["profile"] != nil && val["profile"].Sign() != 0
	for _, r := range p.b.Registers {
		if other && !slices.Contains(p.d.Shared, r.Name) {
			continue // expressions use profile 0
		}
		if v, ok := val["data"]; ok && int64(r.Addr) == addr.Int64() {
			p.Registers[r.Name] = new(big.Int).SetUint64(Bits(v, r.Width))
		}
	}
}

// want compiles one expectation: name=value, +flag or -flag.
func (p *Parser) want(text string) Want {
	name, expr := cutWant(text)
	s := p.lay.Out.Slot("rsp", name)
	if s == nil {
		fail("response field %q: unknown", name)
	}
	w := Want{Name: name, Word: s.Word, bit: s.Bit, width: s.Field.Width}
	if s.Field.Enum != "" {
		if code, ok := enumCode(p.b, &s.Field, expr); ok {
			w.Value = code
			return w
		}
	}
	v := must(p.eval(expr))
	check(fitsBig(name, v, w.width))
	w.Value = Bits(v, w.width)
	return w
}
