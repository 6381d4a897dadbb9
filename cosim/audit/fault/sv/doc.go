// Package sv parses as much SystemVerilog as planting faults requires. In one module it finds every place where a value
// is decided (a Site), with its expression as a tree whose nodes have positions in the text, and the signals that could
// be mistaken for one another.
//
//	m, err := sv.Parse("gw_credit.sv", text)
//	for _, s := range m.Sites {
//		fmt.Println(s.Line, s.Kind, m.Text[s.Start:s.End])
//	}
//
// It reads the subset of the language in which the blocks are written, and returns an error with file and line on
// anything else. Comments, parameters, ranges, port lists and text inside an `ifdef are not sites.
package sv
