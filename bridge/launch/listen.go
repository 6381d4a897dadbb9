package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/goldwire/goldwire/bridge/wire"
)

// Listen opens a listener at unix:PATH (a socket file of mode 0600) or tcp:127.0.0.1:PORT, where port 0
// takes a free one, and returns its address as a peer connects to it. Closing the listener removes the
// socket file. It errors with wire.ErrAddress when the address cannot be used; a file that is not a socket, or
// whose owner still listens, is not touched.
func Listen(address string) (net.Listener, string, error) {
	network, rest, ok := strings.Cut(address, ":")
	if !ok || rest == "" || network != "unix" && network != "tcp" {
		return nil, "", &wire.Error{Kind: wire.ErrAddress, What: fmt.Sprintf("%q", address),
			Mend: "give unix:PATH or tcp:127.0.0.1:PORT"}
	}
	return listen(SpawnSpec{Network: network, Address: rest})
}

// listen opens the listener of a spec and returns the address as the DUT takes it. Closing the listener
// removes the socket file and its private directory.
func listen(spec SpawnSpec) (net.Listener, string, error) {
	switch spec.Network {
	case "unix":
		return listenUnix(spec.Address)
	case "tcp":
		return listenTCP(spec.Address)
	}
	return nil, "", &wire.Error{Kind: wire.ErrAddress, What: fmt.Sprintf("network %q is unknown", spec.Network),
		Mend: "choose unix or tcp"}
}

func listenTCP(address string) (net.Listener, string, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	a, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil || !a.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		return nil, "", &wire.Error{Kind: wire.ErrAddress, What: address, Err: err, Mend: "the bridge listens on " +
			"127.0.0.1 only"}
	}
	l, err := net.ListenTCP("tcp4", a)
	if err != nil {
		return nil, "", limited(&wire.Error{Kind: wire.ErrAddress, What: address, Err: err,
			Mend: "choose a free port, or none"})
	}
	return l, "tcp:" + l.Addr().String(), nil
}

// unixListener removes its private directory too.
type unixListener struct {
	*net.UnixListener
	dir string
}

func (l unixListener) Close() error {
	err := l.UnixListener.Close()
	if l.dir != "" {
		err = errors.Join(err, os.RemoveAll(l.dir))
	}
	return err
}

func listenUnix(path string) (net.Listener, string, error) {
	dir := ""
	if path == "" {
		var err error
		if dir, err = PrivateDir(); err != nil {
			return nil, "", err
		}
		path = filepath.Join(dir, "dut.sock")
	}
	l, err := bindUnix(path)
	if err != nil {
		if dir != "" {
			os.RemoveAll(dir)
		}
		return nil, "", err
	}
	return unixListener{l, dir}, "unix:" + path, nil
}

// bindUnix listens on a socket file of mode 0600. A socket file without a listener is left over from a killed process
// and is replaced. One that answers, or a file that is not a socket, is not touched.
func bindUnix(path string) (*net.UnixListener, error) {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, &wire.Error{Kind: wire.ErrAddress, What: path, Err: err, Mend: "choose another socket path"}
	case fi.Mode()&fs.ModeSocket == 0:
		return nil, &wire.Error{Kind: wire.ErrAddress, What: path + " exists and is not a socket",
			Mend: "choose another socket path"}
	default:
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return nil, &wire.Error{Kind: wire.ErrAddress, What: path + " is in use by another process",
				Mend: "end it or choose another socket path"}
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, &wire.Error{Kind: wire.ErrAddress, What: path, Err: err, Mend: "choose another socket path"}
		}
		if err := os.Remove(path); err != nil {
			return nil, &wire.Error{Kind: wire.ErrAddress, What: "stale socket " + path, Err: err, Mend: "remove it"}
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, limited(&wire.Error{Kind: wire.ErrAddress, What: path, Err: err, Mend: "choose another socket path, " +
			"shorter than 100 characters"})
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, &wire.Error{Kind: wire.ErrAddress, What: path, Err: err}
	}
	return l, nil
}
