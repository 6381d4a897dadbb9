package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

// frames reads a capture: the last byte of each frame and its time.
func frames(t *testing.T, path string) (last []byte, ns []int64) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r, err := pcapgo.NewReader(f)
	require.NoError(t, err)
	for {
		b, info, err := r.ReadPacketData()
		if err == io.EOF {
			return last, ns
		}
		require.NoError(t, err)
		last, ns = append(last, b[len(b)-1]), append(ns, info.Timestamp.UnixNano())
	}
}

// callTrimmer is call with a block that puts out packets.
func callTrimmer(t *testing.T, f *fake, args ...string) outcome {
	t.Helper()
	b := f.backend()
	b.Blocks = func() []string { return []string{"trimmer"} }
	var out, errs bytes.Buffer
	code := execute(t.Context(), &cli.App{Backend: b, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, args)
	return outcome{code, out.String(), errs.String()}
}

// The packets of all runs go into one file, each run after the previous one. Packets from before an error stay.
func TestCosimPcap(t *testing.T) {
	for _, broken := range []bool{false, true} {
		f := newFake()
		f.fail = func(c run.Config) error {
			for i := range 2 {
				if err := c.Frames(run.Frame{Bytes: []byte{0, byte(c.Seed)}, Cycle: uint64(10 + i)}); err != nil {
					return err
				}
			}
			if broken && c.Seed == 2 {
				return errors.New("the device is gone")
			}
			return nil
		}
		path := filepath.Join(t.TempDir(), "out.pcap")
		o := callTrimmer(t, f, "cosim", "--block", "trimmer", "--source", "random", "--seeds", "1..2", "--pcap", path)
		if broken {
			require.Equal(t, cli.ExitBroken, o.code)
			require.Contains(t, o.stderr, "the device is gone")
			require.NotContains(t, o.stderr, "--pcap")
		} else {
			require.Equal(t, cli.ExitPass, o.code, o.stderr)
		}
		last, ns := frames(t, path)
		require.Equal(t, []byte{1, 1, 2, 2}, last)
		require.Equal(t, []int64{10, 11, 21, 22}, ns)
	}
	o := callTrimmer(t, newFake(), "cosim", "--block", "trimmer", "--pcap", filepath.Join(t.TempDir(), "none", "out.pcap"))
	require.Equal(t, cli.ExitBroken, o.code)
	require.Contains(t, o.stderr, "does not exist")
	o = call(t, newFake(), "cosim", "--block", "ccc", "--pcap", filepath.Join(t.TempDir(), "out.pcap"))
	require.Equal(t, cli.ExitBroken, o.code)
}
