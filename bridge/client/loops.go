package client

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// fail ends the session with its first error: the process is killed and every waiting call returns err.
func (s *Session) fail(err error) {
	s.failOnce.Do(func() {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
		close(s.failed)
		s.back.Broadcast()
		if s.proc != nil {
			s.proc.Kill()
		}
		s.conn.Close()
	})
}

// log returns the last lines of the process, if it is ours.
func (s *Session) log() []string {
	if s.proc == nil {
		return nil
	}
	return s.proc.Log()
}

// gone is closed when the peer has ended: its process, or the connection to it.
func (s *Session) gone() <-chan struct{} {
	if s.proc == nil {
		return s.failed
	}
	return s.proc.Done()
}

// failure returns the error the session ended with, or nil.
func (s *Session) failure() error {
	select {
	case <-s.failed:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.err
	default:
		return nil
	}
}

// alive notes a sign of life of the DUT.
func (s *Session) alive() { s.sign.Store(int64(time.Since(s.start))) }

// owe notes that the DUT has one more answer to give. Waiting starts now, not at the previous answer.
func (s *Session) owe() {
	if s.pending.Add(1) == 1 {
		s.alive()
	}
}

// write sends the submitted batches, so that Submit does not wait for the socket.
func (s *Session) write() {
	for {
		select {
		case b := <-s.send:
			s.flight <- b
			n := b.n
			if s.out.post(wire.TypeBatch, &wire.Batch{Cycles: n}, b.in[:n*s.bin.InWords], b.want[:n*s.bin.OutWords]) != nil {
				return // the reader finds the reason
			}
		case <-s.failed:
			return
		}
	}
}

// read handles what the DUT sends until the connection ends.
func (s *Session) read() {
	for {
		f, err := s.r.Next()
		if err == nil {
			s.alive()
			err = s.handle(f)
		}
		if err != nil {
			s.fail(s.cause(err))
			return
		}
	}
}

// errBye ends the reader after goodbye.
var errBye = errors.New("goodbye")

func (s *Session) handle(f *wire.Frame) error {
	switch f.Type {
	case wire.TypeResult:
		return s.batchDone(f)
	case wire.TypeMismatch:
		return s.mismatched(f)
	case wire.TypeProgress:
		return nil
	case wire.TypeAnswer:
		return s.reply(reply{frame: wire.Frame{Type: f.Type, Ctrl: slices.Clone(f.Ctrl), Bulk: slices.Clone(f.Bulk)}})
	case wire.TypeStepped:
		if s.pending.Load() == 0 { // the buffer of the step before is its caller's
			return s.unasked(f.Type)
		}
		copy(s.stepOut, f.Bulk)
		s.stepGot = len(f.Bulk)
		return s.reply(reply{frame: wire.Frame{Type: f.Type, Ctrl: slices.Clone(f.Ctrl)}})
	case wire.TypeConfigured, wire.TypeFinished, wire.TypeBenched, wire.TypeTraced:
		return s.reply(reply{frame: wire.Frame{Type: f.Type, Ctrl: slices.Clone(f.Ctrl)}})
	case wire.TypeError:
		return s.reported(f)
	case wire.TypeBye:
		if s.closing.Load() {
			return errBye
		}
	}
	return wire.Fail(wire.ErrProtocol, "%s sent an unexpected %s frame", s.opt.Peer, f.Type)
}

func (s *Session) reply(r reply) error {
	select {
	case s.replies <- r:
		return nil
	default:
		return s.unasked(r.frame.Type)
	}
}

func (s *Session) unasked(t wire.Type) error {
	return wire.Fail(wire.ErrProtocol, "%s sent %s, which was not requested", s.opt.Peer, t)
}

// reported handles an error message: findings about the RTL and refused requests leave the session usable,
// everything else ends it.
func (s *Session) reported(f *wire.Frame) error {
	var m wire.Failure
	if err := f.Decode(&m); err != nil {
		return err
	}
	kind := wire.KindError(m.Kind)
	e := &wire.Error{Kind: kind, What: m.Text, Ours: m.Theirs, Theirs: m.Ours}
	switch kind {
	case wire.ErrRTL:
		rtl := &RTLError{Cycle: m.Cycle, Text: m.Text}
		s.mu.Lock()
		inRun := s.outstanding > 0
		s.mu.Unlock()
		if inRun {
			s.finding(nil, rtl)
			return nil
		}
		return s.reply(reply{err: rtl})
	case wire.ErrTrace, wire.ErrVectors, wire.ErrUnsupported, wire.ErrStalled:
		return s.reply(reply{err: e})
	}
	e.What = s.opt.Peer.Reported(m.Text)
	e.Log = s.log()
	return e
}

// cause turns the end of the connection into the reason for it.
func (s *Session) cause(err error) error {
	switch {
	case errors.Is(err, errBye):
		return wire.ErrClosed
	case errors.Is(err, net.ErrClosed):
		return err // we ended it and already have the reason
	case errors.Is(err, io.EOF), errors.Is(err, wire.ErrTruncated), errors.Is(err,
		syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		if s.closing.Load() {
			return wire.ErrClosed
		}
		if s.proc == nil {
			return &wire.Error{Kind: wire.ErrDUTExited, Peer: s.opt.Peer, What: "the server at " + s.dialled +
				" closed the connection", Err: err,
				Mend: "look at the output of the server"}
		}
		select {
		case <-s.proc.Done():
			if !s.begun.Load() {
				return s.proc.HandshakeError()
			}
			return s.proc.ExitError()
		case <-time.After(2 * time.Second):
			return &wire.Error{Kind: wire.ErrDUTExited, What: "the DUT closed the connection but lives on",
				Err: err, Log: s.proc.Log()}
		}
	}
	return fmt.Errorf("frame of %s: %w", s.opt.Peer, err)
}
