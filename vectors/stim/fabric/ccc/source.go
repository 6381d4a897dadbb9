// Package ccc turns the contexts of simulated NICs into the events of the block ccc.
package ccc

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	network "github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// Sources lists the sources fabric:NAME of ccc.
var Sources = simulations.Sources("", open)

// Simulation returns the simulation behind the source fabric:NAME of ccc. It errors when the name is unknown.
func Simulation(name string, seed uint64) (settings.Spec, error) {
	preset, control := name, fields.NSCC
	if c, ok := credited[name]; ok {
		preset, control = c.preset, c.control
	}
	spec, err := simulations.Spec(preset, seed)
	spec.PDCsPerCCC = 2
	if control != fields.NSCC {
		spec.CC, spec.ECNLastHop = control, false
		spec.SlowHosts = 0 // credit has no destination flow control
	}
	return spec, err
}

// contexts feeds ccc with the events of the contexts of a simulation.
type contexts struct {
	spec  settings.Spec
	o     *stim.Options
	ofCtx map[[2]int32]uint8 // host and context -> profile
	slots *slotBook          // where flows bind slots anew; nil for one connection to a slot
}

func open(o *stim.Options, name, _ string) (stim.Source, error) {
	spec, err := Simulation(name, o.Seed)
	if err != nil {
		return nil, err
	}
	return openSimulation(name, spec, o)
}

func openSimulation(name string, spec settings.Spec, o *stim.Options) (stim.Source, error) {
	f := &contexts{spec: spec, o: o}
	if name == fabric.Turnover {
		f.slots = &slotBook{slots: map[[2]int32]*slot{}}
	}
	return fabric.OpenNIC(fabric.NICBlock{
		Schema: ccc.Schema(), Limit: o.Params["NumContexts"], Configure: f.configure, Tap: f.tap,
	}, name, spec, o)
}

// configure puts the register writes in front of the stream.
func (f *contexts) configure(s *fabric.NICSource) error {
	all, ofCtx, err := profiles(f.spec, f.o)
	if err != nil {
		return err
	}
	f.ofCtx = ofCtx
	for p := range all {
		for a, v := range fields.RegisterFile(&all[p]) {
			ev := ccc.Event{Kind: ccc.KindCfgWrite, Profile: uint8(p), Addr: uint8(a), Data: v}
			ccc.PackEvent(&ev, s.Put(nil))
		}
	}
	return nil
}

// profiles returns the constants of a simulation, a profile for each distinct set that its contexts have, and the
// profile of each context. It errors when there are more sets than profiles.
func profiles(spec settings.Spec, o *stim.Options) (all []exact.Registers, ofCtx map[[2]int32]uint8, err error) {
	contexts, err := network.Contexts(spec)
	if err != nil {
		return nil, nil, err
	}
	numbers := map[cc.Config]uint8{}
	ofCtx = map[[2]int32]uint8{}
	for _, cfg := range contexts {
		key := cfg
		key.NIC, key.CCC = 0, 0
		p, ok := numbers[key]
		if !ok {
			p = uint8(len(numbers))
			numbers[key] = p
			if int(p) >= o.Params["NumProfiles"] {
				continue // counted, for the error
			}
			reg, err := exact.Constants(fields.ContextSI(cfg, spec.CC, o.TickNs))
			if err != nil {
				return nil, nil, err
			}
			all = append(all, reg)
		}
		ofCtx[[2]int32{cfg.NIC, cfg.CCC}] = p
	}
	if n := len(numbers); n > o.Params["NumProfiles"] {
		return nil, nil, fmt.Errorf("its contexts have %d different sets of constants (rate, base RTT), one for each "+
			"profile, but the block has %d profiles; raise NumProfiles", n, o.Params["NumProfiles"])
	}
	return all, ofCtx, nil
}

// Constants returns the constants of each profile that a source writes, before they were rounded to registers. It
// returns none for a source that draws words or takes them from a text; those have no other value.
func Constants(source string, o *stim.Options) ([]exact.Registers, error) {
	name, ok := strings.CutPrefix(source, stim.Fabric)
	if !ok {
		return nil, nil
	}
	spec, err := Simulation(name, o.Seed)
	if err != nil {
		return nil, err
	}
	all, _, err := profiles(spec, o)
	return all, err
}

// tap converts one event of a context.
func (f *contexts) tap(s *fabric.NICSource, t *cc.Event) bool {
	n, ok := s.Number(t.NIC, t.CCC)
	if !ok {
		return true
	}
	var ev, bind ccc.Event
	if f.slots != nil {
		var keep, anew bool
		if t, keep, anew = f.slots.see(t, &bind); !keep {
			return s.Proceed()
		}
		if anew {
			bind.Ctx, bind.Now = uint16(n), fields.Ticks(t.Time, s.TickPs)
			ccc.PackEvent(&bind, s.Put(t))
		}
	}
	if err := fields.CCCEvent(t, uint16(n), s.TickPs, &ev); err != nil {
		return s.Fail(err)
	}
	if ev.Kind == ccc.KindOpen {
		if ev.Profile, ok = f.ofCtx[[2]int32{t.NIC, t.CCC}]; !ok {
			return s.Fail(fmt.Errorf("host %d makes context %d while the simulation runs, and the profiles are written "+
				"before it begins",
				t.NIC, t.CCC))
		}
	}
	var sample ccc.Event
	if fields.SampleEvent(t.Time, t.Sample, uint16(n), s.TickPs, &sample) {
		ccc.PackEvent(&sample, s.Put(t))
	}
	ccc.PackEvent(&ev, s.Put(t))
	return s.Proceed()
}
