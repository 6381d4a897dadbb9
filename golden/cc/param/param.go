// Package param names the parameters and the state of a congestion control, with units and bounds, so that they can be
// set and shown by name. A Spec lists its fields, and Check holds them against their bounds.
//
//	type Spec struct {
//		Beta float64 `param:"beta" in:"0 1" about:"depth of a cut"`
//	}
//	fields := param.Of(&s)
//	err := param.Set(fields, "beta", 0.5)
//	err = param.Check("swift spec", fields)
package param

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/golden/units"
)

// Field is one parameter or part of a state.
type Field struct {
	Name, Unit string
	// Ptr points to the value: a float64, an integer, a bool, or a units.Picos, which is shown in us. A func() float64 is
	// a derived value, which can be read only.
	Ptr      any
	Min, Max float64 // bounds, both allowed; none when both are 0
	Whole    bool    // refuses fractions; a Ptr to an integer always does
	About    string
}

// Of returns the fields of a struct that have the tag param, which is their name, in their order, and those of embedded
// structs. Further tags: unit, about, in for both bounds, whole, and from: the least kind, 0 unless told, that has the
// field.
func Of(ptr any, kind ...uint8) []Field {
	v := reflect.ValueOf(ptr).Elem()
	known, ok := layouts.Load(v.Type())
	if !ok {
		known = layoutOf(v.Type())
		layouts.Store(v.Type(), known)
	}
	out := make([]Field, 0, len(known.([]layout)))
	for _, l := range known.([]layout) {
		if l.from == 0 || kind[0] >= l.from {
			l.Ptr = v.FieldByIndex(l.index).Addr().Interface()
			out = append(out, l.Field)
		}
	}
	return out
}

// layout is a field but for the struct that holds it.
type layout struct {
	Field
	index []int
	from  uint8
}

// layouts holds those of each type: a simulated network makes a Spec for each flow.
var layouts sync.Map

func layoutOf(t reflect.Type) (out []layout) {
	for _, f := range reflect.VisibleFields(t) {
		name, ok := f.Tag.Lookup("param")
		if !ok {
			continue
		}
		l := layout{Field{Name: name, Unit: f.Tag.Get("unit"), About: f.Tag.Get("about")}, f.Index, 0}
		l.Whole = f.Tag.Get("whole") != ""
		if low, high, ok := strings.Cut(f.Tag.Get("in"), " "); ok {
			l.Min, l.Max = number(low), number(high)
		}
		if from, ok := f.Tag.Lookup("from"); ok {
			l.from = uint8(number(from))
		}
		out = append(out, l)
	}
	return out
}

// number reads one of a tag.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // a mistake in the source
	}
	return v
}

// Get returns the value; 1 for true.
func (f Field) Get() float64 {
	switch p := f.Ptr.(type) {
	case *units.Picos:
		return p.Micros()
	case func() float64:
		return p()
	}
	switch v := reflect.Indirect(reflect.ValueOf(f.Ptr)); {
	case v.CanFloat():
		return v.Float()
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	case v.Kind() == reflect.Bool:
		return 0
	}
	panic(fmt.Sprintf("param: field %s has a pointer of type %T", f.Name, f.Ptr))
}

// bad returns an error when v is outside the bounds, not a number, or a fraction that Whole refuses.
func (f Field) bad(v float64) error {
	lo, hi := f.Min, f.Max
	if lo == 0 && hi == 0 {
		lo, hi = math.Inf(-1), math.Inf(1)
	}
	fraction := f.Whole && v != math.Trunc(v)
	if v >= lo && v <= hi && !fraction {
		return nil
	}
	unit, number := "", ""
	if fraction {
		number = "a whole number, "
	}
	if f.Unit != "" {
		unit = " " + f.Unit
	}
	switch {
	case math.IsNaN(v) && math.IsInf(lo, -1):
		return fmt.Errorf("%s = %v: want a number", f.Name, v)
	case math.IsNaN(v) && !fraction:
		number = "a number, "
	}
	if math.IsInf(hi, 1) {
		return fmt.Errorf("%s = %v: want %s%v%s or above", f.Name, v, number, lo, unit)
	}
	return fmt.Errorf("%s = %v: want %sfrom %v to %v%s", f.Name, v, number, lo, hi, unit)
}

// Set sets the value. It errors when v is out of bounds or not of the field's type.
func (f Field) Set(v float64) error {
	if err := f.bad(v); err != nil {
		return err
	}
	switch p := f.Ptr.(type) {
	case *units.Picos:
		*p = units.Picos(math.Round(v * float64(units.Microsecond)))
		return nil
	case func() float64:
		return fmt.Errorf("%s: it is derived from other values and cannot be set", f.Name)
	}
	to, whole := reflect.ValueOf(f.Ptr).Elem(), v == math.Trunc(v) && math.Abs(v) < 1<<53
	switch {
	case to.CanFloat():
		to.SetFloat(v)
	case to.Kind() == reflect.Bool && v != 0 && v != 1:
		return fmt.Errorf("%s = %v: want 0 or 1", f.Name, v)
	case to.Kind() == reflect.Bool:
		to.SetBool(v == 1)
	case to.CanInt() && whole && !to.OverflowInt(int64(v)):
		to.SetInt(int64(v))
	case to.CanUint() && whole && v >= 0 && !to.OverflowUint(uint64(v)):
		to.SetUint(uint64(v))
	default:
		return fmt.Errorf("%s = %v: want a whole number", f.Name, v)
	}
	return nil
}

// Find returns the field of a name. It errors with the known names.
func Find(fields []Field, name string) (Field, error) {
	var names []string
	for _, f := range fields {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Field{}, fmt.Errorf("%s: not known: want one of %s", name, strings.Join(names, ", "))
}

// Set sets the field of a name.
func Set(fields []Field, name string, v float64) error {
	f, err := Find(fields, name)
	if err != nil {
		return err
	}
	return f.Set(v)
}

// Check returns nil when all values are within their bounds, or an error that names the first that is not.
func Check(what string, fields []Field) error {
	for _, f := range fields {
		if err := f.bad(f.Get()); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}
