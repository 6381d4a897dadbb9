package fabric

import (
	"fmt"
	"slices"
	"strings"
)

// SlowHosts are the hosts of one run whose memory drains slowly, and those of them
// that no flow goes to: their memory plays no part.
type SlowHosts struct {
	Seed  uint64  `json:"seed"`
	Hosts []int32 `json:"hosts"`
	Idle  []int32 `json:"idle"`
}

// String names the hosts, as in "3, 17 (17 receives nothing)".
func (s *SlowHosts) String() string {
	if len(s.Hosts) == 0 {
		return "none was drawn, so that slow_hosts has no effect"
	}
	list := func(hosts []int32) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(hosts), " ", ", "), "[]")
	}
	switch len(s.Idle) {
	case 0:
		return list(s.Hosts)
	case len(s.Hosts):
		return list(s.Hosts) + ": none of them receives anything, so that slow_hosts has no effect"
	case 1:
		return fmt.Sprintf("%s (%d receives nothing)", list(s.Hosts), s.Idle[0])
	}
	return fmt.Sprintf("%s (%s receive nothing)", list(s.Hosts), list(s.Idle))
}

// slowHosts returns nil when the spec has no slow hosts.
func (s *sim) slowHosts() *SlowHosts {
	if s.spec.SlowHosts == 0 {
		return nil
	}
	out := &SlowHosts{Seed: s.spec.Seed, Hosts: []int32{}, Idle: []int32{}}
	receives := make([]bool, len(s.hosts))
	for i := range s.tx {
		receives[s.tx[i].dst] = true
	}
	for h := range s.hosts {
		if !s.hosts[h].slow {
			continue
		}
		out.Hosts = append(out.Hosts, int32(h))
		if !receives[h] {
			out.Idle = append(out.Idle, int32(h))
		}
	}
	return out
}

// deafCC are the congestion controls that have no destination flow control: what a
// slow receiver asks for does not reach their windows.
var deafCC = []string{"fixed", "nscc-htsim"}

// CheckSlow returns an error when a congestion control would let the spec's slow
// hosts be without effect.
func (s *Spec) CheckSlow(cc string) error {
	if s.SlowHosts == 0 || !slices.Contains(deafCC, cc) {
		return nil
	}
	return fmt.Errorf("slow_hosts = %v: cc = %s has no destination flow control, and a slow host would change nothing; take nscc, nscc-fixed or nscc-rtl", s.SlowHosts, cc)
}

// checkSlow refuses a flow to a slow host whose sender would not notice.
func (s *sim) checkSlow() error {
	if s.factory != nil {
		return nil
	}
	for i := range s.tx {
		t := &s.tx[i]
		c := &s.ccc[t.ccc]
		if !s.hosts[t.dst].slow {
			continue
		}
		if err := s.spec.CheckSlow(c.name); err != nil {
			return fmt.Errorf("host %d -> slow host %d: %w", c.host, t.dst, err)
		}
	}
	return nil
}
