package settings

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
)

// Offers returns what a run of the spec offers to congestion controls.
func (s *Spec) Offers() cc.Network {
	return cc.Network{ECN: s.ECN != ECNOff, INT: string(s.INT), Retrace: s.Retrace || s.OnePath(),
		SwitchRate: s.FairRate, Trim: s.Trim, PDCs: s.PDCsPerCCC}
}

// CheckControl returns an error when a run of the spec does not offer what a congestion control
// needs, or when the control would leave the spec's slow hosts without effect.
func (s *Spec) CheckControl(row *cc.Row) error {
	if err := row.Check(s.Offers()); err != nil {
		return err
	}
	if s.SlowHosts == 0 || row.DestFlow {
		return nil
	}
	return fmt.Errorf("slow_hosts = %v: cc = %s has no destination flow control, and a slow host would change nothing; "+
		"take nscc, nscc-fixed or nscc-rtl", s.SlowHosts, row.Name)
}
