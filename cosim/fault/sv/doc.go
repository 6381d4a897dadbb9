// Package sv reads as much SystemVerilog as it takes to plant faults: it finds, in one module, every place
// where a value is decided (a Site), with the expression there as a tree whose nodes know where in the text
// they stand, and the signals that might be mistaken for one another.
//
//	m, err := sv.Parse("gw_credit.sv", text)
//	for _, s := range m.Sites {
//		fmt.Println(s.Line, s.Kind, m.Text[s.Start:s.End])
//	}
//
// It reads the subset of the language that the blocks are written in and errors, with file and line, on
// anything else. Comments, parameters, ranges, port lists and what stands behind an `ifdef are no sites.
package sv
