package settings

import (
	"fmt"
	"maps"
	"slices"
)

// Workloads returns the names that Spec.Workload can take.
func Workloads() []Workload {
	return []Workload{Permutation, Incast, Converge, Mixture, Elephants, AllToAll, AllGather, AllReduce, HSDP,
		Poisson, Matrix}
}

// checkNetwork checks what depends on several settings: hosts, links and their names.
func (s Spec) checkNetwork() error {
	if n := s.hostLimit(); n < 2 && !s.graph() {
		return fmt.Errorf("hosts = %d: want at least 2", n)
	}
	if n := s.hostLimit(); s.HostOrder != nil && len(s.HostOrder) != n {
		return fmt.Errorf("host_order = %d: want a number for each of %d hosts", len(s.HostOrder), n)
	}
	if err := s.checkHostNames(); err != nil {
		return err
	}
	if s.Shape() != Custom || s.Graph != nil {
		g, err := s.Network()
		if err != nil {
			return err
		}
		if _, err = g.Net(); err != nil {
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
	}
	return nil
}

// checkHostNames refuses a congestion control for a host that does not exist.
func (s Spec) checkHostNames() error {
	hosts := s.Hosts()
	for _, h := range slices.Sorted(maps.Keys(s.CCHosts)) {
		if hosts > 0 && int(h) >= hosts || h < 0 {
			return fmt.Errorf("cc.hosts = %d=%s: want a host from 0 to %d", h, s.CCHosts[h], hosts-1)
		}
	}
	return nil
}

// MediumElephants reports whether some data has queues of its own, in the medium
// class.
func (s Spec) MediumElephants() bool {
	return s.Workload == Elephants && s.ElephantClass == "medium"
}

// SenderCount is the number of hosts that converge.
func (s Spec) SenderCount() int {
	if s.Senders == 0 && s.Shape() != Dumbbell {
		return s.Hosts() - 1
	}
	return s.Senders
}
