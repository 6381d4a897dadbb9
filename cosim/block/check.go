package block

// Part is one run of the check of a block.
type Part struct {
	Source string
	Seed   uint64
	Events uint64
	Size   Size
	Case   string // the one directed case that is played; empty for all that the source has
}

// Check returns the runs that goldwire cosim makes of a source when it is given no seeds, events or parameters, or nil
// if it makes one plain run. Random events get several seeds, because few events of many seeds find more than many
// events of one, and two sizes: at the smallest, sweeps are short, queues fill and indices meet. Directed cases are all
// played at the default size, and those of Sizes.Cases again at theirs.
func (b *Block) Check(source string) []Part {
	switch {
	case source == "directed" && len(b.Sizes.Cases) > 0:
		parts := []Part{{Source: source, Seed: 1}}
		for _, c := range b.Sizes.Cases {
			parts = append(parts, Part{Source: source, Seed: 1, Size: c.Size, Case: c.Case})
		}
		return parts
	case source != "random":
		return nil
	}
	least := b.Sizes.LeastEvents
	if least == 0 {
		least = 5_000
	}
	parts := []Part{
		{Source: source, Seed: 1, Events: 30_000}, {Source: source, Seed: 2, Events: 15_000},
		{Source: source, Seed: 3, Events: least, Size: Least}, {Source: source, Seed: 4, Events: least, Size: Least},
	}
	if most := b.Sizes.MostEvents; most > 0 {
		parts = append(parts, Part{Source: source, Seed: 5, Events: most, Size: Most})
	}
	return parts
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
