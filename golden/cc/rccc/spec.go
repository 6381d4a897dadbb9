package rccc

import "github.com/goldwire/goldwire/golden/cc/param"

// Quantum is the unit of credit in bytes.
const Quantum = 256

// Spec holds the constants of a sender. The largest window is also its speculative credit.
type Spec struct {
	MaxWnd int64 `param:"max_wnd" unit:"bytes" in:"64 2147483647" about:"largest window"`
	MTU    int64 `param:"packet" unit:"bytes" in:"64 65535" about:"largest packet"`
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("rccc spec", s.Fields()) }

// Number is a credit number or a credit target: quanta since the opening, from First on, modulo 2^24.
type Number uint32

// First is the number of both ends at the opening.
const First Number = 1<<24 - 1<<12

// Plus returns the number a number of quanta later.
func (n Number) Plus(quanta int64) Number { return Number(int64(n)+quanta) & (1<<24 - 1) }

// Since returns the quanta from m to n, from -2^23 to 2^23 - 1.
func (n Number) Since(m Number) int64 { return int64(int32(n-m) << 8 >> 8) }
