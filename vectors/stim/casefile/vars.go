package casefile

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

// constants is the scope of lines outside cases: it has no variables.
func constants(string) (string, bool) { return "", false }

// number returns the value of an expression, in two's complement if it is negative.
func number(text string, scope func(name string) (string, bool)) (uint64, error) {
	if v, err := strconv.ParseUint(text, 10, 64); err == nil {
		return v, nil
	}
	text, err := extremes(text, scope)
	if err != nil {
		return 0, err
	}
	v, err := expr.Value(text, func(name string) (*big.Int, bool) {
		s, ok := scope(name)
		if !ok {
			return nil, false
		}
		return new(big.Int).SetString(s, 0)
	})
	if err != nil {
		return 0, fmt.Errorf("expression %q: %w", text, err)
	}
	return Bits(v, 64), nil
}

// fits returns an error if a value has more bits than its field, because the field would hold another value. Negative
// values are in two's complement of 64 bits.
func fits(name string, v uint64, width int) error {
	if width >= 64 || v>>width == 0 || int64(v)>>(width-1) == -1 {
		return nil
	}
	return fmt.Errorf("%s=%d: the field has %d bits", name, int64(v), width)
}

// fitsBig is fits for a number of any size.
func fitsBig(name string, v *big.Int, width int) error {
	if v.BitLen() > 64 {
		return fmt.Errorf("%s=%s: the field has %d bits", name, v, width)
	}
	return fits(name, Bits(v, 64), width)
}

// small returns a number of at most 16 bits, such as a gap in cycles.
func small(name, text string, scope func(name string) (string, bool)) int {
	v := must(number(text, scope))
	if v > math.MaxUint16 {
		fail("%s %d: want 0 to %d", name, int64(v), math.MaxUint16)
	}
	return int(v)
}

// extremes replaces each min(A,B) and max(A,B) by its value. Package expr has neither.
func extremes(text string, scope func(name string) (string, bool)) (string, error) {
	for {
		at := max(strings.LastIndex(text, "min("), strings.LastIndex(text, "max("))
		if at < 0 {
			return text, nil
		}
		rest, depth, comma, end := text[at+4:], 0, -1, -1
		for i := 0; i < len(rest) && end < 0; i++ {
			switch c := rest[i]; {
			case c == '(':
				depth++
			case c == ')' && depth == 0:
				end = i
			case c == ')':
				depth--
			case c == ',' && depth == 0:
				comma = i
			}
		}
		if comma < 0 || end < 0 {
			return "", fmt.Errorf("%q: want %sA,B)", text, text[at:at+4])
		}
		a, err := number(rest[:comma], scope)
		if err != nil {
			return "", err
		}
		b, err := number(rest[comma+1:end], scope)
		if err != nil {
			return "", err
		}
		v := max(int64(a), int64(b))
		if text[at:at+4] == "min(" {
			v = min(int64(a), int64(b))
		}
		text = fmt.Sprintf("%s(%d)%s", text[:at], v, rest[end+1:])
	}
}

// substitute replaces text in braces: a variable by its text, any other expression by its value.
func substitute(text string, vars map[string]string, scope func(name string) (string, bool)) (string, error) {
	for {
		from := strings.IndexByte(text, '{')
		if from < 0 {
			return text, nil
		}
		to := strings.IndexByte(text[from:], '}')
		if to < 0 {
			return "", fmt.Errorf("%q: a closing brace is missing", text)
		}
		inside := text[from+1 : from+to]
		value, ok := vars[inside]
		if !ok {
			v, err := number(inside, scope)
			if err != nil {
				return "", err
			}
			value = strconv.FormatInt(int64(v), 10)
		}
		text = text[:from] + value + text[from+to+1:]
	}
}

// loop returns the rounds of a line "for NAMES = VALUES, VALUES, ...". With one name, a value may be a range FROM..TO
// or FROM..TO:STEP. The value - is the empty text.
func loop(text string, scope func(name string) (string, bool)) ([]map[string]string, error) {
	left, right, ok := strings.Cut(text, " = ")
	names := strings.Fields(left)[1:]
	if !ok || len(names) == 0 {
		return nil, fmt.Errorf("%q: want NAMES = VALUES, VALUES, ...", text)
	}
	var out []map[string]string
	for _, group := range strings.Split(right, ",") {
		values := strings.Fields(group)
		if from, to, is := strings.Cut(group, ".."); is && len(names) == 1 {
			to, step, stepped := strings.Cut(to, ":")
			if !stepped {
				step = "1"
			}
			var v [3]int64
			for i, text := range []string{from, to, step} {
				x, err := number(strings.TrimSpace(text), scope)
				if err != nil {
					return nil, err
				}
				v[i] = int64(x)
			}
			if v[2] <= 0 {
				return nil, fmt.Errorf("%q: a step must be above 0", group)
			}
			for x := v[0]; x <= v[1]; x += v[2] {
				out = append(out, map[string]string{names[0]: strconv.FormatInt(x, 10)})
			}
			continue
		}
		if len(values) != len(names) {
			return nil, fmt.Errorf("%q: want %d values", strings.TrimSpace(group), len(names))
		}
		round := map[string]string{}
		for i, v := range values {
			if v == "-" {
				v = ""
			} else if x, err := number(v, scope); err == nil {
				v = strconv.FormatInt(int64(x), 10)
			}
			round[names[i]] = v
		}
		out = append(out, round)
	}
	return out, nil
}

// fault is an error on its way to the reader of a line, which adds the place.
type fault struct{ error }

// fail ends the reading of a line with an error.
func fail(format string, args ...any) { panic(fault{fmt.Errorf(format, args...)}) }

// check ends the reading of a line with an error that is not nil.
func check(err error) {
	if err != nil {
		panic(fault{err})
	}
}

// must returns a value, or ends the reading of a line.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// caught returns the error that ended the reading of a line, or nil.
func caught(read func()) (err error) {
	defer func() {
		x := recover()
		if f, ok := x.(fault); ok {
			err = f.error
		} else if x != nil {
			panic(x)
		}
	}()
	read()
	return nil
}
