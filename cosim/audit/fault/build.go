package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// builds holds the builds of one folder of RTL, one for each size, each made when first needed.
type builds struct {
	root, block, dir string
	stimulus         *cache.Cache

	mu   sync.Mutex
	done [block.Deep + 1]*launch.Binary
}

// builds returns the builds of the RTL in a folder.
func (d *Design) builds(dir string) *builds {
	return &builds{root: d.Root, block: d.Block, dir: dir, stimulus: d.stimulus}
}

// at returns the build of a size and its parameters.
func (b *builds) at(ctx context.Context, size block.Size) (*launch.Binary, map[string]int, error) {
	kind, err := block.Lookup(b.block)
	if err != nil {
		return nil, nil, err
	}
	params := kind.Params(size)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done[size] == nil {
		b.done[size], err = launch.Build(ctx, launch.BuildSpec{Root: b.root, Block: b.block, RTLDir: b.dir, Params: params})
	}
	return b.done[size], params, err
}

// buildAll builds one copy of the RTL with all the faults, in a folder. It passes a fault that the compiler refuses to
// refused, which may return a replacement or nil.
func (d *Design) buildAll(ctx context.Context, dir string, faults []*Fault,
	refused func(*Fault) *Fault) (*schemata, error) {
	faults = slices.Clone(faults)
	for {
		if err := os.RemoveAll(dir); err != nil {
			return nil, copied(err)
		}
		s, err := d.writeSchemata(dir, faults)
		if err != nil {
			return nil, err
		}
		if _, _, err = s.at(ctx, block.Default); err == nil {
			return s, nil
		}
		i, ok := s.blamed(err.Error())
		if !errors.Is(err, wire.ErrBuild) || !ok {
			return nil, fmt.Errorf("RTL of block %s with %d guarded faults in %s: %w", d.Block, len(faults),
				filepath.Base(dir), err)
		}
		if other := refused(faults[i]); other != nil {
			faults[i] = other
		} else {
			faults = slices.Delete(faults, i, i+1)
		}
	}
}

// selecting returns the build with one fault selected by its index; -1 selects none.
func (s *schemata) selecting(i int) device {
	return device{s.builds, []string{fmt.Sprintf("+%s=%d", PlusArg, i+1)}}
}

// single writes a plain copy of the RTL with one fault to a folder and builds it.
func (d *Design) single(ctx context.Context, f *Fault, dir string) (device, error) {
	if err := os.RemoveAll(dir); err != nil {
		return device{}, copied(err)
	}
	if err := d.Plant(f, dir); err != nil {
		return device{}, err
	}
	b := d.builds(dir)
	if _, _, err := b.at(ctx, block.Default); err != nil {
		return device{}, fmt.Errorf("%w: fault %s of block %s: %w", ErrFault, f.ID(), d.Block, err)
	}
	return device{builds: b}, nil
}
