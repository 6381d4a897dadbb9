package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/units"
)

// rows returns every setting. Values are checked in this order.
func rows() []Row {
	return slices.Concat(networkRows(), hostRows(), switchRows(), markRows(), loadRows())
}

// longest is a second of simulated time in picoseconds, far beyond any use.
const longest = units.Picos(1e12)

// Limits that several settings share.

func (r Row) between(low, high int64, want string, field func(*Spec) int64) Row {
	return r.must(want, func(s *Spec) bool { return field(s) >= low && field(s) <= high })
}

// upToASecond limits a time; want describes it.
func (r Row) upToASecond(want string, field func(*Spec) *units.Picos) Row {
	return r.must(want, func(s *Spec) bool { return *field(s) >= 0 && *field(s) <= longest })
}

func (r Row) factor(field func(*Spec) *float64) Row {
	return r.in("BDP").must("above 0 to 1000", func(s *Spec) bool { return *field(s) > 0 && *field(s) <= 1000 })
}

func (r Row) share(field func(*Spec) *float64) Row {
	return r.must("from 0 to below 1", func(s *Spec) bool { return *field(s) >= 0 && *field(s) < 1 })
}

// rateOr0 limits a rate in Gb/s that may be 0.
func (r Row) rateOr0(field func(*Spec) *int) Row {
	return r.in("Gb/s").must("0 (that of the host links) or a divisor of 8000",
		func(s *Spec) bool { g := *field(s); return g == 0 || g > 0 && units.BytePicos%g == 0 })
}

// Reasons that several settings share.

// needs returns "" when the value is one of those that read a setting.
func needs[T ~string](what string, is T, want ...T) string {
	if slices.Contains(want, is) {
		return ""
	}
	var names []string
	for _, w := range want {
		names = append(names, string(w))
	}
	return fmt.Sprintf("%s = %s, and only %s takes it", what, is, strings.Join(names, ", "))
}

// when returns why where a condition holds.
func when(bad bool, why string) string {
	if bad {
		return why
	}
	return ""
}

// notIn is a reason: the topology is none of those that read a setting.
func notIn(want ...Topology) reason {
	return func(u *use) string { return needs("topology", u.Shape(), want...) }
}

// notOf is a reason: the workload is none of those that read a setting.
func notOf(want ...Workload) reason {
	return func(u *use) string {
		if u.listed {
			return ofTheList(u)
		}
		return needs("workload", u.Workload, want...)
	}
}

// ofTheList is a reason: a list of flows takes the place of the workload.
func ofTheList(u *use) string {
	return when(u.listed, "the file lists its flows, which take the place of the workload")
}

// oneWay is a reason: there is only one path, so nothing to balance.
func oneWay(u *use) string {
	return when(u.OnePath(), fmt.Sprintf("topology = %s has one path between any two hosts", u.Shape()))
}

// lossless is a reason: with pfc the only queues that drop or trim are those of elephants.
func lossless(why string) reason {
	return func(u *use) string { return when(u.PFC && !u.MediumElephants(), why) }
}

// ownLinks is a reason: a graph has rates and latencies of its own.
func ownLinks(u *use) string {
	return when(u.graph(), "the links of the topology's file have rates and latencies of their own")
}

// none reports whether no control of the run is such a one. Flows of a list may name controls of their own.
func (u *use) none(such func(r *cc.Row) bool) bool { return !u.listed && !u.any(such) }

// unread is a reason: no congestion control reads a setting.
func unread(path string) reason {
	return func(u *use) string { return when(!u.listed && !u.reads(path), u.deaf()) }
}

// unfollowed is a reason: no congestion control follows what switches compute.
func unfollowed(u *use) string {
	return when(u.none(func(r *cc.Row) bool { return r.Needs.SwitchRate }), u.deaf())
}

// ownLosses is a reason: every congestion control finds losses itself.
func ownLosses(u *use) string {
	return when(u.none(func(r *cc.Row) bool { return !r.OwnLosses }), u.named()+" finds losses itself")
}

// everyAck returns a reason: every packet is acknowledged for every congestion control, and none reads the setting.
func everyAck(path string) reason {
	return func(u *use) string {
		acked := u.none(func(r *cc.Row) bool { return !r.Needs.EveryAck })
		return when(acked && !u.reads(path), u.named()+" has every packet acknowledged")
	}
}

// graph reports whether the topology is a graph with links of its own.
func (s *Spec) graph() bool { t := s.Shape(); return t == CustomFile || t == Custom }

// marked is the balancer of elephants.
func (s *Spec) marked() lb.Kind {
	if s.ElephantLB == "" {
		return lb.ECMP
	}
	return s.ElephantLB
}

// reads reports whether the congestion control of a flow reads a setting. Those that come from
// outside are not known here and may read any.
func (s *Spec) reads(path string) bool {
	return s.any(func(r *cc.Row) bool { return slices.Contains(r.Reads, path) })
}

// any reports whether something holds for the congestion control of a flow, or may hold for one from outside.
func (s *Spec) any(is func(r *cc.Row) bool) bool {
	known := cc.Rows()
	return slices.ContainsFunc(s.controls(), func(name string) bool {
		row, err := cc.Find(name, known)
		return err != nil || is(row)
	})
}

// deaf is the text of unread.
func (s *Spec) deaf() string { return s.named() + " does not read it" }

// named names the congestion controls.
func (s *Spec) named() string {
	names := s.controls()
	if names[0] == "" {
		names[0] = cc.Default
	}
	return "cc = " + strings.Join(names, ", ")
}
