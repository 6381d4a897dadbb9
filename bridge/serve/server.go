package serve

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// Serve takes connections until ctx ends, which ends every conversation, and returns nil when the last one
// is gone. It closes l. It errors when l does.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var clients sync.WaitGroup
	defer clients.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	defer l.Close()
	for {
		c, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				c.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("serve: %w", err)
		case err != nil: // out of descriptors, or the client left while it was accepted
			slog.Warn("connection not taken", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		clients.Go(func() { s.client(ctx, c) })
	}
}

// client serves one connection to its end.
func (s *Server) client(ctx context.Context, c net.Conn) {
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	s.arrive(c)
	defer s.known(c)
	if len(s.slots) == cap(s.slots) {
		part(c, wire.NewWriter(c), s.busy())
		return
	}
	k := newConn(s, c)
	err := k.serve()
	switch {
	case err == nil || ctx.Err() != nil:
		slog.Debug("client left", "block", s.hello.Block)
	default:
		slog.Debug("client refused", "block", s.hello.Block, "error", err)
		part(c, k.w, err)
	}
}

// arrive notes a connection that has not sent its hello. If there are too many, the oldest is closed: a client sends
// its hello at once, so a connection that waits long is not a client.
func (s *Server) arrive(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strangers = append(s.strangers, c)
	if len(s.strangers) > maxStrangers {
		s.strangers[0].Close()
		s.strangers = slices.Delete(s.strangers, 0, 1)
	}
}

// known removes a connection from the strangers.
func (s *Server) known(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.strangers, c); i >= 0 {
		s.strangers = slices.Delete(s.strangers, i, i+1)
	}
}

// enter gives a client whose hello was accepted its place, which leave frees.
func (s *Server) enter(c net.Conn) (leave func(), err error) {
	select {
	case s.slots <- struct{}{}:
		s.known(c)
		return func() { <-s.slots }, nil
	default:
		return nil, s.busy()
	}
}

func (s *Server) busy() error {
	return wire.Fail(wire.ErrBusy, "%d clients are served, no more", cap(s.slots))
}

// part tells the client why the conversation ends, and closes it. It first reads, for some time, what the client has
// sent meanwhile: closing a socket with unread bytes discards the message.
func part(c net.Conn, w *wire.Writer, err error) {
	var e *wire.Error
	if !errors.As(err, &e) {
		return // the stream broke
	}
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if w.Write(wire.TypeError, failure(e)) != nil {
		return
	}
	if h, ok := c.(interface{ CloseWrite() error }); ok && h.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(c, 64<<20))
	}
}

func failure(e *wire.Error) *wire.Failure {
	text := e.Kind.Error()
	if e.What != "" {
		text += ": " + e.What
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return &wire.Failure{Kind: wire.KindName(e), Text: text, Ours: e.Ours, Theirs: e.Theirs}
}

// greet exchanges hellos. The server's own hello has no token: a stranger could repeat it.
func (k *conn) greet() error {
	_ = k.c.SetDeadline(time.Now().Add(k.srv.spec.HelloTimeout))
	if err := k.w.Write(wire.TypeHello, &k.srv.hello); err != nil {
		return err
	}
	f, err := k.r.Next()
	if err != nil {
		return err
	}
	if f.Type != wire.TypeHello {
		if f.Type == wire.TypeError {
			return io.EOF
		}
		return wire.Fail(wire.ErrProtocol, "the client's first frame is %s, not hello", f.Type)
	}
	var h wire.Hello
	if err := f.Decode(&h); err != nil {
		return err
	}
	if err := k.srv.refuse(&h); err != nil {
		return err
	}
	return k.c.SetDeadline(time.Time{})
}

// refuse returns why a client of this hello is not served, or nil.
func (s *Server) refuse(h *wire.Hello) error {
	differ := func(kind error, what string, ours, theirs any) error {
		return &wire.Error{Kind: kind, What: what, Ours: fmt.Sprint(ours), Theirs: fmt.Sprint(theirs)}
	}
	o := &s.hello
	switch {
	case h.Version != o.Version:
		return differ(wire.ErrVersion, "", o.Version, h.Version)
	case subtle.ConstantTimeCompare([]byte(h.Token), []byte(s.spec.Token)) != 1:
		return &wire.Error{Kind: wire.ErrToken}
	case h.Block != o.Block:
		return differ(wire.ErrBlock, "", o.Block, h.Block)
	case h.SchemaHash != o.SchemaHash:
		return differ(wire.ErrSchemaHash, "", o.SchemaHash, h.SchemaHash)
	case h.Params != o.Params:
		return differ(wire.ErrParams, "", o.Params, h.Params)
	case h.InWords != o.InWords:
		return differ(wire.ErrLayout, "words of an input record", o.InWords, h.InWords)
	case h.OutWords != o.OutWords:
		return differ(wire.ErrLayout, "words of an output record", o.OutWords, h.OutWords)
	}
	return nil
}
