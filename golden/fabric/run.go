package fabric

import (
	"context"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// Option changes how a run is made, not what it simulates.
type Option = transport.Option

// WithTap calls f for every event of every context in the order of time. The event is reused by the next call. When f
// returns false the run ends, and its Result is marked as stopped.
func WithTap(f func(*cc.Event) bool) Option { return func(o *transport.Options) { o.Tap = f } }

// WithControl adds a congestion control to those that Spec.CC can name, or takes the place of the one of that name.
func WithControl(row cc.Row) Option {
	return func(o *transport.Options) { o.Rows = append([]cc.Row{row}, o.Rows...) }
}

// WithPacers has f make the pacer of each host whose senders need credit. Where f is nil or returns nil, the host's
// pacer follows the rules of package rccc.
func WithPacers(f func(transport.PacerSpec) (transport.Pacer, error)) Option {
	return func(o *transport.Options) { o.Pacers = f }
}

// WithNICs has f make the NIC of each host where the congestion control is a NIC in hardware.
func WithNICs(f func(transport.NICSpec) (transport.NIC, error)) Option {
	return func(o *transport.Options) { o.NICs = f }
}

// WithMessages replaces the spec's workload by a list of messages.
func WithMessages(list []traffic.Message) Option {
	return func(o *transport.Options) { o.Messages = list }
}

// WithProgress calls f now and then, at the same events in every run of a spec.
func WithProgress(f func(transport.Progress)) Option {
	return func(o *transport.Options) { o.Progress = f }
}

// WithPortTap calls f for every event at the ports whose numbers are given, or
// at all ports of switches when none is. The event is reused by the next call.
func WithPortTap(f func(*net.PortEvent), ports ...int32) Option {
	return func(o *transport.Options) { o.PortTap, o.Tapped = f, ports }
}

// WithPacketTap calls f for every event of a packet at the ports of switches, with the packet itself: WithPortTap makes
// a copy of each.
func WithPacketTap(f net.PacketTap) Option { return func(o *transport.Options) { o.Packets = f } }

// WithDepth samples the queues of switches every so often, and those of the
// given ports one by one; the series is in Result.Depth.
func WithDepth(every units.Picos, ports ...int32) Option {
	return func(o *transport.Options) { o.Every, o.Sampled = every, ports }
}

// WithThreads sets the number of threads that simulate the parts of a divided run (Spec.Pods), 0 for all processors.
// The result does not depend on it.
func WithThreads(n int) Option { return func(o *transport.Options) { o.Threads = n } }

// Run simulates spec and returns its result. Where the spec names no congestion control the senders run NSCC in
// float64. It errors when the spec is invalid, a congestion control cannot be made, or ctx is cancelled; lost or late
// flows are not errors but results (Result.Unfinished, Result.Verify).
func Run(ctx context.Context, spec settings.Spec, opts ...Option) (*result.Result, error) {
	return transport.Run(ctx, spec, opts...)
}

// RunSeeds simulates spec once for each seed, on all CPUs, and returns the results in the order of the seeds. opts is
// called for each run, as taps are not to be shared; nil means none. It errors as Run does, with the first error.
func RunSeeds(ctx context.Context, spec settings.Spec, seeds []uint64,
	opts func(seed uint64) []Option) ([]*result.Result, error) {
	return transport.EachSeed(ctx, seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
		s := spec
		s.Seed = seed
		var o []Option
		if opts != nil {
			o = opts(seed)
		}
		return Run(ctx, s, o...)
	})
}

// Contexts returns the constants of the contexts that a run of spec has from its start, in the order of their creation:
// all of them in a permutation or an incast, none where messages make contexts when they come. It errors as Run does.
func Contexts(spec settings.Spec) ([]cc.Config, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	var out []cc.Config
	_, err := transport.Build(spec, transport.Options{Only: func(cfg cc.Config) (cc.Control, error) {
		out = append(out, cfg)
		return idle{}, nil
	}})
	return out, err
}

// idle is a congestion control that never runs.
type idle struct{}

// Step implements cc.Control.
func (idle) Step(*cc.Event) cc.Out { return cc.Out{} }
