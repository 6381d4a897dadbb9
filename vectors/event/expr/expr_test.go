package expr_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

func variable(lo, hi int64) *expr.Var {
	v := new(expr.Var)
	v.Lo.SetInt64(lo)
	v.Hi.SetInt64(hi)
	return v
}

// bound returns a constraint over the variables a, b and c.
func bound(t require.TestingT, text string, a, b, c *expr.Var) *expr.Constraint {
	e, err := expr.Parse(text)
	require.NoError(t, err, text)
	k, err := e.Bind(func(name string) (*expr.Var, error) {
		return map[string]*expr.Var{"a": a, "b": b, "c": c}[name], nil
	})
	require.NoError(t, err, text)
	return k
}

func TestValues(t *testing.T) {
	for text, want := range map[string]bool{
		"2 + 3 * 4 == 14": true, "-2^2 == -4": true, "2^3^2 == 512": true, "(2 + 3) * 4 == 20": true, "-7 / 2 == -4": true,
		"-7 % 4 == 1": true, "1 << 4 + 1 == 32": true, "-1 >> 3 == -1": true, "1 == 2 || 3 < 4": true,
		"1 < 2 && 2 < 1": false,
		"1 == 2 -> 0":    true, "1 -> 0 -> 1": true, "!(1 == 1)": false, "!0": true,
		"0x10 == 16 && 0b11 == 3": true, "5-3-1 == 1": true,
		"3>=3 && 3<=3 && !(3>3) && !(3<3) && 3!=4": true, "1 / 0 == 0": false, "1 % 0 == 0": false, "1 << -1 == 0": false,
		"2 ^ 64 == 18446744073709551616": true, "1 -1 == 0": true, "1->1": true,
		"1 || 0 && 0": true, "0 && 0 || 1": true, "0 -> 0 || 0": true, "1 && 0 -> 0": true, "1<<2==4": true,
		"8>>1==4": true, "3": true, "0": false,
		"7 / 2 == 3": true, "7 % 4 == 3": true, "-8 / 4 == -2": true, "-8 % 4 == 0": true,
		"5 / -1 == -5": false, "5 % -3 == 2": false,
		"1 << 1024 >> 1023 == 2": true, "1 << 1025 != 0": false, "2 ^ 1024 >> 1023 == 2": true, "2 ^ 1025 != 0": false,
		"1 >> 1025 == 0": false,
		"(2^64-1)^1 > 0": true, "(2^64)^1 > 0": false, "(-2^63)^3 < 0": true, "(-2^64)^3 < 0": false,
		"(-2)^2 == 4": true, "2^-1 != 9": false,
		"0 -> 1 / 0 == 1": true, "1 / 0 == 1 -> 1": true, "1 / 0 == 1 || 1": true,
		"1 / 0 == 1 && 1": false, "!(1 / 0 == 1)": false,
	} {
		require.Equal(t, want, bound(t, text, nil, nil, nil).Narrow(), text)
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "column 1: an operand is missing",
		"a <":              "column 4: an operand is missing",
		"a < ) 3":          `column 5: ")" is not an operand`,
		"(a < 3":           "column 7: a closing bracket is missing",
		"a < b < c":        "column 7: comparisons do not chain; join them with &&",
		"a = 3":            `column 3: "= 3" is left over`,
		"(a < b) + 1 == 2": "column 4: a number is required here, not the result of <",
		"a < 3x":           `column 5: "3x" is not a number`,
		"a < 3 b":          `column 7: "b" is left over`,
		"1 + (2 < 3) == 1": "column 8: a number is required here, not the result of <",
		"-(a < 3) == 1":    "column 5: a number is required here, not the result of <",
		"1 + !a == 1":      "column 5: a number is required here, not the result of !",
	} {
		_, err := expr.Parse(text)
		require.EqualError(t, err, want, text)
	}
	e, err := expr.Parse("a < nothing")
	require.NoError(t, err)
	_, err = e.Bind(func(name string) (*expr.Var, error) {
		if name == "a" {
			return variable(0, 1), nil
		}
		return nil, errUnknown
	})
	require.EqualError(t, err, "column 5: no such name")
	deep := make([]byte, 100000)
	for i := range deep {
		deep[i] = "(-!"[i%3]
	}
	_, err = expr.Parse(string(deep))
	require.ErrorContains(t, err, "nested too deeply")
	for text, ok := range map[string]bool{
		strings.Repeat("(", 190) + "a" + strings.Repeat(")", 190): true, strings.Repeat("(", 200) + "a" +
			strings.Repeat(")", 200): false,
		strings.Repeat("!", 199) + "a": true, strings.Repeat("!", 200) + "a": false,
		"a" + strings.Repeat(" + (a)", 1000): true, "a" + strings.Repeat(" + -a", 1000): true, "a" +
			strings.Repeat(" + a^2", 1000): true,
		"a" + strings.Repeat(" + a", 300) + " + " + strings.Repeat("(", 210) + "a" + strings.Repeat(")", 210): false,
		"a" + strings.Repeat(" && (a -> a)", 1000):                                                            true, "a" +
			strings.Repeat("^a", 150): true, "a" + strings.Repeat("^a", 250): false,
	} {
		if _, err = expr.Parse(text); ok {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, "nested too deeply", text)
		}
	}
	e, err = expr.Parse("zZ_9 < aA0")
	require.NoError(t, err)
	var names []string
	_, err = e.Bind(func(name string) (*expr.Var, error) { names = append(names, name); return variable(0, 9), nil })
	require.NoError(t, err)
	require.Equal(t, []string{"zZ_9", "aA0"}, names)
}

func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		text   string
		lo, hi [3]int64 // of a, b and c afterwards; before, 0 to 100
	}{
		{"a < b", [3]int64{0, 1, 0}, [3]int64{99, 100, 100}},
		{"a + b == 10", [3]int64{}, [3]int64{10, 10, 100}},
		{"a - b >= 95", [3]int64{95, 0, 0}, [3]int64{100, 5, 100}},
		{"3 * a <= 10 && b / 4 == 2", [3]int64{0, 8, 0}, [3]int64{3, 11, 100}},
		{"a << 3 == 40 && b >> 3 == 2", [3]int64{5, 16, 0}, [3]int64{5, 23, 100}},
		{"a % 16 == 5", [3]int64{5, 0, 0}, [3]int64{85, 100, 100}},
		{"1 -> a == 7", [3]int64{7, 0, 0}, [3]int64{7, 100, 100}},
		{"a > 3 -> 0", [3]int64{}, [3]int64{3, 100, 100}},
		{"a > 3 || 0", [3]int64{4, 0, 0}, [3]int64{100, 100, 100}},
		{"!(a > 3 || b > 4)", [3]int64{}, [3]int64{3, 4, 100}},
		{"a != 0 && a != 100", [3]int64{1, 0, 0}, [3]int64{99, 100, 100}},
		{"-a > -5", [3]int64{}, [3]int64{4, 100, 100}},
		{"a > 3 -> b < 4", [3]int64{}, [3]int64{100, 100, 100}},
		{"a != 0", [3]int64{1, 0, 0}, [3]int64{100, 100, 100}},
		{"0 != a", [3]int64{1, 0, 0}, [3]int64{100, 100, 100}},
		{"a != 100", [3]int64{}, [3]int64{99, 100, 100}},
		{"a != 50", [3]int64{}, [3]int64{100, 100, 100}},
		{"a", [3]int64{1, 0, 0}, [3]int64{100, 100, 100}},
		{"!a", [3]int64{}, [3]int64{0, 100, 100}},
		{"a >= 7 && b <= 7 && c > 7", [3]int64{7, 0, 8}, [3]int64{100, 7, 100}},
		{"!(a >= 7) && !(b <= 7) && !(c > 7)", [3]int64{0, 8, 0}, [3]int64{6, 100, 7}},
		{"!(a < 7) && !(b != 7) && !(c == 0)", [3]int64{7, 7, 1}, [3]int64{100, 7, 100}},
		{"0 || a > 3", [3]int64{4, 0, 0}, [3]int64{100, 100, 100}},
		{"!(1 && a > 3) && !(b > 3 && 1)", [3]int64{}, [3]int64{3, 3, 100}},
		{"!(a > 3 -> b > 4)", [3]int64{4, 0, 0}, [3]int64{100, 4, 100}},
		{"a + 50 == b", [3]int64{0, 50, 0}, [3]int64{50, 100, 100}},
		{"a - 3 >= 50 && b - 3 <= 50", [3]int64{53, 0, 0}, [3]int64{100, 53, 100}},
		{"3 - a >= 1 && 60 - b <= 1", [3]int64{0, 59, 0}, [3]int64{2, 100, 100}},
		{"3 * a >= 10 && b * 3 >= 10 && 3 * c <= 10", [3]int64{4, 4, 0}, [3]int64{100, 100, 3}},
		{"a / 4 >= 3 && b / 4 <= 3", [3]int64{12, 0, 0}, [3]int64{100, 15, 100}},
		{"a << 3 >= 41 && b << 3 <= 47", [3]int64{6, 0, 0}, [3]int64{100, 5, 100}},
		{"a >> 3 >= 4 && b >> 3 <= 4", [3]int64{32, 0, 0}, [3]int64{100, 39, 100}},
		{"a % 16 == 0", [3]int64{}, [3]int64{96, 100, 100}},
		{"3 * (a - 50) <= -10 && -(b - 50) / 3 >= 2", [3]int64{}, [3]int64{46, 44, 100}},
	} {
		vars := [3]*expr.Var{variable(0, 100), variable(0, 100), variable(0, 100)}
		require.True(t, bound(t, c.text, vars[0], vars[1], vars[2]).Narrow(), c.text)
		for i, v := range vars {
			require.Equal(t, [2]int64{c.lo[i], c.hi[i]}, [2]int64{v.Lo.Int64(), v.Hi.Int64()}, "%s: %c", c.text, 'a'+i)
		}
	}
	for _, text := range []string{"a > 100", "a + b > 200", "a < 0", "a * 2 == 201 && 0 == 1",
		"a % 7 == 7", "a > 3 && a < 3",
		"a % 7 > 6", "a % 7 < 0", "a % (b % 5 + 1) >= 5", "(a - 50) * (b - 50) > 2500", "(a - 50) * (b - 50) < -2500",
		"a ^ 2 > 10000", "a << 1 > 200", "-a > 0"} {
		k := bound(t, text, variable(0, 100), variable(0, 100), variable(0, 100))
		ok := k.Narrow()
		for ok && k.Changed() {
			ok = k.Narrow()
		}
		require.False(t, ok, text)
	}
}

// What Narrow takes away is never a solution, and of single values it says the truth.
func TestNarrowTakesNoSolution(t *testing.T) {
	texts := []string{"a + b < c", "a * b == c", "a < b -> c % 3 == 1", "a / 3 == b || c > 5", "a - b != c",
		"(a << 1) + b >= c && a != b",
		"!(a == b) -> a ^ 2 <= c", "a % 4 == 2 && b % 3 == a % 3", "a * -2 + b > c - 9", "c >> 1 == a && b / 2 < 3"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		var lo, at [3]int64
		var wide, point [3]*expr.Var
		for i := range lo {
			lo[i] = rapid.Int64Range(-12, 12).Draw(t, "lo")
			hi := lo[i] + rapid.Int64Range(0, 12).Draw(t, "width")
			at[i] = rapid.Int64Range(lo[i], hi).Draw(t, "at")
			wide[i], point[i] = variable(lo[i], hi), variable(at[i], at[i])
		}
		if !bound(t, text, point[0], point[1], point[2]).Narrow() {
			return
		}
		require.True(t, bound(t, text, wide[0], wide[1], wide[2]).Narrow(), "%s has the solution %v", text, at)
		for i, v := range wide {
			x := big.NewInt(at[i])
			require.True(t, v.Lo.Cmp(x) <= 0 && v.Hi.Cmp(x) >= 0, "%s: %v was taken away", text, at)
		}
	})
}

// What never has a value is a mistake that is told with what to write; what has none for some values is not.
func TestUndefined(t *testing.T) {
	for text, want := range map[string]string{
		"a / 0 == 1":             "column 3: a division by 0 has no value; write a divisor above 0 after /",
		"1 && a % (2 - 5) == 1":  "column 8: a division by -3 has no value; write a divisor above 0 after %",
		"a / -b == 1":            "column 3: a division by -100..0 has no value; write a divisor above 0 after /",
		"!(a << -1 > 2)":         "column 5: a shift by -1 has no value; write a distance of 0 to 1024 after <<",
		"a >> 1025 + b > 2":      "column 3: a shift by 1025..1125 has no value; write a distance of 0 to 1024 after >>",
		"a ^ 1025 > 2":           "column 3: a power of 1025 has no value; write an exponent of 0 to 1024 after ^",
		"a / b == 1":             "",
		"a % (b - 99) == 1":      "",
		"a << b - 50 == 1":       "",
		"a << 1024 == 0":         "",
		"b != 0 -> a / b == 1":   "",
		"(a / b) / b == 1":       "",
		"b / (a / (c / 0)) == 1": "column 13: a division by 0 has no value; write a divisor above 0 after /",
	} {
		err := bound(t, text, variable(0, 100), variable(0, 100), variable(0, 100)).Undefined()
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.EqualError(t, err, want, text)
		}
	}
}

// A distance or an exponent that may be huge is left alone: no number is made of it.
func TestHugeDistances(t *testing.T) {
	for _, text := range []string{"1 << a > 0", "1 >> a >= 0", "2 ^ a > 0", "(1 << a) + (2 ^ a) > b"} {
		a := variable(0, 1<<40)
		require.True(t, bound(t, text, a, variable(0, 1), nil).Narrow(), text)
		require.Equal(t, "0..1099511627776 step 0 rem 0", show(a), text)
	}
}

// A remainder is kept for the draw; the first that a constraint asks for stays.
func TestNarrowKeepsTheRemainder(t *testing.T) {
	a := variable(0, 100)
	k := bound(t, "a % 16 == 5 && a % 3 == 1", a, nil, nil)
	for again := true; again; again = k.Changed() {
		require.True(t, k.Narrow())
	}
	require.Equal(t, "37..85 step 16 rem 5", show(a))
	a = variable(-20, 20)
	require.True(t, bound(t, "a % 8 == 3", a, nil, nil).Narrow())
	require.Equal(t, "-13..19 step 8 rem 3", show(a))
}

var errUnknown = errors.New("no such name")

func TestValue(t *testing.T) {
	names := map[string]*big.Int{"MTU": big.NewInt(4096)}
	look := func(n string) (*big.Int, bool) { v, ok := names[n]; return v, ok }
	for text, want := range map[string]string{
		"1+2*3": "7", "(1+2)*3": "9", "2^48-1": "281474976710655", "0x10": "16", "7/2": "3", "-7/2": "-4", "-7>>1": "-4",
		"1<<4+1": "32", "MTU-1": "4095", "2-MTU": "-4094", "-2^3": "-8", "10-3-2": "5", "2^0": "1", "100*(2^32-5)>>32": "99",
	} {
		v, err := expr.Value(text, look)
		require.NoError(t, err, text)
		require.Equal(t, want, v.String(), text)
	}
	for text, want := range map[string]string{
		"": "operand is missing", "1+": "operand is missing", "(1": "closing bracket", "1)": "left over",
		"x":   `"x" is not known`,
		"1/0": "division by 0", "1<<-1": "out of range", "2^99999": "out of range", "1+2*(3-4/0)": "column 9: division by 0",
		"1<2": "column 2: a number is required here, not the result of <",
	} {
		_, err := expr.Value(text, look)
		require.ErrorContains(t, err, want, text)
	}
}
