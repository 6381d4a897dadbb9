package bind

import (
	"fmt"
	"strconv"
	"strings"
)

// shape is a type in bits.
type shape struct {
	name        string
	width       int
	left, right int
	members     []Member
	dims        [][2]int // of an unpacked array
	elem        int      // width of its elements
}

// maxDepth bounds the chain of type references, which a broken tree could make endless.
const maxDepth = 64

// shape returns a type; width 0 means that it is not a vector of bits.
func (n *netlist) shape(id string, depth int) shape {
	t := n.types[id]
	if t == nil || depth > maxDepth {
		return shape{name: "unknown type"}
	}
	flat := func(name string, width int) shape { return shape{name: name, width: width, left: width - 1} }
	sub := func() shape { return n.shape(t.attr["sub_dtype_id"], depth+1) }
	switch t.kind {
	case "basicdtype":
		return basic(t)
	case "refdtype", "constdtype", "memberdtype", "paramtypedtype":
		return sub()
	case "enumdtype":
		s := sub()
		return flat("enum "+t.attr["name"], s.width)
	case "packarraydtype":
		s := sub()
		count, ok := t.count()
		if !ok {
			return shape{name: "packed array of unknown size"}
		}
		return flat("packed array", s.width*count)
	case "structdtype", "uniondtype":
		return n.aggregate(t, depth)
	case "unpackarraydtype":
		s, out := sub(), shape{name: "unpacked array"}
		if l, r, ok := t.bounds(); ok && (s.width > 0 || s.dims != nil) {
			out.dims, out.elem = append([][2]int{{l, r}}, s.dims...), max(s.width, s.elem)
		}
		return out
	}
	return shape{name: t.kind}
}

// basic returns the shape of a vector or of one of the integer types.
func basic(t *node) shape {
	name := t.attr["name"]
	l, errL := strconv.Atoi(t.attr["left"])
	r, errR := strconv.Atoi(t.attr["right"])
	if errL == nil && errR == nil {
		w := l - r
		if w < 0 {
			w = -w
		}
		return shape{name: fmt.Sprintf("%s [%d:%d]", name, l, r), width: w + 1, left: l, right: r}
	}
	widths := map[string]int{"logic": 1, "bit": 1, "wire": 1, "reg": 1, "logic_implicit": 1, "byte": 8, "shortint": 16,
		"int": 32, "integer": 32, "longint": 64, "time": 64}
	w := widths[strings.ToLower(name)]
	return shape{name: name, width: w, left: max(w-1, 0)}
}

// bounds returns the declared range of an array.
func (t *node) bounds() (l, r int, ok bool) {
	l, errL := strconv.Atoi(t.attr["left"])
	r, errR := strconv.Atoi(t.attr["right"])
	if errL != nil || errR != nil {
		consts := t.find("const", nil)
		if len(consts) < 2 {
			return 0, 0, false
		}
		var okL, okR bool
		l, okL = constant(consts[0].attr["name"])
		r, okR = constant(consts[1].attr["name"])
		if !okL || !okR {
			return 0, 0, false
		}
	}
	return l, r, true
}

// count returns the elements of a packed array.
func (t *node) count() (int, bool) {
	l, r, ok := t.bounds()
	if !ok {
		return 0, false
	}
	if l < r {
		l, r = r, l
	}
	return l - r + 1, true
}

// constant reads a number as Verilator writes it: 32'h1f, 32'sh1.
func constant(text string) (int, bool) {
	_, digits, ok := strings.Cut(text, "'")
	if !ok {
		return 0, false
	}
	digits = strings.TrimPrefix(digits, "s")
	v, err := strconv.ParseUint(strings.TrimPrefix(digits, "h"), 16, 31)
	return int(v), err == nil
}

// aggregate returns the shape of a packed struct, its first member most significant, or of a union.
func (n *netlist) aggregate(t *node, depth int) shape {
	s := shape{name: "struct " + t.attr["name"]}
	var widths []int
	for _, m := range t.kids {
		if m.kind != "memberdtype" {
			continue
		}
		sub := n.shape(m.attr["sub_dtype_id"], depth+1)
		if sub.width == 0 {
			return shape{name: "unpacked struct"}
		}
		s.members = append(s.members, Member{Name: m.attr["name"], Width: sub.width, Members: sub.members})
		widths = append(widths, sub.width)
	}
	if t.kind == "uniondtype" {
		for _, w := range widths {
			s.width = max(s.width, w)
		}
	} else {
		for i := len(widths) - 1; i >= 0; i-- {
			s.members[i].LSB = s.width
			s.width += widths[i]
		}
	}
	s.left = max(s.width-1, 0)
	return s
}
