// Package watch holds the observers of one pass over a source: the table of cases, coverage, the judge of packets and,
// where the block has one, the comparison with float64. An observer may find a wrong output on which model and design
// agree.
//
//	all, err := watch.New(watch.Spec{Block: schema, Layout: layout, Params: params, Source: "random", TickPs: 1000})
//	all.Watch(player)
//	... play episodes ...
//	for _, f := range all.Findings() {
//		fmt.Println(f.By, f.Text)
//	}
package watch
