package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// CCCSpec returns the simulation behind the source fabric:NAME of ccc. It errors when the name is unknown.
func CCCSpec(name string, seed uint64) (fabric.Spec, error) {
	spec, err := NICSpec(name, seed)
	spec.PDCsPerCCC = 2
	return spec, err
}

// cccFabric feeds ccc with the events of the contexts of a simulation.
type cccFabric struct {
	spec     fabric.Spec
	o        *Options
	profiles map[fabric.CCConfig]uint8 // what the contexts of each set of constants are opened with
	ofCtx    map[[2]int32]uint8        // host and context -> profile
}

func openCCCFabric(o *Options, name string) (Source, error) {
	spec, err := CCCSpec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	return openCCCSimulation(name, spec, o)
}

func openCCCSimulation(name string, spec fabric.Spec, o *Options) (Source, error) {
	f := &cccFabric{spec: spec, o: o}
	return openNIC(NICBlock{
		Name: ccc.BlockName, Words: ccc.EventWords, Limit: o.Params["NumContexts"], Configure: f.configure, Tap: f.tap,
	}, name, spec, o)
}

// configure puts the register writes in front of the stream: a profile for each distinct set of constants
// that the contexts of the simulation have. It errors when there are more of them than profiles.
func (f *cccFabric) configure(s *fabricSource) error {
	contexts, err := fabric.Contexts(f.spec)
	if err != nil {
		return err
	}
	f.profiles, f.ofCtx = map[fabric.CCConfig]uint8{}, map[[2]int32]uint8{}
	for _, cfg := range contexts {
		key := cfg
		key.NIC, key.CCC = 0, 0
		p, ok := f.profiles[key]
		if !ok {
			p = uint8(len(f.profiles))
			f.profiles[key] = p
			if int(p) >= f.o.Params["NumProfiles"] {
				continue // counted, for the error
			}
			reg, err := exact.Constants(units.ContextSI(cfg, f.o.TickNs))
			if err != nil {
				return err
			}
			for a, v := range units.RegisterFile(&reg) {
				ev := ccc.Event{Kind: ccc.KindCfgWrite, Profile: p, Addr: uint8(a), Data: v}
				ccc.PackEvent(&ev, s.put(nil))
			}
		}
		f.ofCtx[[2]int32{cfg.NIC, cfg.CCC}] = p
	}
	if n := len(f.profiles); n > f.o.Params["NumProfiles"] {
		return fmt.Errorf("its contexts have %d different sets of constants (rate, base RTT), one for each profile, "+
			"but the block has %d profiles; raise NumProfiles", n, f.o.Params["NumProfiles"])
	}
	return nil
}

// tap converts one event of a context.
func (f *cccFabric) tap(s *fabricSource, t *fabric.TapEvent) bool {
	n, ok := s.number(t.NIC, t.CCC)
	if !ok {
		return true
	}
	var ev ccc.Event
	if err := units.CCCEvent(t, uint16(n), s.tickPs, &ev); err != nil {
		return s.fail(err)
	}
	if ev.Kind == ccc.KindOpen {
		if ev.Profile, ok = f.ofCtx[[2]int32{t.NIC, t.CCC}]; !ok {
			return s.fail(fmt.Errorf("host %d makes context %d while the simulation runs, and the profiles are written before it begins",
				t.NIC, t.CCC))
		}
	}
	var sample ccc.Event
	if units.SampleEvent(t.Time, t.Sample, uint16(n), s.tickPs, &sample) {
		ccc.PackEvent(&sample, s.put(t))
	}
	ccc.PackEvent(&ev, s.put(t))
	return s.proceed()
}
