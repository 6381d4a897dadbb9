package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Config configures nscc-fixed and nscc-rtl. The zero value builds the RTL of the repository in the working folder.
type Config struct {
	Root   string // of the repository
	RTLDir string // "": hdl/rtl under Root
	TickNs int    // length of a tick in nanoseconds; 0: 1
	// Resident is the number of rows of the device to use; 0: all 256.
	Resident  int
	Transport client.Transport // "": shm
	Binary    *launch.Binary   // nil: built from Root and RTLDir when needed
}

// Build builds Binary when it is nil, so that a run does not have to. It returns an error when the RTL does not build.
func (c *Config) Build(ctx context.Context) error {
	if c.Binary != nil {
		return nil
	}
	root := c.Root
	if root == "" {
		root = "."
	}
	bin, err := launch.Build(ctx, launch.BuildSpec{Root: root, Block: ccc.BlockName, RTLDir: c.RTLDir})
	if err != nil {
		return err
	}
	c.Binary = bin
	return nil
}

// closed is the state that the contexts of one run share.
type closed struct {
	Config
	ctx    context.Context
	cancel context.CancelFunc
	tickNs int
	dev    *device // nil until the first event of nscc-rtl
	err    error   // the first
}

func (r *closed) tickPs() int64 { return int64(r.tickNs) * 1000 }

// fail keeps the first error and ends the run. The context that failed must not
// send any more.
func (r *closed) fail(err error) cc.Out {
	if r.err == nil {
		r.err = err
		r.cancel()
	}
	return cc.Out{}
}

// Run simulates spec as fabric.Run does, with nscc-fixed and nscc-rtl among the
// congestion controls. It errors as fabric.Run does, and when the device cannot be
// built, fails, or answers what no device should.
func Run(ctx context.Context, cfg Config, spec settings.Spec, opts ...fabric.Option) (*result.Result, error) {
	r := &closed{Config: cfg, ctx: ctx, tickNs: cfg.TickNs}
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	if r.tickNs == 0 {
		r.tickNs = 1
	}
	defer r.close()
	rows := Rows()
	rows[0].New, rows[1].New = r.newFixed, r.newRTL
	opts = append([]fabric.Option{fabric.WithControl(rows[0]), fabric.WithControl(rows[1])}, opts...)
	res, err := fabric.Run(ctx, spec, opts...)
	if r.err != nil {
		return nil, r.err
	}
	return res, err
}

// RunSeeds runs spec once for each seed on all CPUs and returns the results in the order of the seeds. each returns the
// config and options of one run, because taps must not be shared. It errors with the first error.
func RunSeeds(ctx context.Context, spec settings.Spec, seeds []uint64,
	each func(seed uint64) (Config, []fabric.Option)) ([]*result.Result, error) {
	return transport.EachSeed(ctx, seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
		s := spec
		s.Seed = seed
		cfg, opts := each(seed)
		r, err := Run(ctx, cfg, s, opts...)
		if err != nil && len(seeds) > 1 {
			err = fmt.Errorf("seed %d: %w", seed, err)
		}
		return r, err
	})
}

// errRows reports a number of rows that the device does not have.
var errRows = errors.New("nscc-rtl: give a number of resident contexts from 1 to that of the device")
