// Package arith has the arithmetics in which the rules of NSCC run, in addition to the float64 of package nscc: exact
// numbers, fixed point at the formats of a table, and float64 again, in the form of the other two.
//
// Float and Exact round nothing: they are the rules in real numbers. Fixed rounds and clamps as the table says, which
// by default is what the hardware's contract requires.
//
//	a := arith.NewFixed(ccc.Formats())
//	regs := arith.Reset()
//	p := arith.Params(a, &regs)
//	s := nscc.NewStateOf(&p, a.Whole(0))
//	r := s.OnSend(&p, &nscc.SendOf[fixed.Num]{Size: a.Whole(4096)})
package arith
