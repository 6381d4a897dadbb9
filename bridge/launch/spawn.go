package launch

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// SpawnSpec describes how a DUT process is started and how it connects to us.
type SpawnSpec struct {
	Network string            // "unix" or "tcp" (loopback)
	Address string            // socket path or "127.0.0.1:port"; "" takes a private one
	Timeout time.Duration     // from the start of the process to the end of verify
	LogLine func(line string) // called with each line the process prints, from one goroutine; may be nil
	// PlusArgs are for the RTL, which reads them with $value$plusargs, each with its +.
	PlusArgs []string
	// Coverage is the file that the process ends its coverage with, beside FILE.lines and FILE.toggles; "" for none. The
	// binary must be built for it.
	Coverage string
}

// DefaultSpawnSpec returns a Unix socket in a private directory and ten seconds.
func DefaultSpawnSpec() SpawnSpec { return SpawnSpec{Network: "unix", Timeout: 10 * time.Second} }

// TokenEnv is the environment variable that carries the token: unlike an argument, other users of the
// machine cannot read it.
const TokenEnv = "GW_TOKEN"

// Spawn starts the DUT of bin and returns its process, connected. The process lives until ctx ends, Kill or
// its own exit, and never longer than this one. verify gets each connection with the session's token and checks whether
// it is the DUT: an error that wraps wire.ErrToken rejects a stranger and keeps waiting, any other kills the process.
// Spawn errors with wire.ErrDUTStart when nothing connects in time, wire.ErrDUTExited when the process ends instead,
// wire.ErrAddress when the address cannot be used.
func Spawn(ctx context.Context, bin *Binary, spec SpawnSpec,
	verify func(c net.Conn, token string) error) (*Process, net.Conn, error) {
	if bin.Dir != "" && spec.Network == "unix" && spec.Address != "" {
		// The process has a different working folder.
		abs, err := filepath.Abs(spec.Address)
		if err != nil {
			return nil, nil, &wire.Error{Kind: wire.ErrAddress, What: spec.Address, Err: err, Mend: "give an absolute path"}
		}
		spec.Address = abs
	}
	for _, base := range PrivateBases() { // whatever the transport of this session, and of those that were killed
		sweepOnce(base)
	}
	l, address, err := listen(spec)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	secret := make([]byte, 16)
	rand.Read(secret)
	token := hex.EncodeToString(secret)
	args := append([]string{"--connect", address}, spec.PlusArgs...)
	if spec.Coverage != "" {
		args = append(args, "--coverage", spec.Coverage)
	}
	p, err := startProcess(ctx, bin.Path, bin.Dir, args,
		[]string{TokenEnv + "=" + token}, spec.LogLine)
	if err != nil {
		return nil, nil, limited(&wire.Error{Kind: wire.ErrDUTStart, What: bin.Path, Err: err,
			Mend: "remove build/dut and run again to rebuild it"})
	}
	conn, err := accept(ctx, l, p, spec, token, verify)
	if err != nil {
		p.Kill()
		<-p.Done()
		return nil, nil, err
	}
	return p, conn, nil
}

func accept(ctx context.Context, l net.Listener, p *Process, spec SpawnSpec, token string,
	verify func(net.Conn, string) error) (net.Conn, error) {
	deadline := time.Now().Add(spec.Timeout)
	if d, ok := l.(interface{ SetDeadline(time.Time) error }); ok {
		if err := d.SetDeadline(deadline); err != nil {
			return nil, fmt.Errorf("listen: %w", err)
		}
	}
	// The end of the process or of ctx ends the wait by closing what is waited on.
	waited := make(chan struct{})
	defer close(waited)
	go func() {
		select {
		case <-p.Done():
		case <-ctx.Done():
		case <-waited:
		}
		l.Close()
	}()
	for {
		conn, err := l.Accept()
		if err != nil {
			return nil, startError(ctx, p, spec, err)
		}
		_ = conn.SetDeadline(deadline) // fails only on a closed connection, which verify reports
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		err = verify(conn, token)
		stop()
		if err == nil {
			return conn, conn.SetDeadline(time.Time{})
		}
		conn.Close()
		switch {
		case errors.Is(err, wire.ErrToken):
			continue
		case ctx.Err() != nil:
			return nil, fmt.Errorf("start of the DUT: %w", context.Cause(ctx))
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, startError(ctx, p, spec, err)
		case hungUp(err):
			// The end of the process is noticed a little later than that of its connection.
			select {
			case <-p.Done():
				return nil, p.HandshakeError()
			case <-time.After(hangUpWait):
			}
			return nil, &wire.Error{Kind: wire.ErrDUTStart, What: "the simulator closed the connection during the handshake " +
				"but lives on",
				Err: err, Log: p.Log(), Mend: "rebuild it: remove build/dut"}
		}
		return nil, err
	}
}

// hangUpWait is how long after the end of its connection the end of a process may be noticed.
const hangUpWait = 2 * time.Second

// hungUp reports whether an error is the end of the connection by the other side.
func hungUp(err error) bool {
	for _, e := range []error{io.EOF, io.ErrUnexpectedEOF, wire.ErrTruncated, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// startError returns why nothing connected.
func startError(ctx context.Context, p *Process, spec SpawnSpec, err error) error {
	select {
	case <-p.Done():
		return p.HandshakeError()
	default:
	}
	if ctx.Err() != nil {
		return fmt.Errorf("start of the DUT: %w", context.Cause(ctx))
	}
	e := &wire.Error{Kind: wire.ErrDUTStart, What: fmt.Sprintf("no hello within %v", spec.Timeout), Log: p.Log(),
		Mend: "raise the start timeout if the machine is loaded"}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		e.Err = err
	}
	return e
}
