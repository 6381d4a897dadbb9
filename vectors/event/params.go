package event

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values returns the value of each parameter of the block: that of given, or else the schema's default. It errors,
// naming the parameter and its range, when given has one that the block lacks or that is out of range.
func (b *Block) Values(given map[string]int) (map[string]int, error) {
	out := make(map[string]int, len(b.Params))
	var names []string
	for _, p := range b.Params {
		out[p.Name] = p.Default
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		v, p := given[name], b.Param(name)
		switch {
		case p == nil && len(names) == 0:
			return nil, fmt.Errorf("parameter %q: block %s has no parameters; leave it out", name, b.Name)
		case p == nil:
			return nil, fmt.Errorf("parameter %q: block %s has %s", name, b.Name, strings.Join(names, ", "))
		}
		if err := p.Check(v); err != nil {
			return nil, fmt.Errorf("block %s: %w", b.Name, err)
		}
		out[name] = v
	}
	return out, nil
}
