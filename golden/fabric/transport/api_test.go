package transport

import (
	"context"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// What package fabric offers to programs, for the tests of this one.

type Option func(*Options)

func WithTap(f func(*cc.Event) bool) Option { return func(o *Options) { o.Tap = f } }
func WithCC(f cc.Factory) Option            { return func(o *Options) { o.Only = f } }
func WithControl(row cc.Row) Option {
	return func(o *Options) { o.Rows = append([]cc.Row{row}, o.Rows...) }
}
func WithMessages(list []traffic.Message) Option { return func(o *Options) { o.Messages = list } }
func WithDepth(every units.Picos, p ...int32) Option {
	return func(o *Options) { o.Every, o.Sampled = every, p }
}
func WithPortTap(f func(*net.PortEvent), p ...int32) Option {
	return func(o *Options) { o.PortTap, o.Tapped = f, p }
}

// Run simulates a spec.
func Run(ctx context.Context, spec settings.Spec, opts ...Option) (*result.Result, error) {
	var o Options
	for _, opt := range opts {
		opt(&o)
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	s, err := Build(spec, o)
	if err != nil {
		return nil, err
	}
	if err := s.Loop(ctx); err != nil {
		return nil, err
	}
	return s.Result(), nil
}

// RunSeeds simulates a spec with each seed.
func RunSeeds(ctx context.Context, spec settings.Spec, seeds []uint64,
	opts func(uint64) []Option) (out []*result.Result, err error) {
	for _, seed := range seeds {
		spec.Seed = seed
		var o []Option
		if opts != nil {
			o = opts(seed)
		}
		r, err := Run(ctx, spec, o...)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}
