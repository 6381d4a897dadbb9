package fabricplan

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Plan is a run with everything checked.
type Plan struct {
	Name, About string
	File        string   // "" for a preset
	Sets        []string // settings given over those of Name
	Paths       []string // that Sets sets
	Spec        settings.Spec
	Flows       []traffic.Message // of a file that lists them, in place of the workload
	CCs         []string          // one after the other
	Seeds       []uint64
	Loop        loop.Config
	RTL         bool    // some flow runs on a control on the RTL
	Ports       []int32 // of their own in the depth series
	Captures    []Capture
	Headers     capture.Spec // of the captures
}

// Capture is what a link carries, in a file.
type Capture struct {
	Link, File string
	ports      []int32
}

// Request is what a run is asked for in addition to a preset or file and its settings. Zero values leave it to the
// settings.
type Request struct {
	CCs    []string
	Seeds  []uint64
	TickNs int                    // of the controls in hardware
	RTLDir string                 // in place of hdl/rtl; "" for that
	Root   func() (string, error) // of the repository, which the RTL needs
	Ports  []string               // by name

	Captures []string // LINK=FILE
	DSCPs    []string // NAME=N[,NAME=N...]
	UDPPort  uint16
}

// Load returns the plan of a preset or a .yaml file with settings over it, PATH=VALUE. Its settings are checked;
// Complete checks the rest.
func Load(what string, sets []string) (*Plan, error) {
	p := &Plan{Name: what, Sets: sets}
	if ext := filepath.Ext(what); ext == ".yaml" || ext == ".yml" {
		s, err := presets.LoadScenario(what)
		if err != nil {
			return nil, err
		}
		p.File, p.Spec, p.Flows = what, s.Spec, s.Messages
	} else {
		preset, err := presets.Lookup(what)
		if err != nil {
			return nil, near.Known("preset", what, Presets(), "goldwire fabric list presets")
		}
		p.Spec = preset.Spec
		if len(sets) == 0 {
			p.About = preset.About // the settings may make it untrue
		}
	}
	var err error
	p.Paths, err = applySets(&p.Spec, sets)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Presets returns the names of the catalogue in its order.
func Presets() (out []string) {
	for _, p := range presets.Catalogue() {
		out = append(out, p.Name)
	}
	return out
}

// Complete adds the request, and errors when it makes no sense: an unknown name, a setting without effect, a run that
// would not end, a congestion control that does not suit the network.
func (p *Plan) Complete(r *Request) error {
	if p.Seeds = r.Seeds; len(p.Seeds) == 0 {
		p.Seeds = []uint64{p.Spec.Seed}
	}
	if err := p.controls(r); err != nil {
		return err
	}
	if err := p.effective(p.Paths); err != nil {
		return fmt.Errorf("--set %w", err)
	}
	if err := settings.IneffectiveFlows(p.Paths, p.Flows); err != nil {
		return fmt.Errorf("--set %w", err)
	}
	if p.Spec.Rounds == 0 && p.Spec.MaxTime == 0 && p.Flows == nil {
		return errors.New("flow.rounds = 0: nothing would end the run; set max_time.us, or flow.rounds")
	}
	if err := p.links(r); err != nil {
		return err
	}
	return p.checkControls()
}

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
