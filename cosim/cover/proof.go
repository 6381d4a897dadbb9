package cover

import "fmt"

// proof is the argument that a bin cannot be hit.
type proof struct {
	why   string
	check func() error
}

// Exclude attaches to a bin the proof that it cannot be hit: why is the constraint in words. check evaluates it over
// every case of a small model that has everything the constraint depends on, and returns an error that names a case in
// which the bin would be hit.
func (p *Plan) Exclude(bin int, why string, check func() error) {
	p.bins[bin].proof = &proof{why, check}
}

// Unreachable is a bin that cannot be hit and why.
type Unreachable struct {
	Bin string `json:"bin"`
	Why string `json:"why"`
}

// Unreachable returns the bins that carry a proof.
func (c *Collector) Unreachable() []Unreachable {
	out := []Unreachable{}
	for _, b := range c.plan.bins {
		if b.proof != nil {
			out = append(out, Unreachable{b.name, b.proof.why})
		}
	}
	return out
}

// CheckProofs evaluates every proof and returns the first that fails, named by its bin.
func (c *Collector) CheckProofs() error {
	for _, b := range c.plan.bins {
		if b.proof == nil {
			continue
		}
		if err := b.proof.check(); err != nil {
			return fmt.Errorf("bin %s is called unreachable because %s, but: %w", b.name, b.proof.why, err)
		}
	}
	return nil
}

// None proves that none of n cases, from 0 on, would hit the bin; what names a case.
func None(n int, what string, hits func(i int) bool) func() error {
	return func() error {
		for i := range n {
			if hits(i) {
				return fmt.Errorf("%s %d", what, i)
			}
		}
		return nil
	}
}

// OnePort proves that the ports of a block of so many are the first and no other.
func OnePort(ports int) func() error {
	return None(ports, "port", func(i int) bool { return i != 0 })
}
