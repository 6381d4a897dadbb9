package cover

import "fmt"

// Proof is the argument that a bin cannot be hit.
type Proof struct {
	Why string // the constraint, in words

	// Check evaluates the constraint over every case of a small model that keeps
	// all that the constraint depends on. It returns an error that names the case
	// in which the bin would be hit.
	Check func() error
}

// Exclude attaches a proof to a bin.
func (p *Plan) Exclude(i int, proof *Proof) { p.bins[i].proof = proof }

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
			out = append(out, Unreachable{b.name, b.proof.Why})
		}
	}
	return out
}

// CheckProofs evaluates every proof and returns the first that fails, named by
// its bin.
func (c *Collector) CheckProofs() error {
	for _, b := range c.plan.bins {
		if b.proof == nil {
			continue
		}
		if err := b.proof.Check(); err != nil {
			return fmt.Errorf("bin %s is called unreachable because %s, but: %w", b.name, b.proof.Why, err)
		}
	}
	return nil
}

// OnePort proves that the ports of a block of so many are the first and no other.
func OnePort(ports int) func() error {
	return func() error {
		for port := range ports {
			if port != 0 {
				return fmt.Errorf("port %d", port)
			}
		}
		return nil
	}
}
