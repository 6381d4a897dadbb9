package expr_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

// tree is an expression as this test knows it: it prints itself with no more brackets than the table of the
// operators in doc.go asks for, and has a value that is worked out without intervals.
type tree struct {
	op   string
	a, b *tree
	n    int64 // of a number
	v    int   // of a variable
}

// binding is how tightly an operator binds, from loose to tight.
var binding = map[string]int{"->": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "<<": 5,
	">>": 5, "+": 6, "-": 6,
	"*": 7, "/": 7, "%": 7, "neg": 8, "^": 9, "!": 10, "n": 10, "v": 10}

func (x *tree) logic() bool { return x.op == "!" || binding[x.op] <= 4 }

// in prints an operand that has to bind at least as tightly as level.
func (x *tree) in(level int) string {
	if binding[x.op] < level {
		return "(" + x.String() + ")"
	}
	return x.String()
}

func (x *tree) String() string {
	at := binding[x.op]
	switch x.op {
	case "n":
		return big.NewInt(x.n).String()
	case "v":
		return string(rune('a' + x.v))
	case "neg":
		return "-" + x.a.in(at+1)
	case "!":
		return "!" + x.a.in(at)
	case "->", "^": // to the right
		return x.a.in(at+1) + x.op + x.b.in(at)
	case "==", "!=", "<", "<=", ">", ">=":
		return x.a.in(at+1) + " " + x.op + " " + x.b.in(at+1)
	}
	return x.a.in(at) + x.op + x.b.in(at+1)
}

// value returns the number, nil where there is none.
func (x *tree) value(at []int64) *big.Int {
	switch x.op {
	case "n":
		return big.NewInt(x.n)
	case "v":
		return big.NewInt(at[x.v])
	case "neg":
		if a := x.a.value(at); a != nil {
			return a.Neg(a)
		}
		return nil
	}
	a, b := x.a.value(at), x.b.value(at)
	if a == nil || b == nil {
		return nil
	}
	switch x.op {
	case "+":
		return a.Add(a, b)
	case "-":
		return a.Sub(a, b)
	case "*":
		return a.Mul(a, b)
	case "/", "%":
		if b.Sign() <= 0 {
			return nil
		}
		q, r := new(big.Int).QuoRem(a, b, new(big.Int))
		if r.Sign() < 0 { // down, not towards 0
			q.Sub(q, big.NewInt(1))
			r.Add(r, b)
		}
		if x.op == "/" {
			return q
		}
		return r
	}
	if b.Sign() < 0 || b.Cmp(big.NewInt(1024)) > 0 {
		return nil
	}
	out, two := new(big.Int).Set(a), big.NewInt(2)
	n := b.Int64()
	switch x.op {
	case "<<":
		for range n {
			out.Mul(out, two)
		}
	case ">>":
		for range n {
			if out.Bit(0) == 1 {
				out.Sub(out, big.NewInt(1))
			}
			out.Quo(out, two)
		}
	case "^":
		if a.BitLen() > 64 {
			return nil
		}
		out.SetInt64(1)
		for range n {
			out.Mul(out, a)
		}
	}
	return out
}

// holds returns 1 for true, 0 for false, -1 where a number that has no value leaves it open.
func (x *tree) holds(at []int64) int {
	bit := map[bool]int{true: 1, false: 0}
	if !x.logic() {
		if v := x.value(at); v != nil {
			return bit[v.Sign() != 0]
		}
		return -1
	}
	switch x.op {
	case "!":
		if a := x.a.holds(at); a >= 0 {
			return 1 - a
		}
		return -1
	case "&&", "||", "->":
		a, b := x.a.holds(at), x.b.holds(at)
		if x.op == "->" && a >= 0 {
			a = 1 - a
		}
		decides := bit[x.op != "&&"]
		switch {
		case a == decides || b == decides:
			return decides
		case a < 0 || b < 0:
			return -1
		}
		return 1 - decides
	}
	a, b := x.a.value(at), x.b.value(at)
	if a == nil || b == nil {
		return -1
	}
	c := a.Cmp(b)
	return bit[map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[x.op]]
}

func pick(r *rand.Rand, all ...string) string { return all[r.IntN(len(all))] }

func randomNumber(r *rand.Rand, depth int) *tree {
	switch k := r.IntN(10); {
	case depth == 0 || k < 2:
		if r.IntN(3) == 0 {
			return &tree{op: "n", n: int64(r.IntN(7))}
		}
		return &tree{op: "v", v: r.IntN(3)}
	case k == 2:
		return &tree{op: "neg", a: randomNumber(r, depth-1)}
	case k == 3: // a power or a shift of a number stays within a few thousand bits
		return &tree{op: pick(r, "^", "<<", ">>"), a: randomNumber(r, 0), b: randomNumber(r, 0)}
	}
	return &tree{op: pick(r, "+", "-", "*", "/", "%"), a: randomNumber(r, depth-1), b: randomNumber(r, depth-1)}
}

func randomTruth(r *rand.Rand, depth int) *tree {
	switch k := r.IntN(8); {
	case depth == 0 || k < 4:
		return &tree{op: pick(r, "==", "!=", "<", "<=", ">", ">="), a: randomNumber(r, r.IntN(3)),
			b: randomNumber(r, r.IntN(2))}
	case k == 4:
		return &tree{op: "!", a: randomTruth(r, depth-1)}
	case k == 5:
		return randomNumber(r, 1) // a number where a truth is due
	}
	return &tree{op: pick(r, "->", "||", "&&"), a: randomTruth(r, depth-1), b: randomTruth(r, depth-1)}
}

// Against a plain evaluation of thousands of expressions at every point of small ranges: single values get the
// truth, ranges lose no solution, a contradiction has none, and Changed says whether a range did change.
func TestAgainstPlainEvaluation(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	narrowed, refused := 0, 0
	for range 6000 {
		x := randomTruth(r, 2)
		text := x.String()
		var lo, hi [3]int64
		var wide, point [3]*expr.Var
		for i := range lo {
			lo[i] = r.Int64N(12) - 6
			hi[i] = lo[i] + r.Int64N(5)
			wide[i], point[i] = variable(lo[i], hi[i]), variable(0, 0)
		}
		k := bound(t, text, wide[0], wide[1], wide[2])
		possible := true
		for n := 0; possible; n++ {
			require.Less(t, n, 100, text)
			before := [3]string{show(wide[0]), show(wide[1]), show(wide[2])}
			possible = k.Narrow()
			after := [3]string{show(wide[0]), show(wide[1]), show(wide[2])}
			require.Equal(t, before != after, k.Changed(), text)
			if !k.Changed() {
				break
			}
			narrowed++
		}
		if !possible {
			refused++
		}
		at := []int64{0, 0, 0}
		single := bound(t, text, point[0], point[1], point[2])
		for at[0] = lo[0]; at[0] <= hi[0]; at[0]++ {
			for at[1] = lo[1]; at[1] <= hi[1]; at[1]++ {
				for at[2] = lo[2]; at[2] <= hi[2]; at[2]++ {
					for i, v := range point {
						v.Lo.SetInt64(at[i])
						v.Hi.SetInt64(at[i])
						v.Step.SetInt64(0)
					}
					want := x.holds(at) == 1
					if got := single.Narrow(); got != want {
						t.Fatalf("%s at %v: %v, want %v", text, at, got, want)
					}
					for i, v := range wide {
						n := big.NewInt(at[i])
						in := v.Lo.Cmp(n) <= 0 && v.Hi.Cmp(n) >= 0 && (v.Step.Sign() == 0 ||
							new(big.Int).Mod(n, &v.Step).Cmp(&v.Rem) == 0)
						if want && (!in || !possible) {
							t.Fatalf("%s: the solution %v was taken away (possible: %v)", text, at, possible)
						}
					}
				}
			}
		}
	}
	require.Greater(t, narrowed, 500)
	require.Greater(t, refused, 100)
}

func show(v *expr.Var) string {
	return v.Lo.String() + ".." + v.Hi.String() + " step " + v.Step.String() + " rem " + v.Rem.String()
}
