package report

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }

// Count writes n with a comma between thousands.
func Count(n uint64) string {
	s := utoa(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Digits writes x with three significant digits, from 1000 to a million with all digits before the point, and with an
// exponent only beyond that. A bound of 1024 must not be printed as 1.02e+03.
func Digits(x float64) string {
	if a := math.Abs(x); a >= 999.5 && a < 999_999.5 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// apart writes two values with Digits, or with as many digits as it takes to tell them apart.
func apart(x, y float64) (string, string) {
	a, b := Digits(x), Digits(y)
	if a == b && x != y {
		return strconv.FormatFloat(x, 'g', -1, 64), strconv.FormatFloat(y, 'g', -1, 64)
	}
	return a, b
}

// si writes x with three digits and a decimal prefix: 1.23 M.
func si(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	for _, p := range []struct {
		scale float64
		name  string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if math.Abs(x) >= p.scale {
			return threeDigits(x/p.scale) + p.name
		}
	}
	return threeDigits(x)
}

func threeDigits(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100 || x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// percent never rounds up to 100, so that a missing bin is noticed.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	p := math.Floor(1000*float64(part)/float64(whole)) / 10
	return fmt.Sprintf("%.1f %%", p)
}

// paramList writes parameters as Name=value in order of name.
func paramList(m map[string]int) string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(m)) {
		out = append(out, n+"="+strconv.Itoa(m[n]))
	}
	return strings.Join(out, " ")
}

// Plural writes "1 case" or "2 cases".
func Plural(n uint64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// plainWord matches words that need no quoting in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// Quoted returns a word quoted for a shell.
func Quoted(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CommandLine returns words quoted for a shell.
func CommandLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Quoted(w)
	}
	return strings.Join(out, " ")
}
