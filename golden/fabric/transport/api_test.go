package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// The options of package fabric, which the tests of this one cannot import.

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
