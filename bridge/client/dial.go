package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// Dial opens a session with a server that listens at address, unix:PATH or tcp:127.0.0.1:PORT, such as
// `goldwire serve` or any program that keeps to bridge/PROTOCOL.md. params are those of the block, its
// defaults where absent. The options Transport (Shm is refused), Address, Log and PlusArgs have no effect. It errors
// with wire.ErrAddress when nothing listens, and like Start when the server is not the requested one. The server lives
// on when the session ends.
func Dial(ctx context.Context, address string, block *event.Block, params map[string]int,
	opt Options) (*Session, error) {
	if opt.Transport == Shm {
		return nil, &wire.Error{Kind: wire.ErrAddress, What: "shared memory with a server", Mend: "use unix or tcp"}
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	text, err := wire.ParamText(block, params)
	if err != nil {
		return nil, err
	}
	l := event.NewLayout(block)
	s := newSession(&launch.Binary{Block: block.Name, SchemaHash: block.Hash(), Params: text, InWords: l.In.Words,
		OutWords: l.Out.Words}, opt)
	s.dialled = address
	if opt.Token == "" {
		opt.Token = os.Getenv(launch.TokenEnv)
	}
	c, err := Connect(ctx, address, opt.StartTimeout)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(opt.StartTimeout))
	err = s.exchange(c, opt.Token)
	if !stop() {
		c.Close()
		return nil, fmt.Errorf("dial %s: %w", address, context.Cause(ctx))
	}
	if err != nil {
		c.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = &wire.Error{Kind: wire.ErrDUTStart, Peer: opt.Peer,
				What: fmt.Sprintf("no hello from %s within %v", address, opt.StartTimeout),
				Mend: "check that a Goldwire server listens there and not another program"}
		}
		return nil, err
	}
	_ = c.SetDeadline(time.Time{})
	return s.begin(ctx)
}

// Connect returns a connection to a listening server, before any hello. It errors with wire.ErrAddress.
func Connect(ctx context.Context, address string, timeout time.Duration) (net.Conn, error) {
	network, rest, _ := strings.Cut(address, ":")
	host, _, ok := strings.Cut(rest, ":")
	switch {
	case network == "unix" && rest != "":
	case network == "tcp" && ok && host == "127.0.0.1":
	default:
		return nil, &wire.Error{Kind: wire.ErrAddress, What: fmt.Sprintf("%q", address), Mend: "give unix:PATH or " +
			"tcp:127.0.0.1:PORT"}
	}
	d := net.Dialer{Timeout: timeout}
	c, err := d.DialContext(ctx, network, rest)
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("dial %s: %w", address, context.Cause(ctx))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, &wire.Error{Kind: wire.ErrAddress, What: "no server listens at " + address, Err: err,
			Mend: "start one: goldwire serve --block B --listen " + address}
	}
	return nil, &wire.Error{Kind: wire.ErrAddress, What: address, Err: err, Mend: "check the address and its permissions"}
}

// Ask offers the events, one input record each with the valid bit of its stream, to the model one after the
// other and returns the responses, one output record each with the valid bit of its stream, in order. The
// server decides the cycles: a new model is reset first, every output is ready, and the answer comes when the model
// gives nothing more. It errors with wire.ErrUnsupported when the server does not take events, and with wire.ErrStalled
// when the model stops taking them.
func (s *Session) Ask(events []uint64) ([]uint64, error) {
	n := len(events) / s.bin.InWords
	if n == 0 || n*s.bin.InWords != len(events) {
		return nil, fmt.Errorf("ask of %d words: not whole records of %d", len(events), s.bin.InWords)
	}
	if !s.hello.Serves(wire.TypeAsk.String()) {
		return nil, &wire.Error{Kind: wire.ErrUnsupported, What: s.opt.Peer.String() + " takes cycles, not events",
			Mend: "use Step, or goldwire serve"}
	}
	m, f, err := ask[wire.Answer](s, wire.TypeAsk, wire.TypeAnswer, &wire.Ask{Events: n}, events)
	if err != nil {
		return nil, err
	}
	if m.Responses < 0 || len(f.Bulk) != m.Responses*s.bin.OutWords {
		err := wire.Fail(wire.ErrProtocol, "answer of %d responses carries %d words", m.Responses, len(f.Bulk))
		s.fail(err)
		return nil, err
	}
	return f.Bulk, nil
}
