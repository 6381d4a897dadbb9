package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// rows returns every setting of a spec. Values are checked in this order.
func (u *use) rows() []Row {
	return slices.Concat(u.networkRows(), u.hostRows(), u.switchRows(), u.markRows(), u.loadRows())
}

// rows returns the settings of the spec when nothing is known of its use.
func (s *Spec) rows() []Row { return (&use{Spec: s}).rows() }

// All returns every setting of the default spec in alphabetical order of the paths.
func All() []Row {
	d := DefaultSpec()
	out := d.rows()
	for i := range out {
		out[i].Default = cmp.Or(out[i].standin, out[i].value, "-")
	}
	slices.SortFunc(out, func(a, b Row) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Find returns the row of a path in the spec; it errors, with the nearest path, when there is none.
func (s *Spec) Find(path string) (Row, error) { return find(s.rows(), path) }

func find(rows []Row, path string) (Row, error) {
	meant := ""
	var paths []string
	for _, r := range rows {
		if r.Path == path {
			return r, nil
		}
		paths = append(paths, r.Path)
		if meant == "" && path != "" && (strings.Contains(r.Path, path) || strings.HasSuffix(path, "."+r.Path) ||
			strings.HasPrefix(r.Path, strings.SplitN(path, ".", 2)[0]+".")) {
			meant = r.Path
		}
	}
	if n := near.Name(path, paths); n != "" {
		meant = n
	}
	if meant == "" {
		return Row{}, fmt.Errorf("%s: no such setting; goldwire fabric list settings shows all", path)
	}
	return Row{}, fmt.Errorf("%s: no such setting; did you mean %s?", path, meant)
}

// Set changes one value of the spec by its path, such as "link.gbps". It errors, naming the path, when there is no such
// path or the value cannot be read; Validate checks whether the whole is possible. With rtt.us set, the latency of the
// links follows the other settings.
func (s *Spec) Set(path, value string) error {
	return s.SetAll(path + "=" + value)
}

// SetAll is Set for several values of the form PATH=VALUE.
func (s *Spec) SetAll(list ...string) error {
	rows := s.rows()
	for _, item := range list {
		path, value, _ := strings.Cut(item, "=")
		r, err := find(rows, path)
		if err != nil {
			return err
		}
		if err := r.set(strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("%s = %s: %w", path, value, err)
		}
		s.SolveLatency()
	}
	return nil
}

// SolveLatency sets the latency of every link so that the unloaded round trip of
// the longest path is RTT, when that is set and the links have none of their own.
func (s *Spec) SolveLatency() {
	if s.RTT == 0 || s.graph() {
		return // a graph has latencies of its own
	}
	s.TierLatency = [2]units.Picos{}
	path := s.longest()
	wire := units.Picos(0)
	for _, h := range path {
		if !h.Gbps.Valid() {
			return // Validate refuses it
		}
		wire += h.Gbps.PerByte().Time(int64(s.MTU + s.CtlBytes))
	}
	s.LinkLatency = (s.RTT - wire) / units.Picos(2*len(path))
}

// Ineffective returns an error that names the first of the given paths whose setting changes nothing in a run of this
// spec, and why: the chosen topology, workload or another setting leaves it unread. Order does not matter. listed is
// set when the flows are those of a list, which takes the place of the workload.
func (s *Spec) Ineffective(paths []string, listed bool) error {
	all := (&use{Spec: s, given: paths, listed: listed}).rows()
	for _, p := range paths {
		i := slices.IndexFunc(all, func(r Row) bool { return r.Path == p })
		if i >= 0 && all[i].idle != "" { // Set has refused other paths
			return fmt.Errorf("%s: has no effect: %s", p, all[i].idle)
		}
	}
	return nil
}

// IneffectiveFlows returns an error that names the first of the given paths whose
// value every flow of a list sets itself.
func IneffectiveFlows(paths []string, list []traffic.Message) error {
	own := func(what string, name func(traffic.Message) string) string {
		some := slices.ContainsFunc(list, func(m traffic.Message) bool { return name(m) == "" })
		return when(len(list) > 0 && !some, what)
	}
	cc := own("cc", func(m traffic.Message) string { return m.CC })
	names := map[string]string{"cc": cc, "cc.hosts": cc, "cc.contexts": cc,
		"lb": own("lb", func(m traffic.Message) string { return m.LB })}
	for _, p := range paths {
		if n := names[p]; n != "" {
			return fmt.Errorf("%s: has no effect: every flow of the file names its %s", p, n)
		}
	}
	return nil
}
