package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/units"
)

// All returns every setting in alphabetical order of the paths.
func All() []Setting {
	var out []Setting
	for _, r := range rows() {
		out = append(out, r.Describe())
	}
	slices.SortFunc(out, func(a, b Setting) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Find returns the row of a path; it errors, with the nearest path, when there is none.
func Find(path string) (Row, error) {
	meant := ""
	var paths []string
	for _, r := range rows() {
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
	if meant != "" {
		meant = "; did you mean " + meant + "?"
	} else {
		meant = "; goldwire fabric list settings shows all"
	}
	return Row{}, fmt.Errorf("%s: no such setting%s", path, meant)
}

// Set changes one value of the spec by its path, such as "link.gbps". It errors,
// naming the path, when there is no such path or the value cannot be read; Validate
// checks whether the whole is possible. With rtt.us set, the latency of the
// links follows the other settings.
func (s *Spec) Set(path, value string) error {
	r, err := Find(path)
	if err != nil {
		return err
	}
	if err := r.set(s, strings.TrimSpace(value)); err != nil {
		return fmt.Errorf("%s = %s: %w", path, value, err)
	}
	s.SolveLatency()
	return nil
}

// SolveLatency sets the latency of every link so that the unloaded round trip of
// the longest path is RTT, when that is set and the links have none of their own.
func (s *Spec) SolveLatency() {
	if t := s.Shape(); s.RTT == 0 || t == CustomFile || t == Custom {
		return // a graph has latencies of its own
	}
	s.TierLatency = [2]units.Picos{}
	path := s.longest()
	wire := units.Picos(0)
	for _, h := range path {
		if h.gbps <= 0 {
			return // Validate refuses it
		}
		wire += units.Picos(units.PerByte(h.gbps)) * units.Picos(s.MTU+s.CtlBytes)
	}
	s.LinkLatency = (s.RTT - wire) / units.Picos(2*len(path))
}
