package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/dut"
)

// buildAll builds one copy of the RTL that holds the faults, in a folder under dir. One that the compiler
// refuses is left out and handed to refused, which may give another in its place, or nil.
func (d *Design) buildAll(ctx context.Context, dir string, faults []*Fault, refused func(*Fault) *Fault) (*schemata, error) {
	faults = slices.Clone(faults)
	for {
		if err := os.RemoveAll(dir); err != nil {
			return nil, fmt.Errorf("copy of the RTL: %w", err)
		}
		s, err := d.writeSchemata(dir, faults)
		if err != nil {
			return nil, err
		}
		if s.device, err = d.build(ctx, dir); err == nil {
			return s, nil
		}
		i, ok := s.blamed(err.Error())
		if !errors.Is(err, wire.ErrBuild) || !ok {
			return nil, fmt.Errorf("RTL of block %s with %d guarded faults in %s: %w", d.Block, len(faults), filepath.Base(dir), err)
		}
		if other := refused(faults[i]); other != nil {
			faults[i] = other
		} else {
			faults = slices.Delete(faults, i, i+1)
		}
	}
}

// build builds the RTL of a folder, as it is and with the least parameters.
func (d *Design) build(ctx context.Context, dir string) (device, error) {
	dev := device{root: d.Root, rtl: dir, params: map[string]int{}}
	kind, err := dut.Lookup(d.Block)
	if err != nil {
		return dev, err
	}
	for _, p := range kind.Schema.Params {
		dev.params[p.Name] = p.Min
	}
	spec := launch.BuildSpec{Root: d.Root, Block: d.Block, RTLDir: dir}
	if dev.bin, err = launch.Build(ctx, spec); err != nil {
		return dev, err
	}
	spec.Params = dev.params
	dev.small, err = launch.Build(ctx, spec)
	return dev, err
}

// selecting returns the build with the fault of an index selected; -1 selects none.
func (s *schemata) selecting(i int) device {
	d := s.device
	d.plusArgs = []string{fmt.Sprintf("+%s=%d", plusArg, i+1)}
	return d
}

// single builds a plain copy of the RTL with one fault in a folder.
func (d *Design) single(ctx context.Context, f *Fault, dir string) (device, error) {
	if err := os.RemoveAll(dir); err != nil {
		return device{}, fmt.Errorf("copy of the RTL: %w", err)
	}
	if err := d.Plant(f, dir); err != nil {
		return device{}, err
	}
	dev, err := d.build(ctx, dir)
	if err != nil {
		return dev, fmt.Errorf("%w: fault %s of block %s: %w", ErrFault, f.ID(), d.Block, err)
	}
	return dev, nil
}
