// Package fabricplan plans and makes the runs of goldwire fabric run: a preset or a file with settings over it, under
// each of several congestion controls, with each of several seeds. The runs of two congestion controls differ in
// nothing else, so that they can be compared flow by flow. Errors name the flags of the command.
//
//	p, err := fabricplan.Load("fattree128/incast32", []string{"link.gbps=800"})
//	err = p.Complete(&fabricplan.Request{CCs: []string{"nscc", "nscc-fixed"}, Seeds: []uint64{1, 2}, Root: root})
//	for _, cc := range p.CCs {
//		results, played, err := p.Run(ctx, cc, fabricplan.Watching{})
//	}
package fabricplan
