package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/units"
)

// Setting describes one path that Set knows. Values is what it can be, with the
// limits of the default spec, Default what it is there, "-" for none; Unit is empty for
// plain numbers and names.
type Setting struct{ Path, About, Unit, Values, Default string }

// Path is one path that Set knows.
type Path struct {
	path, about string
	set         func(*Spec, string) error
	get         func(*Spec) string // nil when defaults tells it
	unit        string
	values      string // when no check of Validate says it
	List        bool   // takes several values, comma separated
	ByNumber    bool   // ... of the form number=name
}

// in sets the unit of a setting.
func (k Path) in(unit string) Path {
	k.unit = unit
	return k
}

// of sets what a setting can be.
func (k Path) of(values string) Path {
	k.values = values
	return k
}

// many makes a setting one of several values.
func (k Path) many() Path {
	k.List = true
	return k
}

// Wanted returns the error of a value that is something else.
func Wanted(what string) error { return errors.New("want " + what) }

func IntInto(v string, dst func(int64)) error {
	f, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e15 {
		return Wanted("a whole number")
	}
	dst(int64(f))
	return nil
}

func number(path, about string, field func(*Spec) *int) Path {
	return Path{path: path, about: about, get: func(s *Spec) string { return strconv.Itoa(*field(s)) }, set: func(s *Spec, v string) error {
		return IntInto(v, func(n int64) { *field(s) = int(n) })
	}}
}

func bytesOf(path, about string, field func(*Spec) *int64) Path {
	return Path{path: path, about: about, unit: "bytes", get: func(s *Spec) string { return strconv.FormatInt(*field(s), 10) }, set: func(s *Spec, v string) error {
		return IntInto(v, func(n int64) { *field(s) = n })
	}}
}

func decimal(path, about string, field func(*Spec) *float64) Path {
	return Path{path: path, about: about, get: func(s *Spec) string { return fmt.Sprint(*field(s)) }, set: func(s *Spec, v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return Wanted("a number")
		}
		*field(s) = f
		return nil
	}}
}

// micros reads a time in microseconds.
func micros(path, about string, field func(*Spec) *units.Picos) Path {
	return Path{path: path, about: about, unit: "us", get: func(s *Spec) string { return fmt.Sprint((*field(s)).Micros()) }, set: func(s *Spec, v string) error {
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
	}}
}

// latency reads the latency of a link, which then no longer follows rtt.us.
func latency(path, about string, field func(*Spec) *units.Picos) Path {
	k := micros(path, about+"; rtt.us no longer decides it", field)
	set := k.set
	k.set = func(s *Spec, v string) error {
		if err := set(s, v); err != nil {
			return err
		}
		s.RTT = 0
		return nil
	}
	return k
}

func flag(path, about string, field func(*Spec) *bool) Path {
	return Path{path: path, about: about, values: "on or off", get: func(s *Spec) string { return map[bool]string{false: "off", true: "on"}[*field(s)] }, set: func(s *Spec, v string) error {
		switch v {
		case "true", "on", "1", "yes":
			*field(s) = true
		case "false", "off", "0", "no":
			*field(s) = false
		default:
			return Wanted("on or off")
		}
		return nil
	}}
}

func text[T ~string](path, about string, field func(*Spec) *T) Path {
	return Path{path: path, about: about, get: func(s *Spec) string { return string(*field(s)) }, set: func(s *Spec, v string) error {
		if v == "" {
			return Wanted("a value")
		}
		*field(s) = T(v)
		return nil
	}}
}

// ByNumber reads names by number, as 3=x,7=y.
func byNumber(path, about string, field func(*Spec) *map[int32]string) Path {
	return Path{path: path, about: about, values: "such as 3=nscc-htsim,7=fixed", List: true, ByNumber: true, set: func(s *Spec, v string) error {
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
	}}
}

func settings() []Path {
	return slices.Concat(networkSettings(), hostSettings(), switchSettings(), loadSettings())
}

// defaults are those of settings whose zero value stands for another.
var defaults = map[string]string{
	"topology": string(FatTree), "tiers": "3", "lb": string(lb.Oblivious), "cc": "nscc", "recovery": string(RecoverRTO), "trim.rule": string(TrimArriving),
	"elephant.lb": string(lb.ECMP), "elephant.class": "low", "matrix.unit": "ps", "int": "off", "drr": "0,0,0", "seed": "1", "ar.levels": "20", "ecn.pmax": "1", "alltoall.parallel": "8",
}

// Settable returns what Set knows in alphabetical order of the paths.
func Settable() []Setting {
	limits := map[string]string{}
	d := DefaultSpec()
	for _, c := range slices.Concat(d.checks(), d.partChecks()) {
		if limits[c.field] == "" {
			limits[c.field] = c.want
		}
	}
	var out []Setting
	for _, s := range settings() {
		if s.values == "" {
			s.values = limits[s.path]
		}
		value := defaults[s.path]
		if value == "" && s.get != nil {
			value = s.get(&d)
		}
		if value == "" {
			value = "-"
		}
		out = append(out, Setting{s.path, s.about, s.unit, s.values, value})
	}
	slices.SortFunc(out, func(a, b Setting) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Lookup returns the setting of a path; it errors, with one that may have been
// meant, when there is none.
func Lookup(path string) (Path, error) {
	meant := ""
	var paths []string
	for _, k := range settings() {
		if k.path == path {
			return k, nil
		}
		paths = append(paths, k.path)
		if meant == "" && path != "" && (strings.Contains(k.path, path) || strings.HasSuffix(path, "."+k.path) ||
			strings.HasPrefix(k.path, strings.SplitN(path, ".", 2)[0]+".")) {
			meant = k.path
		}
	}
	if n := near.Name(path, paths); n != "" {
		meant = n
	}
	if meant != "" {
		meant = "; did you mean " + meant + "?"
	}
	return Path{}, fmt.Errorf("%s: no such setting%s", path, meant)
}

// Set changes one value of the spec by its path, such as "link.gbps". It errors,
// naming the path, when there is no such path or the value cannot be read; that
// the whole is possible, Validate says. With rtt.us set, the latency of the
// links follows the other settings.
func (s *Spec) Set(path, value string) error {
	k, err := Lookup(path)
	if err != nil {
		return err
	}
	if err := k.set(s, strings.TrimSpace(value)); err != nil {
		return fmt.Errorf("%s = %s: %w", path, value, err)
	}
	s.SolveLatency()
	return nil
}

// SolveLatency sets the latency of every link so that the unloaded round trip of
// the longest path is RTT, when that is set and the links have none of their own.
func (s *Spec) SolveLatency() {
	if t := s.Shape(); s.RTT == 0 || t == CustomFile || t == Custom {
		return // a graph has latencies of its own
	}
	s.TierLatency = [2]units.Picos{}
	path := s.longest()
	wire := units.Picos(0)
	for _, h := range path {
		if h.gbps <= 0 {
			return // Validate says what is wrong
		}
		wire += units.Picos(units.PerByte(h.gbps)) * units.Picos(s.MTU+s.CtlBytes)
	}
	s.LinkLatency = (s.RTT - wire) / units.Picos(2*len(path))
}
