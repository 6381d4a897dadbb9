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

// Provide sets what a congestion control needs of the network, leaves everything else as it is, and returns what it has
// changed, PATH=VALUE.
func (s *Spec) Provide(row *cc.Row) (changed []string) {
	n := &row.Needs
	if (n.ECN || n.CNP > 0) && s.ECN == ECNOff {
		s.ECN, changed = ECNProbabilistic, append(changed, "ecn="+string(ECNProbabilistic))
	}
	if n.INT != "" && s.INT != INTMode(n.INT) {
		s.INT, changed = INTMode(n.INT), append(changed, "int="+n.INT)
	}
	if n.Retrace && !s.Retrace && !s.OnePath() {
		s.Retrace, changed = true, append(changed, "retrace=on")
	}
	if n.SwitchRate && !s.FairRate {
		s.FairRate, changed = true, append(changed, "fair_rate=on")
	}
	if n.Trim && !s.Trim {
		s.Trim, changed = true, append(changed, "trim=on")
	}
	if n.OneConnection && s.PDCsPerCCC > 1 {
		s.PDCsPerCCC, changed = 1, append(changed, "nic.pdcs=1")
	}
	return changed
}
