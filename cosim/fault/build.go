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
		_, err = launch.Build(ctx, launch.BuildSpec{Root: d.Root, Block: d.Block, RTLDir: dir})
		if err == nil {
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
