package client

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// peer is a client that does not keep the rules: it speaks raw bytes to a real DUT process.
type peer struct {
	t    *testing.T
	conn net.Conn
	cmd  *exec.Cmd
	err  bytes.Buffer
	r    *wire.Reader
	w    *wire.Writer
}

// raw starts a DUT and reads its hello.
func raw(t *testing.T) *peer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	p := &peer{t: t, cmd: exec.Command(dut(t, false).Path, "--connect", "unix:"+path)}
	p.cmd.Env = []string{"GW_TOKEN=secret"}
	p.cmd.Stderr = &p.err
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	p.conn, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { p.conn.Close() })
	require.NoError(t, p.conn.SetDeadline(time.Now().Add(2*time.Minute)))
	p.r, p.w = wire.NewReader(p.conn, wire.DefaultLimits()), wire.NewWriter(p.conn)
	f, err := p.r.Next()
	require.NoError(t, err)
	require.Equal(t, wire.TypeHello, f.Type)
	return p
}

func goodHello(t *testing.T) wire.Hello {
	b := dut(t, false)
	return wire.Hello{Version: wire.Version, Block: b.Block, SchemaHash: b.SchemaHash, Params: b.Params,
		InWords: b.InWords, OutWords: b.OutWords, Token: "secret"}
}

// ready is past the hello, with a model.
func ready(t *testing.T) *peer {
	p := raw(t)
	h := goodHello(t)
	require.NoError(t, p.w.Write(wire.TypeHello, &h))
	require.NoError(t, p.w.Write(wire.TypeConfigure, &wire.Configure{Seed: 1, Reset: 2}))
	f, err := p.r.Next()
	require.NoError(t, err)
	require.Equal(t, wire.TypeConfigured, f.Type)
	return p
}

// refused expects an error message of the kind, exit status 2 and one line that says why.
func (p *peer) refused(kind string) wire.Failure {
	p.t.Helper()
	f, err := p.r.Next()
	require.NoError(p.t, err)
	require.Equal(p.t, wire.TypeError, f.Type)
	var m wire.Failure
	require.NoError(p.t, f.Decode(&m))
	require.Equal(p.t, kind, m.Kind, m.Text)
	p.ended()
	require.Equal(p.t, 1, strings.Count(p.err.String(), "\n"), p.err.String())
	require.Contains(p.t, p.err.String(), m.Text)
	return m
}

// ended expects exit status 2, not a signal.
func (p *peer) ended() {
	p.t.Helper()
	p.conn.Close()
	_ = p.cmd.Wait()
	ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(p.t, ws.Exited(), "the DUT died of %v: %s", ws.Signal(), p.err.String())
	require.Equal(p.t, 2, ws.ExitStatus(), p.err.String())
}

func TestShellRefusesHello(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*wire.Hello)
		kind string
	}{
		"version": {func(h *wire.Hello) { h.Version = 2 }, "version"},
		"token":   {func(h *wire.Hello) { h.Token = "guess" }, "token"},
		"block":   {func(h *wire.Hello) { h.Block = "ccc" }, "block"},
		"schema":  {func(h *wire.Hello) { h.SchemaHash = "0" }, "schema-hash"},
		"params":  {func(h *wire.Hello) { h.Params = "Offset=9" }, "params"},
		"in":      {func(h *wire.Hello) { h.InWords = 9 }, "layout"},
		"out":     {func(h *wire.Hello) { h.OutWords = 9 }, "layout"},
	} {
		t.Run(name, func(t *testing.T) {
			p := raw(t)
			h := goodHello(t)
			c.edit(&h)
			require.NoError(t, p.w.Write(wire.TypeHello, &h))
			p.refused(c.kind)
		})
	}
	t.Run("no hello", func(t *testing.T) {
		p := raw(t)
		require.NoError(t, p.w.Write(wire.TypeFinish, nil))
		p.refused("protocol")
	})
}

func TestShellRefusesFrames(t *testing.T) {
	le := binary.LittleEndian
	table := crc32.MakeTable(crc32.Castagnoli)
	finish := func(edit func([]byte)) []byte {
		var b bytes.Buffer
		w := wire.NewWriter(&b)
		for range 3 { // the DUT has seen two frames of ours
			b.Reset()
			require.NoError(t, w.Write(wire.TypeStep, &wire.Step{Cycles: 1}, make([]uint64, 3)))
		}
		edit(b.Bytes())
		return b.Bytes()
	}
	sum := func(b []byte) { le.PutUint32(b[28:], crc32.Checksum(b[:28], table)) }
	for name, c := range map[string]struct {
		edit func([]byte)
		kind string
	}{
		"magic":            {func(b []byte) { b[0] = 'X' }, "magic"},
		"version":          {func(b []byte) { b[4] = 2 }, "version"},
		"header checksum":  {func(b []byte) { b[12]++ }, "checksum"},
		"type":             {func(b []byte) { b[6] = 99; sum(b) }, "protocol"},
		"reply as request": {func(b []byte) { b[6] = byte(wire.TypeStepped); sum(b) }, "protocol"},
		"flags":            {func(b []byte) { b[7] = 1; sum(b) }, "protocol"},
		"oversized ctrl":   {func(b []byte) { le.PutUint32(b[12:], 1<<31); sum(b) }, "too-large"},
		"oversized bulk":   {func(b []byte) { le.PutUint32(b[16:], 1<<31); sum(b) }, "too-large"},
		"sequence":         {func(b []byte) { b[8] = 7; sum(b) }, "sequence"},
		"payload":          {func(b []byte) { b[len(b)-1] ^= 1 }, "checksum"},
		"control":          {func(b []byte) { b[33] ^= 1 }, "checksum"},
	} {
		t.Run(name, func(t *testing.T) {
			p := ready(t)
			_, err := p.conn.Write(finish(c.edit))
			require.NoError(t, err)
			p.refused(c.kind)
		})
	}
	t.Run("truncated", func(t *testing.T) {
		whole := finish(func([]byte) {})
		for _, n := range []int{1, 31, 33, len(whole) - 1} {
			p := ready(t)
			_, err := p.conn.Write(whole[:n])
			require.NoError(t, err)
			require.NoError(t, p.conn.(*net.UnixConn).CloseWrite())
			p.refused("truncated")
		}
	})
}

func TestShellRefusesRequests(t *testing.T) {
	type req struct {
		typ  wire.Type
		msg  any
		bulk []uint64
	}
	for name, c := range map[string]req{
		"batch without records":    {wire.TypeBatch, &wire.Batch{Cycles: 5}, nil},
		"batch with other records": {wire.TypeBatch, &wire.Batch{Cycles: 5}, make([]uint64, 24)},
		"batch of no cycles":       {wire.TypeBatch, &wire.Batch{}, nil},
		"negative batch":           {wire.TypeBatch, &wire.Batch{Cycles: -1}, nil},
		"batch in no memory":       {wire.TypeBatch, &wire.Batch{Cycles: 1, Shm: true}, nil},
		"step without records":     {wire.TypeStep, &wire.Step{Cycles: 1}, nil},
		"step without limit":       {wire.TypeStep, &wire.Step{Cycles: 1, Until: 1}, make([]uint64, 3)},
		"step beyond limit":        {wire.TypeStep, &wire.Step{Cycles: 1, Until: 1, Max: 1 << 30}, make([]uint64, 3)},
		"doorbell":                 {wire.TypeDoorbell, nil, nil},
		"reset mode":               {wire.TypeConfigure, &wire.Configure{Reset: 3}, nil},
		"mailbox outside":          {wire.TypeConfigure, &wire.Configure{Shm: "/dev/null"}, nil},
		"no map":                   {wire.TypeStep, []int{1, 2}, nil},
		"text for a number":        {wire.TypeStep, map[string]string{"cycles": "1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := ready(t)
			require.NoError(t, p.w.Write(c.typ, c.msg, c.bulk))
			if name == "mailbox outside" {
				p.refused("address")
			} else {
				p.refused("protocol")
			}
		})
	}
	t.Run("before configure", func(t *testing.T) {
		p := raw(t)
		h := goodHello(t)
		require.NoError(t, p.w.Write(wire.TypeHello, &h))
		require.NoError(t, p.w.Write(wire.TypeStep, &wire.Step{Cycles: 1}, make([]uint64, 3)))
		p.refused("protocol")
	})
	t.Run("unknown keys are skipped", func(t *testing.T) {
		p := ready(t)
		require.NoError(t, p.w.Write(wire.TypeStep, map[string]any{"cycles": 1, "new": []any{1, map[string]any{"x": 2.5}, nil,
			[]byte{1}}}, make([]uint64, 3)))
		f, err := p.r.Next()
		require.NoError(t, err)
		require.Equal(t, wire.TypeStepped, f.Type)
	})
}

// TestShellSurvivesNoise throws damaged control messages, checksummed so that they reach the decoder, at the
// DUT: it may refuse or answer, it must not die of a signal.
func TestShellSurvivesNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table := crc32.MakeTable(crc32.Castagnoli)
	for round := range 60 {
		p := ready(t)
		var b bytes.Buffer
		w := wire.NewWriter(&b)
		for range 3 {
			b.Reset()
			require.NoError(t, w.Write(wire.TypeStep, &wire.Step{Cycles: 1, Until: 2, Max: 3}, make([]uint64, 3)))
		}
		data := b.Bytes()
		n := int(binary.LittleEndian.Uint32(data[12:]))
		for range 1 + rng.IntN(4) {
			data[32+rng.IntN(n)] = byte(rng.Uint32())
		}
		binary.LittleEndian.PutUint32(data[24:], crc32.Checksum(data[32:], table))
		binary.LittleEndian.PutUint32(data[28:], crc32.Checksum(data[:28], table))
		_, err := p.conn.Write(data)
		require.NoError(t, err)
		f, err := p.r.Next()
		require.NoError(t, err)
		if f.Type == wire.TypeError {
			p.ended()
		} else {
			require.Equal(t, wire.TypeStepped, f.Type, "round %d", round)
		}
	}
}

func TestShellCommandLine(t *testing.T) {
	path := dut(t, false).Path
	for name, c := range map[string]struct {
		args []string
		text string
	}{
		"nothing":      {nil, "nothing to do"},
		"unknown":      {[]string{"--frobnicate"}, "unknown or incomplete argument --frobnicate"},
		"other host":   {[]string{"--connect", "tcp:10.0.0.1:99"}, "address must be"},
		"bad port":     {[]string{"--connect", "tcp:127.0.0.1:99999"}, "no such port"},
		"no socket":    {[]string{"--connect", "unix:/nonexistent"}, "No such file"},
		"no vectors":   {[]string{"--bench", "/nonexistent"}, "cannot open"},
		"not vectors":  {[]string{"--bench", "/bin/sh"}, "is not a vector file"},
		"not a number": {[]string{"--bench", "/bin/sh", "--reps", "x"}, "needs a number"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(path, c.args...).CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 2, exit.ExitCode())
			require.Contains(t, string(out), c.text)
			require.Equal(t, 1, strings.Count(string(out), "\n"))
		})
	}
	in, want := traffic(40, 5000)
	file := filepath.Join(t.TempDir(), "v.bin")
	require.NoError(t, WriteVectors(file, dut(t, false), in, want))
	out, err := exec.Command(path, "--bench", file, "--reps", "2").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "cycles 10000\n")
	require.Contains(t, string(out), "mismatches 0\n")
}
