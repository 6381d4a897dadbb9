package settings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
)

// Validate returns nil when the run can be built, or an error that names the first impossible setting: its path for
// Set, its value and the legal values; times are microseconds.
func (s Spec) Validate() error {
	if err := s.check(); err != nil {
		return fmt.Errorf("fabric spec: %w", err)
	}
	return nil
}

func (s *Spec) check() error {
	if s.RTT > 0 && s.LinkLatency <= 0 {
		return fmt.Errorf("rtt.us = %v: the packets alone take longer on the links; raise it or link.gbps", s.RTT.Micros())
	}
	for _, r := range s.rows() {
		if r.broken != "" {
			return fmt.Errorf("%s = %s: want %s", r.Path, r.value, r.broken)
		}
	}
	if err := s.checkNetwork(); err != nil || s.QueueBytes > 0 {
		return err
	}
	low, field := s.DropAt, "queue.drop_at"
	if s.Trim {
		low, field = s.TrimAt, "queue.trim_at"
		if s.TrimAtLastHop < low {
			low, field = s.TrimAtLastHop, "queue.trim_at_last_hop"
		}
	}
	const holds = "%s = %v: a queue of that many BDP (of %d bytes) holds no %s %d bytes: raise it, or base_rtt.us"
	bdp := s.BDP()
	switch {
	case Scaled(low, bdp) < int64(s.MTU):
		return fmt.Errorf(holds, field, low, bdp, "packet of mtu =", s.MTU)
	case Scaled(s.CtlDropAt, bdp) < int64(s.CtlBytes):
		return fmt.Errorf(holds, "queue.ctl_drop_at", s.CtlDropAt, bdp, "control packet of", s.CtlBytes)
	case bdp > 1<<30:
		return fmt.Errorf("base_rtt.us and link.gbps give a BDP of %d bytes: want at most 2^30", bdp)
	}
	return nil
}

// checkNetwork checks what depends on several settings: hosts, links and their names.
func (s *Spec) checkNetwork() error {
	n := s.hostLimit()
	if n < 2 && !s.graph() {
		return fmt.Errorf("hosts = %d: want at least 2", n)
	}
	if s.HostOrder != nil && len(s.HostOrder) != n {
		return fmt.Errorf("host_order = %d: want a number for each of %d hosts", len(s.HostOrder), n)
	}
	hosts := s.Hosts()
	for _, h := range slices.Sorted(maps.Keys(s.CCHosts)) {
		if hosts > 0 && int(h) >= hosts || h < 0 {
			return fmt.Errorf("cc.hosts = %d=%s: want a host from 0 to %d", h, s.CCHosts[h], hosts-1)
		}
	}
	if s.Shape() == Custom && s.Graph == nil {
		return nil
	}
	g, err := s.Layout()
	if err != nil {
		return err
	}
	first := map[int32]int{}
	for i, f := range s.FailLinks {
		l, err := g.FindLink(f.Link)
		if err != nil {
			return fmt.Errorf("fail.links[%d]: %w", i, err)
		}
		if at, ok := first[l]; ok {
			return fmt.Errorf("fail.links[%d]: %s is the link of fail.links[%d], and fails once; keep one", i, f.Link, at)
		}
		first[l] = i
	}
	return nil
}

// Offers returns what a run of the spec offers to congestion controls.
func (s *Spec) Offers() cc.Network {
	return cc.Network{ECN: s.ECN != ECNOff, INT: string(s.INT), Retrace: s.Retrace || s.OnePath(),
		SwitchRate: s.FairRate, Trim: s.Trim, Credit: true, PDCs: s.PDCsPerCCC}
}

// CheckControl returns an error when a run of the spec does not offer what a congestion control
// needs, or when the control would leave the spec's slow hosts without effect.
func (s *Spec) CheckControl(row *cc.Row) error {
	if err := row.Check(s.Offers()); err != nil || s.SlowHosts == 0 || row.DestFlow {
		return err
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
	for _, x := range []struct {
		needed bool
		field  *bool
		path   string
	}{{n.Retrace && !s.OnePath(), &s.Retrace, "retrace"}, {n.SwitchRate, &s.FairRate, "fair_rate"},
		{n.Trim, &s.Trim, "trim"}} {
		if x.needed && !*x.field {
			*x.field, changed = true, append(changed, x.path+"=on")
		}
	}
	if n.OneConnection && s.PDCsPerCCC > 1 {
		s.PDCsPerCCC, changed = 1, append(changed, "nic.pdcs=1")
	}
	return changed
}
