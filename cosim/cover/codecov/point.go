package codecov

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Kind is what a point counts.
type Kind string

// The kinds of points.
const (
	Line   Kind = "line"
	Branch Kind = "branch"
	Toggle Kind = "toggle"
	Other  Kind = "other" // such as cover properties
)

// Point is one counted place of a design, in one instance.
type Point struct {
	Key      string // as in the file
	File     string // "" for a toggle that the shell sampled
	Line     int
	Column   int
	Kind     Kind
	Module   string
	Name     string // of a branch: if, else, case; of a toggle: signal[bit]:0->1
	Instance string
	Lines    []int // that are executed with it
}

// parsePoint reads a key of Verilator's: pairs of \x01 name \x02 value.
func parsePoint(key string) (Point, error) {
	p := Point{Key: key}
	for pair := range strings.SplitSeq(strings.TrimPrefix(key, "\x01"), "\x01") {
		name, value, ok := strings.Cut(pair, "\x02")
		if !ok {
			return p, fmt.Errorf("point %q has no value for %q", printable(key), pair)
		}
		var err error
		switch name {
		case "f", "filename":
			p.File = value
		case "l", "lineno":
			p.Line, err = strconv.Atoi(value)
		case "n", "column":
			p.Column, err = strconv.Atoi(value)
		case "o", "comment":
			p.Name = value
		case "h", "hier":
			p.Instance = value
		case "page":
			var kind string
			kind, p.Module, _ = strings.Cut(value, "/")
			p.Kind = cmp.Or(kinds[kind], Other)
		case "S", "linescov":
			p.Lines, err = parseLines(value)
		}
		if err != nil {
			return p, fmt.Errorf("point %q: %s: %w", printable(key), name, err)
		}
	}
	if p.Kind == "" {
		return p, fmt.Errorf("point %q has no kind", printable(key))
	}
	if len(p.Lines) == 0 && p.Line > 0 {
		p.Lines = []int{p.Line}
	}
	return p, nil
}

// kinds are by the name of Verilator's page.
var kinds = map[string]Kind{"v_line": Line, "v_branch": Branch, "v_toggle": Toggle}

// parseLines reads lines as in 3,7-9.
func parseLines(s string) (out []int, err error) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		if a < 1 || b < a || b-a > 1<<20 {
			return nil, fmt.Errorf("lines %s", part)
		}
		for ; a <= b; a++ {
			out = append(out, a)
		}
	}
	return out, nil
}

func printable(key string) string { return strings.NewReplacer("\x01", " ", "\x02", "=").Replace(key) }
