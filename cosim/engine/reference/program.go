package reference

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
)

// Dial connects to a program.
func Dial(ctx context.Context, address string, s *Setup) (*Dialled, error) {
	opt := client.DefaultOptions()
	opt.Peer = wire.Program
	if s.Timeout > 0 {
		opt.HangTimeout, opt.StartTimeout = s.Timeout, s.Timeout
	}
	named := func(err error) error { return ofProgram(address, err, s.Block.NewModel == nil) }
	session, err := client.Dial(ctx, address, s.Block.Schema, s.Params, opt)
	if errors.Is(err, wire.ErrToken) {
		err = fmt.Errorf("%w; set %s to the token that the server printed", err, launch.TokenEnv)
	}
	if err != nil {
		return nil, named(err)
	}
	p := elastic.NewProgram(s.Block.Schema, session)
	x := &side{elastic.Noted{Expect: p, Note: named}, p}
	return &Dialled{answers{expect: x}, x, session}, nil
}

// Dialled is a program that was started. It can also be asked without a design.
type Dialled struct {
	answers
	*side
	session *client.Session
}

// Together returns false: it gets the events one by one.
func (d *Dialled) Together() bool { return false }

// Close ends the conversation.
func (d *Dialled) Close() { _ = d.session.Close() }

// ofProgram returns an error of the program under its name. SchemaOnly is set for a block without a model here.
func ofProgram(address string, err error, schemaOnly bool) error {
	var w *wire.Error
	if errors.As(err, &w) && w.Kind == wire.ErrAddress && w.Err != nil && schemaOnly {
		mine := *w
		mine.Mend = "start your golden program with --listen " + address +
			" first (bridge/py/gwserve.py serves one in Python)"
		err = &mine
	}
	if w == nil && errors.Is(err, io.EOF) { // between two messages
		err = fmt.Errorf("it closed the connection: %w; its own output has the reason", err)
	}
	return fmt.Errorf("golden program at %s: %w", address, err)
}
