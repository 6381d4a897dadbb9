// Package diff measures what fixed point costs: the rules of the block ccc run on the same events in fixed point at the
// formats of a table, in float64 and in exact numbers, and values and decisions are compared.
package diff
