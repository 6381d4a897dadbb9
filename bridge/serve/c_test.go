package serve

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// sanitized are the flags of a strict build that ends at the first wrong access.
var sanitized = []string{"-g", "-O1", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsanitize=address,undefined",
	"-fno-sanitize-recover=all"}

// cTest builds bridge/c as C99 with a program of its testdata and returns that.
func cTest(t *testing.T, program string, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	exe := filepath.Join(t.TempDir(), "test")
	args := append([]string{"-std=c99", "-o", exe}, flags...)
	for _, f := range []string{"gw_client.c", "gw_layout.c", "gw_msgpack.c", "gw_wire.c", "testdata/" + program} {
		args = append(args, filepath.Join("../c", f))
	}
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return exe
}

func TestCClient(t *testing.T) {
	exe := cTest(t, "gw_test.c", sanitized...)
	t.Run("noise", func(t *testing.T) { survivesNoise(t, exe) })
	for _, address := range []string{sock(t), "tcp:127.0.0.1:0"} {
		spec := tinySpec()
		spec.Token = "between us"
		address = start(t, spec, address)
		run := func(token string, args ...string) (string, error) {
			c := exec.Command(exe, args...)
			c.Env = append(os.Environ(), "GW_TOKEN="+token)
			out, err := c.CombinedOutput()
			return string(out), err
		}
		out, err := run("between us", address, "check")
		require.NoError(t, err, out)
		out, err = run("guess", address, "any")
		require.NoError(t, err, out)
		require.Contains(t, out, "connect: the server reports token: session token differs\n")
		for _, bad := range []string{"unix:", "tcp:127.0.0.1:0", "tcp:10.0.0.1:80", "x", "unix:" +
			strings.Repeat("x", 200), address + "1"} {
			out, err = run("", bad, "any")
			require.NoError(t, err, out)
			require.Regexp(t, "^connect: .*\n$", out)
		}
	}
}

// survivesNoise: a server that is damaged or hostile gets an error out of the library, nothing else: answers of a real
// server, changed at random, half of them with sums made right so that they reach what reads the contents.
func survivesNoise(t *testing.T, exe string) {
	address := start(t, tinySpec(), sock(t))
	path := filepath.Join(t.TempDir(), "noise")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	rng := rand.New(rand.NewPCG(3, 4))
	said := map[string]bool{}
	for round := range 80 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			down, err := l.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("unix", address[len("unix:"):])
			if err != nil {
				down.Close()
				return
			}
			go func() { _, _ = io.Copy(up, down); up.Close() }()
			noise(rng, up, down, round%5)
			down.Close()
		}()
		c := exec.Command(exe, "unix:"+path, "any")
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		require.NoError(t, c.Start())
		timer := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() })
		require.NoError(t, c.Wait(), out.String())
		timer.Stop()
		<-done
		said[out.String()] = true
	}
	require.Greater(t, len(said), 10, "the noise reaches many checks: %v", said)
}

// noise carries frames from up to down and damages the one of the number.
func noise(rng *rand.Rand, up, down net.Conn, number int) {
	le := binary.LittleEndian
	table := crc32.MakeTable(crc32.Castagnoli)
	for n := 0; ; n++ {
		b := make([]byte, wire.HeaderSize)
		if _, err := io.ReadFull(up, b); err != nil {
			return
		}
		b = append(b, make([]byte, le.Uint32(b[12:])+le.Uint32(b[16:]))...)
		if _, err := io.ReadFull(up, b[32:]); err != nil {
			return
		}
		if n == number {
			// A client that was told of a longer frame waits for it; it is not kept waiting for long.
			_ = up.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
			from := 0
			if rng.IntN(4) != 0 && len(b) > 33 {
				from = 32
			}
			for range 1 + rng.IntN(3) {
				b[from+rng.IntN(len(b)-from)] = byte(rng.Uint32())
			}
			if rng.IntN(4) != 0 {
				le.PutUint32(b[24:], crc32.Checksum(b[32:], table))
				le.PutUint32(b[28:], crc32.Checksum(b[:28], table))
			}
		}
		if _, err := down.Write(b); err != nil {
			return
		}
	}
}
