package settings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Ineffective returns an error that names the first of the given paths whose
// setting changes nothing in a run of this spec, and why: the chosen topology,
// workload or another setting leaves it unread. Order does not matter. listed
// is set when the flows are those of a list, which takes the place of the workload.
func (s *Spec) Ineffective(paths []string, listed bool) error {
	u := &use{Spec: s, given: paths, listed: listed}
	all := rows()
	for _, p := range paths {
		i := slices.IndexFunc(all, func(r Row) bool { return r.Path == p })
		if i < 0 {
			continue // Set has refused it
		}
		for _, why := range all[i].idle {
			if text := why(u); text != "" {
				return fmt.Errorf("%s: has no effect: %s", p, text)
			}
		}
	}
	return nil
}

// IneffectiveFlows returns an error that names the first of the given paths whose
// value every flow of a list sets itself.
func IneffectiveFlows(paths []string, list []traffic.Message) error {
	each := func(name func(*traffic.Message) string) bool {
		for i := range list {
			if name(&list[i]) == "" {
				return false
			}
		}
		return len(list) > 0
	}
	cc := each(func(m *traffic.Message) string { return m.CC })
	balanced := each(func(m *traffic.Message) string { return m.LB })
	for _, p := range paths {
		switch {
		case cc && (p == "cc" || p == "cc.hosts" || p == "cc.contexts"):
			return fmt.Errorf("%s: has no effect: every flow of the file names its cc", p)
		case balanced && p == "lb":
			return fmt.Errorf("%s: has no effect: every flow of the file names its lb", p)
		}
	}
	return nil
}

// OnePath reports whether there is only one path between any two hosts.
func (s *Spec) OnePath() bool {
	switch s.Shape() {
	case Dumbbell, FirstHop, MiddleHop, LastHop:
		return true
	case LeafSpine:
		return s.Spines == 1 || s.Leaves == 1
	case FatTree:
		return s.tiers() == 2 && s.K/2 == s.Oversub
	}
	// Of a graph: as many links as make a tree, which Net has found connected or not.
	return s.Graph != nil && len(s.Graph.Links) < len(s.Graph.Names)
}

// controls returns the congestion controls that the spec names, each once, that of the flows that
// name none first.
func (s *Spec) controls() []string {
	names := []string{s.CC}
	for _, m := range []map[int32]string{s.CCHosts, s.CCContexts} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(names, m[n]) {
				names = append(names, m[n])
			}
		}
	}
	return names
}
