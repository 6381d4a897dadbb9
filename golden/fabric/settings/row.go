package settings

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/units"
)

// Setting describes one setting: its path, what it is, its unit (empty for plain numbers and names), its possible
// values under the limits of the default spec, and its default there, "-" for none.
type Setting struct{ Path, About, Unit, Values, Default string }

// Row is the single row of a setting, with everything that is known about it: how it is read and shown, its possible
// values, and when it has no effect.
type Row struct {
	Path, About, Unit string
	List              bool // takes several values, comma separated
	ByNumber          bool // ... of the form number=name

	set     func(*Spec, string) error
	get     func(*Spec) string // nil when there is no default to show
	standin string             // the default that the zero value stands for
	values  string             // what it can be, when it has no limit
	limits  []limit
	idle    []reason
}

// limit is a condition that a value must meet.
type limit struct {
	want func(*Spec) string
	ok   func(*Spec) bool
}

// use is what decides whether a setting has an effect: the spec, the paths that are set, and whether
// the flows are those of a list, which takes the place of the workload.
type use struct {
	*Spec
	given  []string
	listed bool
}

// reason returns why a setting has no effect, "" when it has one.
type reason func(u *use) string

// in sets the unit of a setting.
func (r Row) in(unit string) Row {
	r.Unit = unit
	return r
}

// of sets the possible values of a setting without a limit.
func (r Row) of(values string) Row {
	r.values = values
	return r
}

// or sets the default that a zero value stands for.
func (r Row) or(standin string) Row {
	r.standin = standin
	return r
}

// must adds a limit: a description of the legal values, and whether a value is one.
func (r Row) must(want string, ok func(*Spec) bool) Row {
	return r.mustBy(func(*Spec) string { return want }, ok)
}

// mustBy is must with a text that depends on the spec.
func (r Row) mustBy(want func(*Spec) string, ok func(*Spec) bool) Row {
	r.limits = append(r.limits, limit{want, ok})
	return r
}

// unless adds a reason why the setting may be without effect; the first that holds counts.
func (r Row) unless(why reason) Row {
	r.idle = append(r.idle, why)
	return r
}

// value returns the value of the setting in a spec as its row shows it.
func (r *Row) value(s *Spec) string {
	if r.get == nil {
		return ""
	}
	return r.get(s)
}

// check returns an error when the setting violates a limit.
func (r *Row) check(s *Spec) error {
	for _, l := range r.limits {
		if !l.ok(s) {
			return fmt.Errorf("%s = %s: want %s", r.Path, r.value(s), l.want(s))
		}
	}
	return nil
}

// Describe returns the setting as help shows it.
func (r *Row) Describe() Setting {
	d := DefaultSpec()
	out := Setting{Path: r.Path, About: r.About, Unit: r.Unit, Values: r.values, Default: r.standin}
	if out.Values == "" && len(r.limits) > 0 {
		out.Values = r.limits[0].want(&d)
	}
	if out.Default == "" {
		out.Default = r.value(&d)
	}
	if out.Default == "" {
		out.Default = "-"
	}
	return out
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

func number(path, about string, field func(*Spec) *int) Row {
	return Row{
		Path: path, About: about,
		get: func(s *Spec) string { return strconv.Itoa(*field(s)) },
		set: func(s *Spec, v string) error { return IntInto(v, func(n int64) { *field(s) = int(n) }) },
	}
}

func bytesOf(path, about string, field func(*Spec) *int64) Row {
	return Row{
		Path: path, About: about, Unit: "bytes",
		get: func(s *Spec) string { return strconv.FormatInt(*field(s), 10) },
		set: func(s *Spec, v string) error { return IntInto(v, func(n int64) { *field(s) = n }) },
	}
}

func decimal(path, about string, field func(*Spec) *float64) Row {
	return Row{
		Path: path, About: about,
		get: func(s *Spec) string { return fmt.Sprint(*field(s)) },
		set: func(s *Spec, v string) error {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return Wanted("a number")
			}
			*field(s) = f
			return nil
		},
	}
}

// micros reads a time in microseconds.
func micros(path, about string, field func(*Spec) *units.Picos) Row {
	return Row{
		Path: path, About: about, Unit: "us",
		get: func(s *Spec) string { return fmt.Sprint(field(s).Micros()) },
		set: func(s *Spec, v string) error {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || !(f >= 0) || f > 1e9 {
				return Wanted("microseconds, 0 or above")
			}
			p := units.Picos(math.Round(f * float64(units.Microsecond)))
			if p == 0 && f > 0 {
				return Wanted("0, or 0.000001 and more: time goes by picoseconds")
			}
			*field(s) = p
			return nil
		},
	}
}

// latency reads the latency of a link, which then no longer follows rtt.us.
func latency(path, about string, field func(*Spec) *units.Picos) Row {
	r := micros(path, about+"; rtt.us no longer decides it", field)
	set := r.set
	r.set = func(s *Spec, v string) error {
		if err := set(s, v); err != nil {
			return err
		}
		s.RTT = 0
		return nil
	}
	return r
}

func flag(path, about string, field func(*Spec) *bool) Row {
	names := map[bool]string{false: "off", true: "on"}
	return Row{
		Path: path, About: about, values: "on or off",
		get: func(s *Spec) string { return names[*field(s)] },
		set: func(s *Spec, v string) error {
			switch v {
			case "true", "on", "1", "yes":
				*field(s) = true
			case "false", "off", "0", "no":
				*field(s) = false
			default:
				return Wanted("on or off")
			}
			return nil
		},
	}
}

func text[T ~string](path, about string, field func(*Spec) *T) Row {
	return Row{
		Path: path, About: about,
		get: func(s *Spec) string { return string(*field(s)) },
		set: func(s *Spec, v string) error {
			if v == "" {
				return Wanted("a value")
			}
			*field(s) = T(v)
			return nil
		},
	}
}

// byNumber reads names by number, as 3=x,7=y.
func byNumber(path, about string, field func(*Spec) *map[int32]string) Row {
	return Row{
		Path: path, About: about, values: "such as 3=nscc-htsim,7=fixed", List: true, ByNumber: true,
		set: func(s *Spec, v string) error {
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
			*field(s) = m
			return nil
		},
	}
}

// list reads several values, comma separated.
func list(path, about, unit string, get func(*Spec) string, set func(*Spec, []string) error) Row {
	return Row{Path: path, About: about, Unit: unit, List: true, get: get, set: func(s *Spec, v string) error {
		items := strings.Split(v, ",")
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		return set(s, items)
	}}
}
