package gen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// event compiles one event line: a kind, fields, and after -> what the response
// must hold.
func (p *dparser) event(ws []string) error {
	words := make([]uint64, p.lay.In.Words)
	kind := ws[0]
	if !p.set(words, "kind", kind) {
		return fmt.Errorf("%q is neither a keyword nor an event kind", kind)
	}
	fields, wants := ws[1:], []string(nil)
	if i := slices.Index(ws, "->"); i >= 0 {
		fields, wants = ws[1:i], ws[i+1:]
	}
	st := dstep{words: words, file: p.file, line: p.lineNo}
	st.global = kind == "CFG_WRITE" || kind == "CFG_READ"
	val := map[string]*big.Int{}
	for _, w := range fields {
		name, expr, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q: want field=value", w)
		}
		if s := p.lay.In.Slot("ev", name); s != nil && s.Field.Enum != "" {
			if code, ok := enumCode(p.b, &s.Field, expr); ok {
				val[name] = new(big.Int).SetUint64(code)
				continue
			}
		}
		v, err := p.eval(expr)
		if err != nil {
			return err
		}
		val[name] = v
	}
	st.global = st.global || p.d.Global != nil && p.d.Global(kind, val)
	if p.fill != nil {
		p.fill(kind, val)
	}
	if _, ok := val["now"]; !ok {
		val["now"] = big.NewInt(epoch)
	}
	for _, name := range sortedKeys(val) {
		s := p.lay.In.Slot("ev", name)
		if s == nil {
			return fmt.Errorf("event field %q: unknown", name)
		}
		s.Set(words, mask(val[name], s.Field.Width))
	}
	if kind == "CFG_WRITE" {
		p.note(val)
	}
	for _, w := range wants {
		want, err := p.want(w)
		if err != nil {
			return err
		}
		st.want = append(st.want, want)
	}
	p.c.steps = append(p.c.steps, st)
	p.sent = true
	return nil
}

// note keeps up with configuration that an event line writes.
func (p *dparser) note(val map[string]*big.Int) {
	addr, ok := val["addr"]
	if !ok {
		return
	}
	other := val["profile"] != nil && val["profile"].Sign() != 0
	for _, r := range p.b.Registers {
		if other && !slices.Contains(p.d.Shared, r.Name) {
			continue // expressions see profile 0
		}
		if v, ok := val["data"]; ok && int64(r.Addr) == addr.Int64() {
			p.reg[r.Name] = new(big.Int).SetUint64(mask(v, r.Width))
		}
	}
}

// want compiles one expectation: name=value, +flag or -flag.
func (p *dparser) want(text string) (dwant, error) {
	name, expr, ok := strings.Cut(text, "=")
	switch {
	case ok:
	case strings.HasPrefix(text, "+"):
		name, expr = text[1:], "1"
	case strings.HasPrefix(text, "-"):
		name, expr = text[1:], "0"
	default:
		return dwant{}, fmt.Errorf("%q: want name=value, +flag or -flag", text)
	}
	s := p.lay.Out.Slot("rsp", name)
	if s == nil {
		return dwant{}, fmt.Errorf("response field %q: unknown", name)
	}
	w := dwant{name: name, word: s.Word, bit: s.Bit, width: s.Field.Width}
	if s.Field.Enum != "" {
		if code, ok := enumCode(p.b, &s.Field, expr); ok {
			w.value = code
			return w, nil
		}
	}
	v, err := p.eval(expr)
	if err != nil {
		return dwant{}, err
	}
	w.value = mask(v, s.Field.Width)
	return w, nil
}

func sortedKeys(m map[string]*big.Int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
