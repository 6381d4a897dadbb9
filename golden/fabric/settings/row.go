package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/units"
)

// Row is the single row of a setting of one spec, with everything that is known about it: how it is read and shown, its
// possible values under the limits of the spec, and whether it has no effect. The unit is empty for plain numbers and
// names, the default "-" for none.
type Row struct {
	Path, About, Unit, Values, Default string

	List     bool // takes several values, comma separated
	ByNumber bool // ... of the form number=name

	set     func(string) error
	value   string  // in the spec, "" when there is none to show
	num     float64 // in the spec, of a number
	standin string  // the default that the zero value stands for
	broken  string  // the first limit that the spec breaks, "" for none
	idle    string  // why it has no effect in the spec, "" when it has one
}

// in sets the unit of a setting.
func (r Row) in(unit string) Row {
	r.Unit = unit
	return r
}

// of sets the possible values of a setting whose limits do not describe them.
func (r Row) of(values string) Row {
	r.Values = values
	return r
}

// or sets the default that a zero value stands for.
func (r Row) or(standin string) Row {
	r.standin = standin
	return r
}

// must adds a limit: a description of the legal values, and whether the value is one.
func (r Row) must(want string, ok bool) Row {
	if r.Values == "" {
		r.Values = want
	}
	if !ok && r.broken == "" {
		r.broken = want
	}
	return r
}

// between limits a number; want describes it, "" by its bounds.
func (r Row) between(low, high float64, want string) Row {
	if want == "" {
		want = fmt.Sprintf("from %v to %v", low, high)
	}
	return r.must(want, r.num >= low && r.num <= high)
}

// upToASecond limits a time, which is far beyond any use; want describes it.
func (r Row) upToASecond(want string) Row { return r.between(0, longest, want) }

// factor limits a multiple of the BDP.
func (r Row) factor() Row {
	return r.in("BDP").must("above 0 to 1000", r.num > 0 && r.num <= 1000)
}

// probability limits what must not be certain.
func (r Row) probability() Row { return r.must("from 0 to below 1", r.num >= 0 && r.num < 1) }

// rateOr0 limits a rate that may be 0.
func (r Row) rateOr0() Row {
	return r.must("0 (that of the host links) or "+units.RateWant, r.num == 0 || units.Gbps(r.num).Valid())
}

// unless adds reasons why the setting may be without effect, each "" where it does not hold; the first that holds
// counts.
func (r Row) unless(why ...string) Row {
	for _, w := range why {
		if r.idle == "" {
			r.idle = w
		}
	}
	return r
}

// Wanted returns the error for a value of the wrong kind.
func Wanted(what string) error { return errors.New("want " + what) }

// IntInto reads a whole number, which may be written as 8e6 or 8_000_000, and passes it on.
func IntInto(v string, dst func(int64)) error {
	f, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e15 {
		return Wanted("a whole number")
	}
	dst(int64(f))
	return nil
}

func number[T int | int64](path, about string, field *T) Row {
	return Row{Path: path, About: about, value: fmt.Sprint(*field), num: float64(*field),
		set: func(v string) error { return IntInto(v, func(n int64) { *field = T(n) }) }}
}

func decimal(path, about string, field *float64) Row {
	return Row{Path: path, About: about, value: fmt.Sprint(*field), num: *field, set: func(v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return Wanted("a number")
		}
		*field = f
		return nil
	}}
}

// rate reads the rate of links.
func rate(path, about string, field *units.Gbps) Row {
	return Row{Path: path, About: about, Unit: "Gb/s", value: fmt.Sprint(*field), num: float64(*field),
		set: func(v string) error {
			f, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return Wanted("a number")
			}
			*field = units.Gbps(f)
			return nil
		}}
}

// micros reads a time in microseconds.
func micros(path, about string, field *units.Picos) Row {
	return Row{Path: path, About: about, Unit: "us", value: fmt.Sprint(field.Micros()), num: float64(*field),
		set: func(v string) error {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || !(f >= 0) || f > 1e9 {
				return Wanted("microseconds, 0 or above")
			}
			p := units.Picos(math.Round(f * float64(units.Microsecond)))
			if p == 0 && f > 0 {
				return Wanted("0, or 0.000001 and more: time goes by picoseconds")
			}
			*field = p
			return nil
		}}
}

// latency reads the latency of a link, which then no longer follows rtt.us.
func (s *Spec) latency(path, about string, field *units.Picos) Row {
	r := micros(path, about+"; rtt.us no longer decides it", field)
	set := r.set
	r.set = func(v string) error {
		err := set(v)
		if err == nil {
			s.RTT = 0
		}
		return err
	}
	return r
}

func flag(path, about string, field *bool) Row {
	return Row{Path: path, About: about, Values: "on or off", value: map[bool]string{false: "off", true: "on"}[*field],
		set: func(v string) error {
			switch v {
			case "true", "on", "1", "yes":
				*field = true
			case "false", "off", "0", "no":
				*field = false
			default:
				return Wanted("on or off")
			}
			return nil
		}}
}

func text[T ~string](path, about string, field *T) Row {
	return Row{Path: path, About: about, value: string(*field), set: func(v string) error {
		if v == "" {
			return Wanted("a value")
		}
		*field = T(v)
		return nil
	}}
}

// choice reads one of some names; want describes them.
func choice[T ~string](path, about, want string, field *T, names ...T) Row {
	return text(path, about, field).must(want, slices.Contains(names, *field))
}

// byNumber reads names by number, as 3=x,7=y.
func byNumber(path, about string, field *map[int32]string) Row {
	return Row{Path: path, About: about, Values: "such as 3=nscc-htsim,7=fixed", List: true, ByNumber: true,
		set: func(v string) error {
			m := map[int32]string{}
			for _, item := range strings.Split(v, ",") {
				if item == "" {
					continue
				}
				n, name, ok := strings.Cut(strings.TrimSpace(item), "=")
				i, err := strconv.ParseInt(n, 10, 32)
				if !ok || err != nil || i < 0 || name == "" {
					return Wanted("numbers and names such as 3=nscc-htsim,7=fixed")
				}
				if before, ok := m[int32(i)]; ok {
					return fmt.Errorf("%d is given twice (%s, %s); keep one", i, before, name)
				}
				m[int32(i)] = name
			}
			*field = m
			return nil
		}}
}

// list reads several values, comma separated.
func list[T any](path, about string, values []T, set func(items []string) error) Row {
	r := Row{Path: path, About: about, Unit: "bytes", List: true, set: func(v string) error {
		items := strings.Split(v, ",")
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		return set(items)
	}}
	if values != nil {
		r.value = fmt.Sprint(values)
	}
	return r
}
