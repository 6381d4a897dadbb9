package reference

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
)

// Program is a program that is asked event by event over the bridge protocol.
type Program struct{ Address string }

// Kind returns "golden".
func (Program) Kind() string { return "golden" }

// Title returns its address.
func (p Program) Title() string { return p.Address }

// Args returns --golden.
func (p Program) Args() []string { return []string{"--golden", p.Address} }

// Check returns nil.
func (Program) Check(*bind.Binding) error { return nil }

// Ours returns false.
func (Program) Ours() bool { return false }

// Lockstep returns false.
func (Program) Lockstep(*bind.Binding) bool { return false }

// OwnEvents returns false.
func (Program) OwnEvents() bool { return false }

// Limits returns none.
func (Program) Limits() (relaxed, uncompared []string) { return nil, nil }

// Start connects to it.
func (p Program) Start(ctx context.Context, s *Setup) (Reference, error) {
	d, err := p.Dial(ctx, s)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Dial connects to the program.
func (p Program) Dial(ctx context.Context, s *Setup) (*Dialled, error) {
	opt := client.DefaultOptions()
	opt.Peer = wire.Program
	if s.Timeout > 0 {
		opt.HangTimeout, opt.StartTimeout = s.Timeout, s.Timeout
	}
	named := func(err error) error { return p.fault(err, s.Block.NewModel == nil) }
	session, err := client.Dial(ctx, p.Address, s.Block.Schema, s.Params, opt)
	if errors.Is(err, wire.ErrToken) {
		err = fmt.Errorf("%w; set %s to the token that the server printed", err, launch.TokenEnv)
	}
	if err != nil {
		return nil, named(err)
	}
	x := &side{elastic.NewProgram(s.Block.Schema, session), named}
	return &Dialled{answers{expect: x}, x, session}, nil
}

// Dialled is a Program that was started. It can also be asked without a design.
type Dialled struct {
	answers
	side    *side
	session *client.Session
}

// Reset forgets everything.
func (d *Dialled) Reset() error { return d.side.Reset() }

// Accept takes one transfer.
func (d *Dialled) Accept(stream int, pair bool, words []uint64) error {
	return d.side.Accept(stream, pair, words)
}

// Next returns the next response owed.
func (d *Dialled) Next(stream int) ([]uint64, bool, error) { return d.side.Next(stream) }

// Restart starts it again from power-on.
func (d *Dialled) Restart(seed uint32) error { return d.side.Restart(seed) }

// Together returns false: it gets the events one by one.
func (d *Dialled) Together() bool { return false }

// Close ends the conversation.
func (d *Dialled) Close() { _ = d.session.Close() }

// fault returns an error of the program under its name. SchemaOnly is set for a block without a model here.
func (p Program) fault(err error, schemaOnly bool) error {
	var w *wire.Error
	if errors.As(err, &w) && w.Kind == wire.ErrAddress && w.Err != nil && schemaOnly {
		mine := *w
		mine.Mend = "start your golden program with --listen " + p.Address +
			" first (bridge/py/gwserve.py serves one in Python)"
		err = &mine
	}
	if w == nil && errors.Is(err, io.EOF) { // between two messages
		err = fmt.Errorf("it closed the connection: %w; its own output has the reason", err)
	}
	return fmt.Errorf("golden program at %s: %w", p.Address, err)
}
