package reference

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
)

// fault returns an error of a reference under its name. Bound is the dut.yaml of a design, nil for a file.
func fault(name string, bound *bind.Binding, err error) error {
	if err == nil {
		return nil
	}
	var h *elastic.HandshakeError
	switch {
	case !errors.As(err, &h):
		return fmt.Errorf("reference %s: %w", name, err)
	case bound == nil:
		return fmt.Errorf("reference %s: %w, so it cannot judge a design; generate it again from a design that keeps the "+
			"handshake", name, err)
	}
	return fmt.Errorf("reference %s: %w, so it cannot judge a design; fix it, or give another reference%s", name, err,
		RelaxHint(bound, h))
}

// RelaxHint returns how to bind a design that breaks the handshake on purpose; "" where that is not possible.
func RelaxHint(b *bind.Binding, h *elastic.HandshakeError) string {
	if b.Latency != bind.Elastic {
		return ""
	}
	return fmt.Sprintf("; a design that does so on purpose has relax: [%s.%s] in its dut.yaml", h.Stream, RuleOf(h.How))
}

// RuleOf returns the rule of the handshake that a design broke, as a dut.yaml names it.
func RuleOf(how string) string {
	if how == elastic.Withdrawn {
		return bind.ValidDrops
	}
	return bind.DataChanges
}

// side is an Expect that can be restarted, with the name of the reference in its errors.
type side struct {
	elastic.Noted
	from interface{ Restart(seed uint32) error } // the same Expect
}

func (n *side) Restart(seed uint32) error { return n.Errs(n.from.Restart(seed)) }

// Follow passes the cycles that the device has run to a reference that runs along.
func (n *side) Follow(in, out []uint64) error {
	if f, ok := n.Expect.(elastic.Follower); ok {
		return n.Errs(f.Follow(in, out))
	}
	return nil
}

// Settle announces that the expected responses are read next.
func (n *side) Settle() {
	if f, ok := n.Expect.(elastic.Follower); ok {
		f.Settle()
	}
}

// End returns what broke at the end of the last cycle.
func (n *side) End() error {
	if f, ok := n.Expect.(elastic.Follower); ok {
		return n.Errs(f.End())
	}
	return nil
}

var _ elastic.Follower = (*side)(nil) // or a reference would no longer run along
