package fabricplan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// applySets changes the spec, checks the whole and returns the paths; it names the
// setting that makes it impossible, when one alone does.
func applySets(spec *settings.Spec, sets []string) (paths []string, err error) {
	for _, arg := range sets {
		path, _, _ := strings.Cut(arg, "=")
		if slices.Contains(paths, path) {
			return nil, fmt.Errorf("--set %s: given twice; keep one", path)
		}
		paths = append(paths, path)
	}
	apply := func(s *settings.Spec, skip int) error {
		for i, arg := range sets {
			path, value, ok := strings.Cut(arg, "=")
			switch {
			case !ok || path == "":
				return fmt.Errorf("--set %q: give PATH=VALUE, such as link.gbps=800", arg)
			case i != skip:
				if err := s.Set(path, value); err != nil {
					return fmt.Errorf("--set %w", err)
				}
			}
		}
		return nil
	}
	check := func(s settings.Spec) error {
		if err := s.Validate(); err != nil {
			return err
		}
		_, err := s.Layout()
		return err
	}
	base := *spec
	if err := apply(spec, -1); err != nil {
		return nil, err
	}
	// A topology of a file is known once it is loaded.
	if spec.Topology == settings.CustomFile {
		g, err := spec.Network()
		if err != nil {
			return nil, fmt.Errorf("topology.file: %w", err)
		}
		spec.Graph = g
	}
	if err = check(*spec); err == nil {
		return paths, nil
	}
	for i, arg := range sets {
		without := base
		if apply(&without, i) == nil && check(without) == nil {
			return nil, fmt.Errorf("--set %s: %w", arg, err)
		}
	}
	return nil, err
}

// effective refuses settings that change nothing under any of the congestion
// controls.
func (p *Plan) effective(paths []string) (err error) {
	for _, cc := range p.CCs {
		s := p.Spec
		s.CC = cc
		if err = s.Ineffective(paths, p.Flows != nil); err == nil {
			return nil
		}
	}
	return err
}
