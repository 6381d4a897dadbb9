package prove

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A literal is twice the number of a node, plus one for its inverse. Node 0 is the constant 0, as in AIGER.
type literal int

const (
	zero literal = 0
	one  literal = 1
)

func (l literal) not() literal { return l ^ 1 }

// circuit is what Yosys writes of one module: an and-inverter graph with the names of its ports and registers.
type circuit struct {
	inputs      [][]string // names, by position; none for a signal without a driver
	registers   []register
	outputs     []output
	bads        []literal // of what is asserted: it does not hold
	constraints []literal // of what is assumed: it holds
	ands        [][3]literal
}

type register struct {
	names []string
	next  literal
	init  literal // zero, one, or anything else for a register that starts with any value
}

// start returns zero, one, or another literal for any value.
func (r *register) start() literal { return min(r.init, one+1) }

type output struct {
	name  string
	value literal
}

// readCircuit reads a file in the text form of AIGER. Yosys numbers inputs and registers in their order, and gates
// after what they read.
func readCircuit(path string) (*circuit, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, harness(err)
	}
	lines := strings.Split(string(text), "\n")
	var head []int
	for _, f := range strings.Fields(strings.TrimPrefix(lines[0], "aag ")) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: header %q", ErrProof, path, lines[0])
		}
		head = append(head, n)
	}
	if !strings.HasPrefix(lines[0], "aag ") || len(head) < 5 || len(head) > 9 {
		return nil, fmt.Errorf("%w: %s: header %q", ErrProof, path, lines[0])
	}
	head = append(head, 0, 0, 0, 0)
	if slices.Max(head[7:]) > 0 {
		return nil, fmt.Errorf("%w: %s holds properties of liveness", ErrProof, path)
	}
	at := 1
	next := func(n int) ([]literal, error) {
		if at >= len(lines) {
			return nil, fmt.Errorf("%w: %s ends early", ErrProof, path)
		}
		var out []literal
		for _, f := range strings.Fields(lines[at]) {
			x, err := strconv.Atoi(f)
			if err != nil || x < 0 || x > 2*head[0]+1 {
				return nil, fmt.Errorf("%w: %s: line %d: %q", ErrProof, path, at+1, lines[at])
			}
			out = append(out, literal(x))
		}
		at++
		if len(out) < n {
			return nil, fmt.Errorf("%w: %s: line %d: %q", ErrProof, path, at, lines[at-1])
		}
		return out, nil
	}
	c := &circuit{inputs: make([][]string, head[1])}
	section := func(n, words int, keep func(l []literal)) {
		for range n {
			var l []literal
			if err == nil {
				l, err = next(words)
			}
			if err == nil {
				keep(l)
			}
		}
	}
	section(head[1], 1, func([]literal) {})
	section(head[2], 2, func(l []literal) {
		c.registers = append(c.registers, register{next: l[1], init: append(l, zero)[2]})
	})
	section(head[3], 1, func(l []literal) { c.outputs = append(c.outputs, output{value: l[0]}) })
	section(head[5], 1, func(l []literal) { c.bads = append(c.bads, l[0]) })
	section(head[6], 1, func(l []literal) { c.constraints = append(c.constraints, l[0]) })
	section(head[4], 3, func(l []literal) { c.ands = append(c.ands, [3]literal(l)) })
	if err != nil {
		return nil, err
	}
	return c, c.symbols(path, lines[at:])
}

// symbols reads the names at the end of a file.
func (c *circuit) symbols(path string, lines []string) error {
	for _, line := range lines {
		if line == "" || line == "c" {
			break
		}
		place, name, ok := strings.Cut(line[1:], " ")
		i, err := strconv.Atoi(place)
		if !ok || err != nil {
			return fmt.Errorf("%w: %s: symbol %q", ErrProof, path, line)
		}
		switch {
		case line[0] == 'i' && i < len(c.inputs):
			c.inputs[i] = strings.Fields(name)
		case line[0] == 'l' && i < len(c.registers):
			c.registers[i].names = own(strings.Fields(name))
		case line[0] == 'o' && i < len(c.outputs):
			c.outputs[i].name = name
		}
	}
	return nil
}

// own returns the names of a register that the RTL gives it, or all if autoname gave each. Autoname calls a register
// that selects the input of another <other>_$, so that such a name would stand for the wrong register.
func own(names []string) []string {
	var out []string
	for _, name := range names {
		if !strings.Contains(name, "$") {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return names
	}
	return out
}

// network is an and-inverter graph under construction. Equal gates are one gate.
type network struct {
	kinds       []byte // 'i', 'l', 'a'; of node 0, the constant, ' '
	ands        [][2]literal
	known       map[[2]literal]literal
	next, init  map[literal]literal // of registers; init: zero or one
	bads        []literal
	constraints []literal
	err         error // the first; nothing is known about the network then
}

func (n *network) fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf("%w: "+format, append([]any{ErrProof}, args...)...)
	}
}

func newNetwork() *network {
	return &network{kinds: []byte{' '}, ands: make([][2]literal, 1), known: map[[2]literal]literal{},
		next: map[literal]literal{}, init: map[literal]literal{}}
}

func (n *network) node(kind byte, a, b literal) literal {
	n.kinds, n.ands = append(n.kinds, kind), append(n.ands, [2]literal{a, b})
	return literal(2 * (len(n.kinds) - 1))
}

func (n *network) input() literal { return n.node('i', 0, 0) }

// register returns a register that starts with 0 or 1; its next value is set later.
func (n *network) register(init literal) literal {
	l := n.node('l', 0, 0)
	n.init[l] = init
	return l
}

func (n *network) and(a, b literal) literal {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == zero || a == b.not():
		return zero
	case a == one || a == b:
		return b
	}
	l, ok := n.known[[2]literal{a, b}]
	if !ok {
		l = n.node('a', a, b)
		n.known[[2]literal{a, b}] = l
	}
	return l
}

func (n *network) or(a, b literal) literal { return n.and(a.not(), b.not()).not() }

func (n *network) xor(a, b literal) literal {
	return n.or(n.and(a, b.not()), n.and(a.not(), b))
}

func (n *network) choose(which, a, b literal) literal {
	return n.or(n.and(which, a), n.and(which.not(), b))
}

// embed adds the gates of a circuit, whose inputs and registers have the given literals, and returns what each literal
// of the circuit has become.
func (n *network) embed(c *circuit, inputs, registers []literal) func(literal) literal {
	at := append(append([]literal{zero}, inputs...), registers...)
	of := func(l literal) literal { return at[l/2] ^ l&1 }
	for _, g := range c.ands {
		if int(g[0]) != 2*len(at) || int(g[1]/2) >= len(at) || int(g[2]/2) >= len(at) {
			n.fail("gates of an AIGER file are out of order")
			return func(literal) literal { return zero }
		}
		at = append(at, n.and(of(g[1]), of(g[2])))
	}
	return of
}

// write writes the network in the binary form of AIGER.
func (n *network) write(path string) error {
	number := make([]literal, len(n.kinds))
	var kinds [3][]int
	for i, kind := range "ila" {
		for k := range n.kinds {
			if n.kinds[k] == byte(kind) {
				kinds[i] = append(kinds[i], k)
			}
		}
	}
	next := literal(2)
	for _, all := range kinds {
		for _, k := range all {
			number[k] = next
			next += 2
		}
	}
	of := func(l literal) literal { return number[l/2] ^ l&1 }
	var b bytes.Buffer
	fmt.Fprintf(&b, "aig %d %d %d 0 %d %d %d\n", len(n.kinds)-1, len(kinds[0]), len(kinds[1]), len(kinds[2]), len(n.bads),
		len(n.constraints))
	for _, k := range kinds[1] {
		l := literal(2 * k)
		fmt.Fprintf(&b, "%d %d\n", of(n.next[l]), n.init[l])
	}
	for _, l := range append(append([]literal{}, n.bads...), n.constraints...) {
		fmt.Fprintf(&b, "%d\n", of(l))
	}
	for _, k := range kinds[2] {
		x, y := of(n.ands[k][0]), of(n.ands[k][1])
		x, y = max(x, y), min(x, y)
		for _, d := range []literal{number[k] - x, x - y} {
			for ; d >= 0x80; d >>= 7 {
				b.WriteByte(byte(d) | 0x80)
			}
			b.WriteByte(byte(d))
		}
	}
	return harness(os.WriteFile(path, b.Bytes(), 0o644))
}
