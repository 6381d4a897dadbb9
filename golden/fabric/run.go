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

// WithTap calls f for every event of every context in the order of time. The
// event is reused by the next call. When f returns false the run ends, and its
// Result is marked as stopped.
func WithTap(f func(*cc.Event) bool) Option { return func(o *transport.Options) { o.Tap = f } }

// WithControl adds a congestion control to those that Spec.CC can name, or takes the
// place of the one of that name.
func WithControl(row cc.Row) Option {
	return func(o *transport.Options) { o.Rows = append([]cc.Row{row}, o.Rows...) }
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

// Run simulates spec and returns its result. Where the spec names no
// congestion control the senders run NSCC in float64. It errors when the spec is invalid, a congestion control
// cannot be made, or ctx is cancelled; lost or late flows are not errors but
// results (Result.Unfinished, Result.Verify).
func Run(ctx context.Context, spec settings.Spec, opts ...Option) (*result.Result, error) {
	return transport.Run(ctx, spec, opts...)
}
