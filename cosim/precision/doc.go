// Package precision compares fixed point with float64, one event at a time.
//
// Step compares the cycle-true model of ccc with the float reference of golden/cc/nscc: both start from the model's
// state before the event, and every word of state, every decision and every flag after it is compared. What fixed
// point rounds has a stated bound; everything else is exact. The reference takes its constants from the registers that
// the events write, so the bounds hold for any source.
//
//	s := precision.NewStep(8)
//	s.Event(&before, &after, &ev, &rsp)
//	if ok, why := s.Result().Within(); !ok {
//		fmt.Println(why)
//	}
//
// Shadow compares decisions and windows where the events have times in picoseconds, too: with constants in SI units, it
// measures what it costs to round them to registers and the time stamps to ticks.
package precision
