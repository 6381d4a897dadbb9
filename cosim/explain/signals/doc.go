// Package signals finds where two designs part: the first signals that differ when both play the same events. It reads
// the VCD files that goldwire cosim --signals writes.
//
//	p, err := signals.Compare("failing.vcd", "good.vcd")
//	if p != nil {
//		origin, _ := p.Origin()
//		fmt.Println(p.Cycle, origin)
//	}
//
// Until the first difference both designs have the same history, so what differs first is where the fault acts, while
// the output that differs later depends on the events as well.
package signals
