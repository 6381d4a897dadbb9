package bind

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// node is one node of Verilator's tree, of either form.
type node struct {
	kind string // var, basicdtype, senitem ...
	attr map[string]string
	kids []*node
}

// netlist is what both forms of the tree have in common.
type netlist struct {
	files   map[string]string // by letter: path
	types   map[string]*node
	modules []*node
	ifaces  []*node
}

// find returns the nodes of a kind below n, n included.
func (n *node) find(kind string, out []*node) []*node {
	if n.kind == kind {
		out = append(out, n)
	}
	for _, k := range n.kids {
		out = k.find(kind, out)
	}
	return out
}

// readXML reads what --xml-only writes.
func readXML(text []byte) (*netlist, error) {
	dec := xml.NewDecoder(strings.NewReader(string(text)))
	root := &node{}
	stack := []*node{root}
	for {
		tok, err := dec.Token()
		if tok == nil && err != nil && len(stack) == 1 && len(root.kids) > 0 {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTree, err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			n := &node{kind: t.Name.Local, attr: map[string]string{}}
			for _, a := range t.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			top := stack[len(stack)-1]
			top.kids = append(top.kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	out := newNetlist(root, "id")
	for _, f := range root.find("file", nil) {
		out.files[f.attr["id"]] = f.attr["filename"]
	}
	return out, nil
}

// newNetlist returns what is below the root of a tree whose types are known by an attribute.
func newNetlist(root *node, id string) *netlist {
	out := &netlist{files: map[string]string{}, types: map[string]*node{}, modules: root.find("module", nil),
		ifaces: root.find("iface", nil)}
	for _, table := range root.find("typetable", nil) {
		for _, t := range table.kids {
			out.types[t.attr[id]] = t
		}
	}
	return out
}

// readJSON reads what --json-only writes, the tree and the names of the files, into the same terms.
func readJSON(text, meta []byte) (*netlist, error) {
	tree, err := jsonValue(json.NewDecoder(bytes.NewReader(text)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTree, err)
	}
	var about struct {
		Files map[string]struct {
			Filename string `json:"filename"`
		} `json:"files"`
	}
	if err := json.Unmarshal(meta, &about); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTree, err)
	}
	root := &node{}
	jsonNodes(tree, root)
	out := newNetlist(root, "addr")
	for id, f := range about.Files {
		out.files[id] = f.Filename
	}
	return out, nil
}

// jsonValue reads a value. Of several entries of one key the first counts: Verilator 5.048 writes the name of a member
// of a struct as it is in the source, and then again in its own code.
func jsonValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		var list []any
		for d.More() {
			v, err := jsonValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := jsonValue(d)
			if err != nil {
				return nil, err
			}
			if _, twice := object[key.(string)]; !twice {
				object[key.(string)] = v
			}
		}
		_, err = d.Token()
		return object, err
	}
	return t, nil
}

// jsonNodes appends the nodes of a JSON value to a parent's.
func jsonNodes(v any, parent *node) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			jsonNodes(e, parent)
		}
	case map[string]any:
		n := &node{attr: map[string]string{}}
		for _, key := range slices.Sorted(maps.Keys(x)) {
			switch e := x[key].(type) {
			case string:
				n.attr[key] = e
			case bool:
				n.attr[key] = strconv.FormatBool(e)
			default:
				jsonNodes(e, n)
			}
		}
		n.kind = strings.ToLower(n.attr["type"])
		n.jsonTerms()
		parent.kids = append(parent.kids, n)
	}
}

// jsonTerms gives a node the attributes that the XML form has.
func (n *node) jsonTerms() {
	a := n.attr
	switch strings.ToLower(a["direction"]) {
	case "input", "output", "inout":
		a["dir"] = strings.ToLower(a["direction"])
	}
	if a["isGParam"] == "true" {
		a["param"] = "true"
	}
	a["dtype_id"] = a["dtypep"]
	a["sub_dtype_id"] = a["refDTypep"]
	if a["sub_dtype_id"] == "" {
		a["sub_dtype_id"] = a["dtypep"]
	}
	if left, right, ok := strings.Cut(a["range"], ":"); ok {
		a["left"], a["right"] = left, right
	}
	if n.kind == "basicdtype" && a["keyword"] != "" {
		a["name"] = a["keyword"]
	}
	// The declared range of a packed array: "[1:0]".
	if left, right, ok := strings.Cut(strings.Trim(a["declRange"], "[]"), ":"); ok {
		a["left"], a["right"] = left, right
	}
}

// module returns the top module. Verilator puts it first; a parameter may have renamed it.
func (n *netlist) module(top string) (*Module, error) {
	var mod *node
	for _, m := range n.modules {
		if m.attr["topModule"] == "1" || mod == nil && (decoded(m.attr["origName"]) == top || m.attr["name"] == top) {
			mod = m
		}
	}
	if mod == nil {
		return nil, fmt.Errorf("%w: it has no module %s", ErrTree, top)
	}
	out := &Module{Name: top}
	for _, v := range mod.kids {
		if v.kind != "var" {
			continue
		}
		name := decoded(v.attr["origName"])
		if v.attr["param"] == "true" {
			out.Params = append(out.Params, name)
		}
		dir := v.attr["dir"]
		if dir == "" {
			continue
		}
		p := Port{Name: name, Dir: strings.TrimSuffix(dir, "put"), Line: n.place(v.attr["loc"])}
		t := n.shape(v.attr["dtype_id"], 0)
		p.Width, p.Left, p.Right, p.Members, p.Type, p.Dims, p.Elem = t.width, t.left, t.right,
			t.members, t.name, t.dims, t.elem
		out.Ports = append(out.Ports, p)
	}
	for _, m := range n.modules {
		for _, s := range m.find("senitem", nil) {
			for _, r := range s.find("varref", nil) {
				e := Edge{r.attr["name"], s.attr["edgeType"] == "NEG"}
				if !slices.Contains(out.Edges, e) {
					out.Edges = append(out.Edges, e)
				}
			}
		}
	}
	for _, f := range n.files {
		if !strings.HasPrefix(f, "<") {
			if abs, err := filepath.Abs(f); err == nil {
				f = abs
			}
			out.Files = append(out.Files, f)
		}
	}
	slices.Sort(out.Files)
	return out, nil
}

// place turns a location such as "c,3,8,3,9" or "c,3:8,3:9" into file:line.
func (n *netlist) place(loc string) string {
	file, rest, ok := strings.Cut(loc, ",")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, ",")
	line, _, _ = strings.Cut(line, ":")
	return shorten(n.files[file]) + ":" + line
}

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
		l, r, ok := t.bounds()
		if !ok {
			return shape{name: "packed array of unknown size"}
		}
		return flat("packed array", s.width*(max(l, r)-min(l, r)+1))
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
	if l, r, ok := t.declared(); ok {
		return shape{name: fmt.Sprintf("%s [%d:%d]", name, l, r), width: max(l, r) - min(l, r) + 1, left: l, right: r}
	}
	widths := map[string]int{"logic": 1, "bit": 1, "wire": 1, "reg": 1, "logic_implicit": 1, "byte": 8, "shortint": 16,
		"int": 32, "integer": 32, "longint": 64, "time": 64}
	w := widths[strings.ToLower(name)]
	return shape{name: name, width: w, left: max(w-1, 0)}
}

// declared returns the range that the attributes have.
func (t *node) declared() (l, r int, ok bool) {
	l, errL := strconv.Atoi(t.attr["left"])
	r, errR := strconv.Atoi(t.attr["right"])
	return l, r, errL == nil && errR == nil
}

// bounds returns the declared range of an array.
func (t *node) bounds() (l, r int, ok bool) {
	if l, r, ok := t.declared(); ok {
		return l, r, true
	}
	consts := t.find("const", nil)
	if len(consts) < 2 {
		return 0, 0, false
	}
	l, okL := constant(consts[0].attr["name"])
	r, okR := constant(consts[1].attr["name"])
	return l, r, okL && okR
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
