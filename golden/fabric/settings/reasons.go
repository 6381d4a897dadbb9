package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
)

// use is what decides whether a setting has an effect: the spec, the paths that are set, and whether
// the flows are those of a list, which takes the place of the workload. Its methods return why a setting has none, ""
// when it has one.
type use struct {
	*Spec
	given  []string
	listed bool
}

// needs returns "" when the value is one of those that read a setting.
func needs[T ~string](what string, is T, want ...T) string {
	names := strings.Trim(strings.ReplaceAll(fmt.Sprint(want), " ", ", "), "[]")
	return when(!slices.Contains(want, is), fmt.Sprintf("%s = %s, and only %s takes it", what, is, names))
}

// when returns why where a condition holds.
func when(bad bool, why string) string {
	if bad {
		return why
	}
	return ""
}

// notIn: the topology is none of those that read a setting.
func (u *use) notIn(want ...Topology) string { return needs("topology", u.Shape(), want...) }

// notOf: the workload is none of those that read a setting.
func (u *use) notOf(want ...Workload) string {
	if u.listed {
		return u.ofTheList()
	}
	return needs("workload", u.Workload, want...)
}

// ofTheList: a list of flows takes the place of the workload.
func (u *use) ofTheList() string {
	return when(u.listed, "the file lists its flows, which take the place of the workload")
}

// oneWay: there is only one path, so nothing to balance.
func (u *use) oneWay() string {
	return when(u.OnePath(), fmt.Sprintf("topology = %s has one path between any two hosts", u.Shape()))
}

// lossless: with pfc the only queues that drop or trim are those of elephants.
func (u *use) lossless(why string) string { return when(u.PFC && !u.MediumElephants(), why) }

// twoBaseRTTs: two settings decide the base RTT.
func (u *use) twoBaseRTTs() string {
	return when(u.PerFlowRTT && u.BaseRTT != 0,
		"base_rtt.us and per_flow_rtt = on both set the base RTT of the senders; keep one (queue.bytes sizes queues)")
}

// unread: no congestion control reads a setting.
func (u *use) unread(path string) string {
	return when(!u.listed && !u.reads(path), u.named()+" does not read it")
}

// ownLosses: every congestion control finds losses itself.
func (u *use) ownLosses() string {
	return when(u.none(func(r *cc.Row) bool { return !r.OwnLosses }), u.named()+" finds losses itself")
}

// everyAck: every packet is acknowledged for every congestion control, and none reads the setting.
func (u *use) everyAck(path string) string {
	acked := u.none(func(r *cc.Row) bool { return !r.Needs.EveryAck })
	return when(acked && !u.reads(path), u.named()+" has every packet acknowledged")
}

// none reports whether no control of the run is such a one. Flows of a list may name controls of their own.
func (u *use) none(such func(r *cc.Row) bool) bool { return !u.listed && !u.any(such) }

// reads reports whether the congestion control of a flow reads a setting. Those that come from
// outside are not known here and may read any.
func (u *use) reads(path string) bool {
	return u.any(func(r *cc.Row) bool { return slices.Contains(r.Reads, path) })
}

// any reports whether something holds for the congestion control of a flow, or may hold for one from outside.
func (u *use) any(is func(r *cc.Row) bool) bool {
	known := cc.Rows()
	return slices.ContainsFunc(u.controls(), func(name string) bool {
		row, err := cc.Find(name, known)
		return err != nil || is(row)
	})
}

// named names the congestion controls.
func (u *use) named() string {
	names := u.controls()
	if names[0] == "" {
		names[0] = cc.Default
	}
	return "cc = " + strings.Join(names, ", ")
}

// controls returns the congestion controls that the spec names, each once, that of the flows that name none first.
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
