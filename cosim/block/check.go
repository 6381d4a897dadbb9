package block

// Part is one run of the check of a block.
type Part struct {
	Source string
	Seed   uint64
	Events uint64
	Size   Size
}

// Check returns what goldwire cosim plays of a source where neither seeds nor events nor parameters are given, nil for
// a source of which that is one run. Of random events it is several seeds, at the default size and at the least, where
// sweeps are short, queues are full and indices meet: few events of many seeds find more than many of one.
func Check(source string) []Part {
	if source != "random" {
		return nil
	}
	return []Part{
		{source, 1, 40_000, Default}, {source, 2, 15_000, Default}, {source, 3, 15_000, Default},
		{source, 4, 5_000, Least}, {source, 5, 5_000, Least}, {source, 6, 5_000, Least},
	}
}

// Params returns the parameters of a size.
func (b *Block) Params(size Size) map[string]int {
	params := map[string]int{}
	for i, p := range b.Schema.Params {
		params[p.Name] = [...]int{Default: p.Default, Least: p.Min, Most: p.Min, Deep: p.Default}[size]
		if (size == Most && i == 0) || (size == Deep && i == len(b.Schema.Params)-1) {
			params[p.Name] = p.Max
		}
	}
	return params
}
